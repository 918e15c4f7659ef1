// SPDX-License-Identifier: Apache-2.0
// Where the bytes are: sums over this rank's hops as integers, the same for any number of ranks.
#pragma once

#include <cstdint>

#include "solver/layout.hpp"
#include "solver/state.hpp"

namespace tailrace {

/// Sums in units of 1 / per_byte bytes, so that they do not depend on who adds what.
struct FixedPoint {
  double per_byte = 1;
  /// The finest unit in which a sum of `largest_bytes` fits.
  explicit FixedPoint(double largest_bytes);
  std::int64_t of(double bytes) const;
  double bytes(std::int64_t units) const { return static_cast<double>(units) / per_byte; }
};

/// Of this rank, in units of FixedPoint, as of the step that the state has reached.
struct ByteTotals {
  std::int64_t injected = 0;   ///< left the endpoints
  std::int64_t delivered = 0;  ///< passed their last switch
  std::int64_t queued = 0;     ///< waiting in switches
  std::int64_t between = 0;    ///< left a hop but not the next: queued or on a link
};

/// Injected = delivered + between, to rounding, over all ranks: bytes are neither lost nor made.
ByteTotals sum_bytes(const StateView& state, const Layout& layout, const FixedPoint& unit);

}  // namespace tailrace
