// SPDX-License-Identifier: Apache-2.0
// Third phase of a step: which messages have passed the end of their flow, and when exactly.
#pragma once

#include "solver/state.hpp"

namespace tailrace {

/// Records the finish of every message whose end the last hop's curve passes between n and n+1, in
/// steps, one link latency later. Within the step the curve is a straight line; where it ends short
/// because nothing more came, the rate of the step before tells how far into the step it went.
void finish_messages(const StateView& state, std::int64_t step);

/// Messages of this rank that have finished.
std::int64_t count_finished(const StateView& state);

}  // namespace tailrace
