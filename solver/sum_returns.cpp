// SPDX-License-Identifier: Apache-2.0
// Sums what has left the buffers, incoming lane by incoming lane.
#include "solver/sum_returns.hpp"

#include "solver/launch.hpp"

namespace tailrace {

void sum_returns(const StateView& state) {
  const StateView s = state;
  for_each_item(
      "tailrace::sum_returns::sum_returns", s.in_lane_count, KOKKOS_LAMBDA(std::int32_t i) {
        double left = 0;
        for (std::int32_t k = s.in_lane_queue_begin[i]; k < s.in_lane_queue_begin[i + 1]; ++k) {
          left += s.queue_left[s.in_lane_queues[k]];
        }
        s.returned[i] = left;
      });
}

}  // namespace tailrace
