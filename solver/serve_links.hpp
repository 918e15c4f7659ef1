// SPDX-License-Identifier: Apache-2.0
// First phase of a step: what arrived, what each lane may send, and what leaves, in order.
#pragma once

#include "solver/state.hpp"

namespace tailrace {

/// Advances all hops of this rank from step n to n+1: writes left_next, queue_left, lane_sent_next,
/// pause signals and the lanes' statistics. One work item per link.
void serve_links(const StateView& state, std::int64_t step);

}  // namespace tailrace
