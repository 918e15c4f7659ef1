// SPDX-License-Identifier: Apache-2.0
// The time series of a run: interval means and maxima of lanes, flows, tiers and the whole fabric.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "solver/comm/communicator.hpp"
#include "solver/io/run_file.hpp"
#include "solver/lane_selection.hpp"
#include "solver/layout.hpp"
#include "solver/output_settings.hpp"
#include "solver/settings.hpp"
#include "solver/state.hpp"
#include "solver/summary.hpp"
#include "solver/totals.hpp"

namespace tailrace {

/// Reads the lanes' statistics at the end of each interval, writes a sample when there is a file,
/// keeps the totals of the run for the summary, and sets the statistics back to zero.
class Sampler {
 public:
  Sampler(const Graph& graph, const Layout& layout, const RunSettings& settings,
          const OutputSettings& output, const Communicator& communicator, const FixedPoint& unit);
  /// Tells the file what the series hold. `flow_ids`: kept flows, ascending, the same on all ranks.
  void define(RunFile& file, std::vector<std::int64_t> flow_ids);
  /// Closes the interval that ends at `step`. Collective. `file` may be null.
  void sample(const State& state, std::int64_t step, RunFile* file);
  /// Totals of the tiers over the run so far, which lasted until the last sample. Collective.
  std::vector<TierResult> tier_results() const;
  const ByteTotals& totals() const { return totals_; }  ///< all ranks, as of the last sample
  double dropped_bytes() const { return unit_.bytes(dropped_); }
  std::int64_t conservation_error() const {
    return totals_.injected - totals_.delivered - totals_.between;
  }
  std::int64_t lanes_left_out() const { return selection_.lanes_left_out(); }
  std::string worst_loss_lane() const;  ///< the lane that ran over most; collective
  double sampling_wall_s() const { return wall_s_; }

 private:
  struct Interval;  ///< statistics of one interval on the host
  void fold(const Interval& interval);
  void sum_tiers(const Interval& interval);
  void fill_lanes(const Interval& interval, Sample& sample) const;
  void fill_flows(const State& state, const Interval& interval, Sample& sample);
  void sum_fabric(const State& state, const Interval& interval);
  std::string lane_name(std::int64_t global_lane) const;
  /// The lane of all ranks with the smallest id of those that `is_wanted(local lane)` accepts.
  template <class IsWanted>
  std::string first_lane(const IsWanted& is_wanted) const;

  const Graph& graph_;
  const Layout& layout_;
  const RunSettings& settings_;
  const Communicator& communicator_;
  FixedPoint unit_;
  LaneSelection selection_;
  std::vector<std::string> tier_names_;
  std::vector<std::int32_t> lane_tier_;  ///< per local lane
  std::vector<double> tier_capacity_;    ///< bytes per ns, of all links of the tier
  std::vector<std::int64_t> tier_links_;
  std::int64_t last_step_ = 0;
  std::vector<double> sent_before_;         ///< per lane, at the last sample
  std::vector<double> flow_left_before_;    ///< per kept flow of this rank
  std::vector<std::int32_t> flow_arrival_;  ///< arrival index of the kept flows of this rank
  std::vector<std::int64_t> flow_slot_;
  // of the interval, all ranks
  std::vector<std::vector<double>> tier_values_;
  ByteTotals totals_;
  std::int64_t dropped_ = 0, paused_lanes_ = 0;
  // of the run, this rank's lanes
  std::vector<double> backlog_peak_, occupancy_peak_, paused_steps_, stalled_steps_, sent_;
  std::vector<double> lane_dropped_;
  std::vector<std::int64_t> pauses_;
  double wall_s_ = 0;
};

}  // namespace tailrace
