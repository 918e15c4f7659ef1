// SPDX-License-Identifier: Apache-2.0
// Sets a run up and times the phases of its steps.
#include "tests/performance/stepped_run.hpp"

#include <chrono>
#include <cstdlib>
#include <filesystem>

#include "solver/base/deck_load.hpp"
#include "solver/exchange.hpp"
#include "solver/finish_messages.hpp"
#include "solver/serve_links.hpp"
#include "solver/sum_returns.hpp"
#include "topology/fabric.hpp"

namespace tailrace::performance {

namespace {

std::string input_path(const std::string& name) {
  const char* source = std::getenv("TAILRACE_SOURCE");
  return (std::filesystem::path(source ? source : ".") / "inputs" / name).string();
}

/// Adds the time that `phase` takes to `seconds`. A fence first: kernels may run on.
template <class Phase>
void timed(double& seconds, const Phase& phase) {
  const auto begin = std::chrono::steady_clock::now();
  phase();
  Execution().fence();
  seconds += std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
}

}  // namespace

SteppedRun::SteppedRun(const std::string& deck_path, const std::vector<std::string>& sets)
    : communicator_(Communicator::world()),
      deck_(load_deck(input_path(deck_path), sets)),
      graph_(build_fabric(deck_)),
      settings_(read_settings(deck_, graph_)),
      router_(graph_, deck_),
      workload_(make_workload(deck_, graph_)),
      layout_(build_layout(graph_, router_, *workload_,
                           std::vector<Rank>(static_cast<std::size_t>(graph_.node_count()), 0), 0,
                           settings_)),
      halo_(layout_.halo, communicator_) {
  restart();
}

void SteppedRun::restart() {
  state_.reset();  // never two of them in memory
  state_ = std::make_unique<State>(layout_, settings_, graph_);
  step_ = 0;
}

PhaseTimes SteppedRun::advance(std::int64_t steps) {
  PhaseTimes times;
  for (const std::int64_t end = step_ + steps; step_ < end; ++step_) {
    timed(times.serve_links_s, [&] { serve_links(state_->view(), step_); });
    timed(times.sum_returns_s, [&] { sum_returns(state_->view()); });
    timed(times.finish_messages_s, [&] { finish_messages(state_->view(), step_); });
    timed(times.rest_s, [&] {
      state_->grow();
      state_->swap();
      exchange(*state_, halo_);
    });
  }
  return times;
}

double SteppedRun::bytes_per_hop() const {
  return static_cast<double>(state_->bytes()) / static_cast<double>(hop_count());
}

double SteppedRun::busy_hops_frac() const {
  const StateView s = state_->view();
  std::int64_t busy = 0;
  Kokkos::parallel_reduce(
      "tailrace::stepped_run::busy_hops_frac", Kokkos::RangePolicy<Execution>(0, s.link_count),
      KOKKOS_LAMBDA(std::int32_t link, std::int64_t & count) {
        const std::int32_t first = s.queue_hop_begin[s.lane_queue_begin[link * s.class_count]];
        const std::int32_t last = s.queue_hop_begin[s.lane_queue_begin[(link + 1) * s.class_count]];
        for (std::int32_t h = first; h < last; ++h) {
          const std::int32_t upstream = s.hop_upstream[h];
          const bool waits = upstream >= 0 && s.left_now[upstream] > s.left_now[h];
          count += waits || s.left_now[h] != s.left_next[h] ? 1 : 0;
        }
      },
      busy);
  return static_cast<double>(busy) / static_cast<double>(hop_count());
}

}  // namespace tailrace::performance
