// SPDX-License-Identifier: Apache-2.0
// InfiniBand's link-level flow control: what a sender may still send on its credits.
//
//   S(n+1) <= R(n - (D - 1)) + B      R: bytes that have left the receiver's buffer, one latency
//   ago
// so a loop of round trip 2 D carries at most B / (2 D) per step. Packets occupy whole blocks of
// 64 bytes, and at most 128 KiB are advertised per lane (InfiniBand Architecture Specification,
// volume 1, sections 7.9.4 and 8; 12-bit credit limits over 64-byte blocks are 2048 blocks).
#pragma once

#include <Kokkos_Core.hpp>

namespace tailrace {

inline constexpr double credit_block_bytes = 64;
inline constexpr double credit_limit_bytes = 131072;

/// Bytes on the wire that fit a buffer of `buffer_bytes` when every packet has `packet_wire_bytes`
/// and occupies whole blocks. At most 128 KiB of blocks are advertised.
inline double credit_buffer_wire_bytes(double buffer_bytes, double packet_wire_bytes) {
  const double advertised = buffer_bytes < credit_limit_bytes ? buffer_bytes : credit_limit_bytes;
  const double blocks = static_cast<double>(
      static_cast<long long>((packet_wire_bytes + credit_block_bytes - 1) / credit_block_bytes));
  const double usable =
      static_cast<double>(static_cast<long long>(advertised / credit_block_bytes)) *
      credit_block_bytes;
  return usable * packet_wire_bytes / (blocks * credit_block_bytes);
}

/// Bytes that may leave in this step. `sent`: left by the lane so far; `returned`: left the
/// receiver's buffer, as the sender knows it; `buffer`: in wire bytes. Never negative.
KOKKOS_INLINE_FUNCTION double credit_budget(double sent, double returned, double buffer) {
  const double budget = returned + buffer - sent;
  return budget > 0 ? budget : 0;
}

}  // namespace tailrace
