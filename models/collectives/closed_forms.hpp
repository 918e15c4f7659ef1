// SPDX-License-Identifier: Apache-2.0
// Closed forms of collectives on an uncongested fabric, and nccl-tests' bandwidth figures.
//
// Symbols: S bytes of the operation in nccl-tests' sense (payload); n ranks; B payload bytes per ns
// that a rank can send (link capacity * mtu / (mtu + header)); L ns of one ring hop, from a byte's
// departure at one rank to its departure at the next (latencies of the route + forward delay); l ns
// of latency of the last hop's route, which is not forwarded.
// Sources: Thakur, Rabenseifner, Gropp, "Optimization of collective communication operations in
// MPICH", IJHPCA 19 (2005); nccl-tests doc/PERFORMANCE.md (busbw).
#pragma once

#include <algorithm>
#include <string>

#include "solver/base/errors.hpp"

namespace tailrace {

/// Ring of `steps` shares of S/n each, as a fluid pipeline: share k+1 leaves when share k has left
/// (S/(n B) later) and the byte that it forwards has come (L later), whichever is later; the last
/// share then takes S/(n B) to leave and l to arrive:
///   t = (steps - 1) max(S/(n B), L) + S/(n B) + l
/// Where S/(n B) >= L this is steps S/(n B) + l. The shorter form steps max(S/(n B), L) + l counts
/// the last share at L too: longer by L - S/(n B) where latency decides.
inline double ring_ns(int steps, double bytes, int ranks, double bytes_per_ns, double hop_ns,
                      double last_latency_ns) {
  const double share_ns = bytes / ranks / bytes_per_ns;
  return (steps - 1) * std::max(share_ns, hop_ns) + share_ns + last_latency_ns;
}

/// Ring all-reduce: 2 (n-1) steps.
inline double ring_all_reduce_ns(double bytes, int ranks, double bytes_per_ns, double hop_ns,
                                 double last_latency_ns) {
  return ring_ns(2 * (ranks - 1), bytes, ranks, bytes_per_ns, hop_ns, last_latency_ns);
}

/// Ring all-gather, and ring reduce-scatter: n-1 steps.
inline double ring_all_gather_ns(double bytes, int ranks, double bytes_per_ns, double hop_ns,
                                 double last_latency_ns) {
  return ring_ns(ranks - 1, bytes, ranks, bytes_per_ns, hop_ns, last_latency_ns);
}

/// All-to-all, all at once: (n-1)/n S/B + l.
inline double all_to_all_ns(double bytes, int ranks, double bytes_per_ns, double latency_ns) {
  return (ranks - 1) * (bytes / ranks) / bytes_per_ns + latency_ns;
}

/// Send-receive: S/B + l.
inline double send_recv_ns(double bytes, double bytes_per_ns, double latency_ns) {
  return bytes / bytes_per_ns + latency_ns;
}

/// busbw / algbw of nccl-tests: all_reduce 2(n-1)/n; all_gather, reduce_scatter, all_to_all
/// (n-1)/n; broadcast, reduce, send_recv 1. Dimensionless. Unknown operations are our fault.
inline double busbw_factor(const std::string& operation, int ranks) {
  const double others = static_cast<double>(ranks - 1) / ranks;
  if (operation == "all_reduce") return 2 * others;
  if (operation == "all_gather" || operation == "reduce_scatter" || operation == "all_to_all") {
    return others;
  }
  TAILRACE_REQUIRE(operation == "broadcast" || operation == "reduce" || operation == "send_recv",
                   "no busbw for operation " + operation);
  return 1;
}

/// algbw = S / t in GB/s: bytes per ns are GB (1e9 bytes) per s.
inline double algbw_gb_per_s(double bytes, double time_ns) { return bytes / time_ns; }

/// busbw = algbw * factor, in GB/s.
inline double busbw_gb_per_s(const std::string& operation, int ranks, double bytes,
                             double time_ns) {
  return algbw_gb_per_s(bytes, time_ns) * busbw_factor(operation, ranks);
}

}  // namespace tailrace
