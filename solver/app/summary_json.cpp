// SPDX-License-Identifier: Apache-2.0
// The summary of a run for machines: JSON with the names and units of solver/summary.hpp.
#include "solver/app/summary_json.hpp"

#include <nlohmann/json.hpp>

#include "tailrace_version.hpp"

namespace tailrace {

using Json = nlohmann::ordered_json;

// Found by the library by their name, hence the short one; each lists its structure's fields in
// their order there (tests/cli/test_json.py compares the two).
// NOLINTBEGIN(misc-use-internal-linkage)

void to_json(Json& json, const CompletionStatistics& statistics) {
  json = Json{{"count", statistics.count},
              {"unfinished", statistics.unfinished},
              {"min_ns", statistics.min_ns},
              {"median_ns", statistics.median_ns},
              {"mean_ns", statistics.mean_ns},
              {"p99_ns", statistics.p99_ns},
              {"max_ns", statistics.max_ns},
              {"ideal_median_ns", statistics.ideal_median_ns},
              {"slowdown_median", statistics.slowdown_median},
              {"slowdown_p99", statistics.slowdown_p99},
              {"slowdown_max", statistics.slowdown_max}};
}

void to_json(Json& json, const GroupStatistics& group) {
  json = Json{{"name", group.name}, {"completion", group.completion}};
}

void to_json(Json& json, const CollectiveResult& collective) {
  json = Json{{"name", collective.name},
              {"operation", collective.operation},
              {"algorithm", collective.algorithm},
              {"bytes", collective.bytes},
              {"ranks", collective.ranks},
              {"start_ns", collective.start_ns},
              {"finish_ns", collective.finish_ns},
              {"algbw_GBps", collective.algbw_GBps},
              {"busbw_GBps", collective.busbw_GBps}};
}

void to_json(Json& json, const TierResult& tier) {
  json = Json{{"name", tier.name},
              {"links", tier.links},
              {"capacity_gbps", tier.capacity_gbps},
              {"bytes", tier.bytes},
              {"utilisation_mean_frac", tier.utilisation_mean_frac},
              {"backlog_peak_bytes", tier.backlog_peak_bytes},
              {"backlog_peak_lane", tier.backlog_peak_lane},
              {"occupancy_peak_bytes", tier.occupancy_peak_bytes},
              {"pauses", tier.pauses},
              {"paused_mean_frac", tier.paused_mean_frac},
              {"credit_stalled_mean_frac", tier.credit_stalled_mean_frac}};
}

void to_json(Json& json, const RunSummary& summary) {
  json = Json{{"endpoints", summary.endpoints},
              {"switches", summary.switches},
              {"links", summary.links},
              {"flows", summary.flows},
              {"messages", summary.messages},
              {"hops", summary.hops},
              {"lanes", summary.lanes},
              {"queues", summary.queues},
              {"payload_bytes", summary.payload_bytes},
              {"wire_bytes", summary.wire_bytes},
              {"dt_ns", summary.dt_ns},
              {"simulated_ns", summary.simulated_ns},
              {"steps", summary.steps},
              {"hop_updates", summary.hop_updates},
              {"lane_steps", summary.lane_steps},
              {"awake_frac", summary.awake_frac},
              {"setup_wall_s", summary.setup_wall_s},
              {"solve_wall_s", summary.solve_wall_s},
              {"output_wall_s", summary.output_wall_s},
              {"wall_s", summary.wall_s},
              {"hop_updates_per_s", summary.hop_updates_per_s},
              {"memory_bytes_per_rank_max", summary.memory_bytes_per_rank_max},
              {"bytes_per_hop", summary.bytes_per_hop},
              {"messages_sent_per_step", summary.messages_sent_per_step},
              {"bytes_sent_per_step", summary.bytes_sent_per_step},
              {"ranks", summary.ranks},
              {"threads", summary.threads},
              {"backend", summary.backend},
              {"time_limit_reached", summary.time_limit_reached},
              {"stopped", summary.stopped},
              {"completion", summary.completion},
              {"acknowledged", summary.acknowledged},
              {"groups", summary.groups},
              {"collectives", summary.collectives},
              {"tiers", summary.tiers},
              {"injected_bytes", summary.injected_bytes},
              {"delivered_bytes", summary.delivered_bytes},
              {"queued_bytes", summary.queued_bytes},
              {"in_flight_bytes", summary.in_flight_bytes},
              {"dropped_bytes", summary.dropped_bytes},
              {"conservation_error_bytes", summary.conservation_error_bytes},
              {"warnings", summary.warnings}};
}

// NOLINTEND(misc-use-internal-linkage)

std::string summary_json(const RunSummary& summary, const std::string& command) {
  Json json{{"tailrace_version", project_version}, {"git_hash", git_hash}, {"command", command}};
  json.update(Json(summary));
  constexpr int indent = 2;
  return json.dump(indent, ' ', false, Json::error_handler_t::ignore) + "\n";
}

}  // namespace tailrace
