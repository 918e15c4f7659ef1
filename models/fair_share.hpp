// SPDX-License-Identifier: Apache-2.0
// Max-min shares: of a lane among its queues, and of a link among its traffic classes.
//
// Symbols: W_k content of queue k (bytes), S budget of the step (bytes), s the water level (bytes).
//   round robin:  d_k = min(W_k, s),      sum_k d_k = S  where sum_k W_k > S
//   weights w_c:  d_c = min(W_c, w_c s),  sum_c d_c = S
// The level is found by setting aside, again and again, all queues that want no more than it
// (Bertsekas and Gallager, Data Networks, section 6.5.2). It rises monotonically, so the loop ends
// after at most as many rounds as there are queues; three are typical.
#pragma once

#include <Kokkos_Core.hpp>

namespace tailrace {

/// Level s of a max-min share of `budget` among `count` queues. `content(k)` is W_k >= 0,
/// `weight(k)` is w_k > 0. Call only when the contents together exceed the budget. The sums run in
/// the order of k, so the result is the same on every machine layout.
template <class Content, class Weight>
KOKKOS_INLINE_FUNCTION double fair_level(int count, double budget, const Content& content,
                                         const Weight& weight) {
  double level = 0;
  for (;;) {
    double satisfied = 0, open_weight = 0;
    for (int k = 0; k < count; ++k) {
      if (content(k) <= weight(k) * level) {
        satisfied += content(k);
      } else {
        open_weight += weight(k);
      }
    }
    if (open_weight == 0) {
      return level;
    }
    const double next = (budget - satisfied) / open_weight;
    if (!(next > level)) {
      return level;
    }
    level = next;
  }
}

}  // namespace tailrace
