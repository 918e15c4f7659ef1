// SPDX-License-Identifier: Apache-2.0
// Priority flow control (IEEE 802.1Qbb): the receiver's pause signal and its way to the sender.
//
// The signal u(n) is the share of the step [n, n+1) in which the receiver lets the lane send: 1, 0,
// or, in the step in which the occupancy O crosses a threshold, the part before (XOFF) or after
// (XON) the crossing, located by linear interpolation between O(n) and O(n+1). The sender obeys it
// one delay d = latency + response later; a fraction f of a step in d is spread over two steps,
// (1 - f) u(n - k) + f u(n - k - 1), which keeps the time paused exact.
// Headroom = C (2 latency + response) + 2 MTU (see models/README.md for the derivation).
#pragma once

#include <Kokkos_Core.hpp>

namespace tailrace {

struct PfcSignal {
  double open_frac;  ///< u: share of the step in which sending is allowed, [0, 1]
  bool paused;       ///< state at the end of the step
};

/// Signal of the step that ended with `occupancy` and began with `previous` (bytes).
KOKKOS_INLINE_FUNCTION PfcSignal pfc_signal(bool paused, double previous, double occupancy,
                                            double xoff, double xon) {
  if (!paused) {
    if (occupancy <= xoff) {
      return {1.0, false};
    }
    const double before = previous >= xoff ? 0.0 : (xoff - previous) / (occupancy - previous);
    return {before, true};
  }
  if (occupancy >= xon) {
    return {0.0, true};
  }
  const double before = previous <= xon ? 0.0 : (previous - xon) / (previous - occupancy);
  return {1.0 - before, false};
}

/// Bytes that a sender may still have on the way after the receiver has asked for a pause.
inline double pfc_headroom_bytes(double capacity_bytes_per_ns, double latency_ns,
                                 double response_ns, double packet_wire_bytes) {
  return capacity_bytes_per_ns * (2 * latency_ns + response_ns) + 2 * packet_wire_bytes;
}

}  // namespace tailrace
