// SPDX-License-Identifier: Apache-2.0
// The loop over time steps: until all messages have ended, or the time limit.
#pragma once

#include <cstdint>
#include <functional>

#include "solver/comm/communicator.hpp"
#include "solver/comm/halo.hpp"
#include "solver/sampling.hpp"
#include "solver/simulation.hpp"
#include "solver/state.hpp"

namespace tailrace {

struct LoopPlan {
  std::int64_t last_step = 0;     ///< of the time limit
  std::int64_t sample_steps = 0;  ///< steps between samples, 0: none
  std::int64_t messages = 0;      ///< of all ranks
  std::int64_t wire_units = 0;    ///< bytes to deliver, in the unit of the totals
};

struct LoopResult {
  std::int64_t steps = 0;
  bool stopped = false;       ///< on request
  std::int64_t finished = 0;  ///< messages of all ranks
};

/// Runs the steps. Every `check_steps` steps all ranks agree on how many messages have ended, so
/// the end of a run does not depend on the number of ranks, and on whether one was asked to stop.
/// Collective. `file` may be null.
LoopResult run_time_loop(State& state, Halo& halo, Sampler& sampler, RunFile* file,
                         const FixedPoint& unit, const Communicator& communicator,
                         const RunSettings& settings, const LoopPlan& plan,
                         const SimulationOptions& options);

/// Steps between two checks.
inline constexpr std::int64_t check_steps = 16;

}  // namespace tailrace
