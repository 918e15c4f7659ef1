// SPDX-License-Identifier: Apache-2.0
// Third phase of a step: which messages have passed the end of their flow, and when exactly.
#pragma once

#include "solver/state.hpp"

namespace tailrace {

/// Records the finish of every message whose end the last hop's curve passes between n and n+1, in
/// steps, one link latency later.
void finish_messages(const StateView& state, std::int64_t step);

/// Messages of this rank that have finished, and bytes that have passed their last switch, in units
/// of 1 / per_byte bytes.
struct Delivered {
  std::int64_t messages = 0, units = 0;
};
Delivered count_delivered(const StateView& state, double per_byte);

}  // namespace tailrace
