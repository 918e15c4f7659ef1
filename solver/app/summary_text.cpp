// SPDX-License-Identifier: Apache-2.0
// The summary of a run as text for people: what `tailrace run` prints at its end.
#include "solver/app/summary_text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include "solver/app/quantity_text.hpp"
#include "solver/app/text_table.hpp"
#include "solver/base/units.hpp"

namespace tailrace {

namespace {

using Align = TextTable::Align;

// Indices of the rows to show: all, or the longest-lasting ones in their own order.
std::vector<std::size_t> rows_to_show(const std::vector<double>& durations) {
  std::vector<std::size_t> rows(durations.size());
  std::iota(rows.begin(), rows.end(), std::size_t{0});
  if (rows.size() <= summary_rows_max) return rows;
  std::stable_sort(rows.begin(), rows.end(),
                   [&](std::size_t a, std::size_t b) { return durations[a] > durations[b]; });
  rows.resize(summary_rows_max);
  std::sort(rows.begin(), rows.end());
  return rows;
}

std::string left_out_note(std::size_t all, const std::string& noun) {
  if (all <= summary_rows_max) return "";
  return fmt::format("  The {} that took longest, of {} {}; --json lists all.\n", summary_rows_max,
                     count_text(static_cast<std::int64_t>(all)), noun);
}

// Loud, and first of all: the figures that follow are those of a part of the run.
std::string unfinished_text(const RunSummary& summary) {
  const std::int64_t unfinished = summary.completion.unfinished;
  if (unfinished == 0 && !summary.time_limit_reached) return "";
  return wrapped("NOT FINISHED: ",
                 fmt::format("{} of {} had not arrived whole at {}{}", count_text(unfinished),
                             plural_text(summary.messages, "message"),
                             summary.stopped              ? "the stop, "
                             : summary.time_limit_reached ? "the time limit, "
                                                          : "the end, ",
                             time_text(summary.simulated_ns))) +
         "\n";
}

std::string head_text(const RunSummary& summary, const SummaryContext& context) {
  std::string text = fmt::format("{}: {}\n\n", context.version, context.deck_path);
  text += unfinished_text(summary);
  text += fact_text("Fabric", fmt::format("{}, {}, {} (two per cable)",
                                          plural_text(summary.endpoints, "endpoint"),
                                          plural_text(summary.switches, "switch", "switches"),
                                          plural_text(summary.links, "link")));
  text += fact_text(
      "Workload",
      fmt::format("{} on {}, {} of payload ({} on the wire)",
                  plural_text(summary.messages, "message"), plural_text(summary.flows, "flow"),
                  bytes_text(summary.payload_bytes), bytes_text(summary.wire_bytes)));
  text += fact_text("Simulated",
                    fmt::format("{} in {} of {}", time_text(summary.simulated_ns),
                                plural_text(summary.steps, "step"), time_text(summary.dt_ns)));
  text += fact_text("Wall time",
                    fmt::format("{}: set-up {}, solver {}, output {}", wall_text(summary.wall_s),
                                wall_text(summary.setup_wall_s), wall_text(summary.solve_wall_s),
                                wall_text(summary.output_wall_s)));
  text +=
      fact_text("Machine", fmt::format("{} x {}, Kokkos {}", plural_text(summary.ranks, "rank"),
                                       plural_text(summary.threads, "thread"), summary.backend));
  std::string speed = fmt::format("{} hop-updates, {} per second",
                                  large_count_text(static_cast<double>(summary.hop_updates)),
                                  large_count_text(summary.hop_updates_per_s));
  if (summary.awake_frac < 1) {
    speed += fmt::format("; {} of the lanes awake", percent_text(summary.awake_frac));
  }
  if (summary.ranks > 1) {
    speed += fmt::format("; {} and {} per step",
                         plural_text(summary.messages_sent_per_step, "MPI message"),
                         bytes_text(summary.bytes_sent_per_step));
  }
  text += fact_text("Speed", speed);
  text += fact_text("Memory", fmt::format("{} on the largest rank; {} of solver state per hop ({})",
                                          bytes_text(summary.memory_bytes_per_rank_max),
                                          bytes_text(std::round(summary.bytes_per_hop)),
                                          plural_text(summary.hops, "hop")));
  text += fact_text("Output",
                    context.output_path.empty() ? std::string("no file") : context.output_path);
  return text;
}

std::string traffic_text(const RunSummary& summary) {
  if (summary.tiers.empty()) return "";
  TextTable table(
      {{"links", Align::left, true}, {"number"}, {"capacity"}, {"carried"}, {"mean utilisation"}});
  for (const TierResult& tier : summary.tiers) {
    table.add_row({tier.name, count_text(tier.links),
                   format_rate(bytes_per_ns_from_gbps(tier.capacity_gbps)), bytes_text(tier.bytes),
                   percent_text(tier.utilisation_mean_frac)});
  }
  return "\nTraffic by tier\n" + table.text();
}

std::string queues_text(const RunSummary& summary) {
  if (summary.tiers.empty()) return "";
  TextTable table({{"links", Align::left, true},
                   {"peak backlog"},
                   {"on lane", Align::left, true},
                   {"peak occupancy"},
                   {"pauses"},
                   {"time paused"},
                   {"waiting for credits"}});
  bool was_held_back = false;
  for (const TierResult& tier : summary.tiers) {
    table.add_row({tier.name, bytes_text(tier.backlog_peak_bytes),
                   tier.backlog_peak_lane.empty() ? "-" : tier.backlog_peak_lane,
                   bytes_text(tier.occupancy_peak_bytes), count_text(tier.pauses),
                   percent_text(tier.paused_mean_frac),
                   percent_text(tier.credit_stalled_mean_frac)});
    was_held_back = was_held_back || tier.pauses > 0 || tier.paused_mean_frac > 0 ||
                    tier.credit_stalled_mean_frac > 0;
  }
  table.drop_if_blank("on lane", {"-"});
  table.drop_if_blank("pauses", {"0"});
  table.drop_if_blank("time paused", {"0.0 %", "-"});
  table.drop_if_blank("waiting for credits", {"0.0 %", "-"});
  return "\nQueues and flow control by tier\n" + table.text() +
         (was_held_back ? "" : "  No lane was paused and none waited for credits.\n");
}

std::vector<std::string> completion_row(const std::string& name,
                                        const CompletionStatistics& statistics) {
  std::vector<std::string> cells = {name, count_text(statistics.count + statistics.unfinished),
                                    count_text(statistics.unfinished)};
  const bool nothing_finished = statistics.count == 0;
  for (const double ns : {statistics.min_ns, statistics.median_ns, statistics.mean_ns,
                          statistics.p99_ns, statistics.max_ns, statistics.ideal_median_ns}) {
    cells.push_back(nothing_finished ? "-" : time_text(ns));
  }
  cells.push_back(nothing_finished ? "-" : number_text(statistics.slowdown_median));
  return cells;
}

std::vector<std::size_t> groups_to_show(const std::vector<GroupStatistics>& groups) {
  if (groups.size() < 2) return {};  // the only group is all
  std::vector<double> durations;
  for (const GroupStatistics& group : groups) {
    durations.push_back(group.completion.unfinished > 0 ? std::numeric_limits<double>::infinity()
                                                        : group.completion.max_ns);
  }
  return rows_to_show(durations);
}

std::string completion_text(const RunSummary& summary) {
  const CompletionStatistics& all = summary.completion;
  std::string text = "\nCompletion times of messages, from their start to the last byte received\n";
  if (all.count + all.unfinished == 0) return text + "  There were no messages.\n";
  TextTable table({{"group", Align::left, true},
                   {"messages"},
                   {"unfinished"},
                   {"min"},
                   {"median"},
                   {"mean"},
                   {"p99"},
                   {"max"},
                   {"ideal"},
                   {"slowdown"}});
  table.add_row(completion_row("all", all));
  const CompletionStatistics& acknowledged = summary.acknowledged;
  const bool with_acknowledgements = acknowledged.count + acknowledged.unfinished > 0;
  if (with_acknowledgements) table.add_row(completion_row("acknowledged", acknowledged));
  bool has_unfinished = all.unfinished + acknowledged.unfinished > 0;
  for (const std::size_t row : groups_to_show(summary.groups)) {
    const GroupStatistics& group = summary.groups[row];
    table.add_row(completion_row(group.name, group.completion));
    has_unfinished = has_unfinished || group.completion.unfinished > 0;
  }
  // A mean of only those that finished would mislead.
  table.drop(has_unfinished ? "mean" : "unfinished");
  return text + table.text() + left_out_note(summary.groups.size(), "groups") +
         fmt::format(
             "  ideal: alone on the fabric (median)\n"
             "  slowdown: time / ideal (median; of all messages p99 {}, max {})\n",
             number_text(all.slowdown_p99), number_text(all.slowdown_max)) +
         (with_acknowledgements ? "  acknowledged: until the sender has the last acknowledgement\n"
                                : "");
}

std::string collectives_text(const RunSummary& summary) {
  if (summary.collectives.empty()) return "";
  TextTable table({{"name", Align::left, true},
                   {"operation", Align::left, true},
                   {"algorithm", Align::left, true},
                   {"ranks"},
                   {"size"},
                   {"start"},
                   {"time"},
                   {"algbw"},
                   {"busbw"}});
  std::vector<double> durations;
  for (const CollectiveResult& collective : summary.collectives) {
    const double duration = collective.finish_ns - collective.start_ns;
    durations.push_back(std::isnan(duration) ? std::numeric_limits<double>::infinity() : duration);
  }
  for (const std::size_t row : rows_to_show(durations)) {
    const CollectiveResult& collective = summary.collectives[row];
    const bool is_open = std::isnan(collective.finish_ns);
    const auto bandwidth = [&](double value) {
      return is_open || std::isnan(value) ? std::string("-") : number_text(value) + " GB/s";
    };
    table.add_row({collective.name, collective.operation, collective.algorithm,
                   count_text(collective.ranks), bytes_text(collective.bytes),
                   time_text(collective.start_ns),
                   is_open ? "unfinished" : time_text(collective.finish_ns - collective.start_ns),
                   bandwidth(collective.algbw_GBps), bandwidth(collective.busbw_GBps)});
  }
  return "\nCollectives (algbw and busbw as nccl-tests define them)\n" + table.text() +
         left_out_note(summary.collectives.size(), "collectives");
}

std::string bytes_balance_text(const RunSummary& summary) {
  return "\nBytes on the wire\n" +
         wrapped("  ",
                 fmt::format("{} injected = {} delivered + {} queued + {} in flight + {} dropped, "
                             "to within {:.2g} B",
                             bytes_text(summary.injected_bytes),
                             bytes_text(summary.delivered_bytes), bytes_text(summary.queued_bytes),
                             bytes_text(summary.in_flight_bytes), bytes_text(summary.dropped_bytes),
                             std::abs(summary.conservation_error_bytes)));
}

}  // namespace

std::string warnings_text(const std::vector<std::string>& warnings) {
  if (warnings.empty()) return "";
  std::string text = "\nWarnings\n";
  for (const std::string& warning : warnings) text += wrapped("  * ", warning);
  return text;
}

std::string summary_text(const RunSummary& summary, const SummaryContext& context) {
  return head_text(summary, context) + traffic_text(summary) + queues_text(summary) +
         completion_text(summary) + collectives_text(summary) + bytes_balance_text(summary) +
         warnings_text(summary.warnings);
}

}  // namespace tailrace
