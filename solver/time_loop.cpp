// SPDX-License-Identifier: Apache-2.0
// Holds the only loop over time, its end, its samples and its progress.
#include "solver/time_loop.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <vector>

#include "solver/finish_messages.hpp"
#include "solver/step.hpp"

namespace tailrace {

namespace {

constexpr double progress_interval_s = 0.5;

/// What all ranks agree on now and then.
struct Check {
  Delivered delivered;
  bool stop;
};

Check agree(const StateView& state, const FixedPoint& unit, const Communicator& communicator,
            const SimulationOptions& options) {
  const Delivered own = count_delivered(state, unit.per_byte);
  const bool stop = options.stop_requested && options.stop_requested();
  std::vector<std::int64_t> sums = {own.messages, own.units, stop ? 1 : 0};
  communicator.sum_in_place(sums);
  return {{sums[0], sums[1]}, sums[2] > 0};
}

}  // namespace

LoopResult run_time_loop(State& state, Halo& halo, Sampler& sampler, RunFile* file,
                         const FixedPoint& unit, const Communicator& communicator,
                         const RunSettings& settings, const LoopPlan& plan,
                         const SimulationOptions& options) {
  using Clock = std::chrono::steady_clock;
  const auto begin = Clock::now();
  double last_progress_s = 0;
  LoopResult result;
  result.finished = plan.messages == 0 ? 0 : -1;
  std::int64_t step = 0;
  while (step < plan.last_step && result.finished != plan.messages && !result.stopped) {
    advance_one_step(state, halo, step);
    ++step;
    if (plan.sample_steps > 0 && step % plan.sample_steps == 0) {
      sampler.sample(state, step, file);
    }
    if (step % check_steps == 0 || step == plan.last_step) {
      const double wall_s = std::chrono::duration<double>(Clock::now() - begin).count();
      const Check check = agree(state.view(), unit, communicator, options);
      result.finished = check.delivered.messages;
      result.stopped = check.stop && result.finished != plan.messages;
      if (options.on_progress && wall_s - last_progress_s > progress_interval_s) {
        last_progress_s = wall_s;
        Progress progress;
        progress.simulated_ns = static_cast<double>(step) * settings.dt_ns;
        progress.time_limit_ns = settings.time_limit_ns;
        progress.step = step;
        progress.messages_done = check.delivered.messages;
        progress.messages = plan.messages;
        progress.payload_done_frac =
            static_cast<double>(check.delivered.units) /
            static_cast<double>(std::max<std::int64_t>(1, plan.wire_units));
        progress.wall_s = wall_s;
        progress.steps_per_s = static_cast<double>(step) / std::max(wall_s, 1e-9);
        options.on_progress(progress);
      }
    }
  }
  if (plan.sample_steps == 0 || step % plan.sample_steps != 0) {
    sampler.sample(state, step, file);
  }
  result.steps = step;
  return result;
}

}  // namespace tailrace
