// SPDX-License-Identifier: Apache-2.0
// One time step.
#pragma once

#include "solver/comm/halo.hpp"
#include "solver/state.hpp"

namespace tailrace {

/// Leads the fluid of all ranks from step n to n+1.
void advance_one_step(State& state, Halo& halo, std::int64_t step);

}  // namespace tailrace
