// SPDX-License-Identifier: Apache-2.0
// A run on one rank whose steps are made one by one, with the time that each phase takes.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "models/workload/workload.hpp"
#include "solver/base/deck.hpp"
#include "solver/comm/communicator.hpp"
#include "solver/comm/halo.hpp"
#include "solver/layout.hpp"
#include "solver/settings.hpp"
#include "solver/state.hpp"
#include "topology/routing.hpp"

namespace tailrace::performance {

/// Wall time of the phases of advance_one_step(), in seconds, summed over steps.
struct PhaseTimes {
  double serve_links_s = 0, sum_returns_s = 0, finish_messages_s = 0, rest_s = 0;
  double total_s() const { return serve_links_s + sum_returns_s + finish_messages_s + rest_s; }
};

/// Everything between the deck and the first step, without an output file.
class SteppedRun {
 public:
  /// `deck_path`: under inputs/ of the folder that TAILRACE_SOURCE names (default: this one).
  /// `sets`: key=value, as of --set.
  SteppedRun(const std::string& deck_path, const std::vector<std::string>& sets);
  /// Fluid at rest again, step 0.
  void restart();
  /// The next `steps` steps, and how long their phases took.
  PhaseTimes advance(std::int64_t steps);
  std::int64_t step() const { return step_; }
  std::int64_t hop_count() const { return layout_.hop_count(); }
  std::int64_t link_count() const { return layout_.link_count(); }
  double bytes_per_hop() const;
  /// Hops that have anything to do: upstream of them bytes have been sent, and not all have left.
  double busy_hops_frac() const;

 private:
  Communicator communicator_;
  Deck deck_;
  Graph graph_;
  RunSettings settings_;
  Router router_;
  std::unique_ptr<Workload> workload_;
  Layout layout_;
  Halo halo_;
  std::unique_ptr<State> state_;
  std::int64_t step_ = 0;
};

}  // namespace tailrace::performance
