// SPDX-License-Identifier: Apache-2.0
// Last phase of a step: curves of cut hops forward, returns of cut lanes backward.
#pragma once

#include "solver/comm/halo.hpp"
#include "solver/state.hpp"

namespace tailrace {

/// Brings the ghosts of `state` to the step that the own hops have reached. Collective over
/// neighbours.
void exchange(const State& state, Halo& halo);

/// Launches of exchange(): between the state and a buffer in its memory space.
void pack(const State& state, double* buffer);
void unpack(const State& state, const double* buffer);

}  // namespace tailrace
