// SPDX-License-Identifier: Apache-2.0
// What a run tells at its end: the figures of the summary, the same on every rank.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace tailrace {

struct CompletionStatistics {  ///< of messages; ns
  std::int64_t count = 0, unfinished = 0;
  double min_ns = 0, median_ns = 0, mean_ns = 0, p99_ns = 0, max_ns = 0;
  double ideal_median_ns = 0;  ///< median of wire bytes / bottleneck capacity + latencies
  double slowdown_median = 0, slowdown_p99 = 0, slowdown_max = 0;  ///< completion / ideal
};

struct GroupStatistics {
  std::string name;
  CompletionStatistics completion;
};

struct CollectiveResult {
  std::string name, operation, algorithm;
  double bytes = 0;
  std::int32_t ranks = 0;
  double start_ns = 0, finish_ns = 0;  ///< finish NaN when it did not end
  double algbw_GBps = 0, busbw_GBps = 0;
};

struct TierResult {
  std::string name;  ///< "leaf-spine", ...
  std::int64_t links = 0;
  double capacity_gbps = 0;          ///< of one link (largest)
  double bytes = 0;                  ///< carried, on the wire
  double utilisation_mean_frac = 0;  ///< over the run and the tier's links
  double backlog_peak_bytes = 0;     ///< largest of any lane at any step
  std::string backlog_peak_lane;     ///< "leaf3->spine0"
  double occupancy_peak_bytes = 0;   ///< at the receiving end
  std::int64_t pauses = 0;           ///< transitions to paused
  double paused_mean_frac = 0;
  double credit_stalled_mean_frac = 0;
};

struct RunSummary {
  // fabric
  std::int64_t endpoints = 0, switches = 0, links = 0;
  // workload
  std::int64_t flows = 0, messages = 0, hops = 0, lanes = 0, queues = 0;
  double payload_bytes = 0, wire_bytes = 0;
  // time
  double dt_ns = 0, simulated_ns = 0;
  std::int64_t steps = 0;
  std::int64_t hop_updates = 0, lane_steps = 0;
  double awake_frac = 1;
  double setup_wall_s = 0, solve_wall_s = 0, output_wall_s = 0, wall_s = 0;
  double hop_updates_per_s = 0;             ///< hop_updates / solve_wall_s
  double memory_bytes_per_rank_max = 0;     ///< resident
  double bytes_per_hop = 0;                 ///< solver state / hops
  std::int64_t messages_sent_per_step = 0;  ///< MPI messages per step, all ranks
  double bytes_sent_per_step = 0;
  std::int32_t ranks = 1, threads = 1;
  std::string backend;
  // results
  bool time_limit_reached = false;
  bool stopped = false;  ///< by a signal, before all messages had ended
  CompletionStatistics completion;
  CompletionStatistics acknowledged;  ///< the same until the sender has the acknowledgement; count
                                      ///< 0 where acknowledgements are not simulated
  std::vector<GroupStatistics> groups;
  std::vector<CollectiveResult> collectives;
  std::vector<TierResult> tiers;
  double injected_bytes = 0, delivered_bytes = 0, queued_bytes = 0, in_flight_bytes = 0,
         dropped_bytes = 0;
  double conservation_error_bytes = 0;
  std::vector<std::string> warnings;
};

}  // namespace tailrace
