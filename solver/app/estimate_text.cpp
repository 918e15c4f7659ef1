// SPDX-License-Identifier: Apache-2.0
// What a run would be, as text for people: what `tailrace run --dry-run` prints.
#include "solver/app/estimate_text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>

#include "solver/app/quantity_text.hpp"
#include "solver/app/summary_text.hpp"
#include "solver/app/text_table.hpp"

namespace tailrace {

namespace {

std::string memory_text(const std::vector<double>& bytes_by_rank) {
  if (bytes_by_rank.empty()) return "unknown";
  const auto [least, most] = std::minmax_element(bytes_by_rank.begin(), bytes_by_rank.end());
  if (bytes_by_rank.size() == 1) return bytes_text(*most) + " on 1 rank";
  const double sum = std::accumulate(bytes_by_rank.begin(), bytes_by_rank.end(), 0.0);
  return fmt::format("{} to {} on each of {} ranks, {} in all (most on rank {})",
                     bytes_text(*least), bytes_text(*most), bytes_by_rank.size(), bytes_text(sum),
                     most - bytes_by_rank.begin());
}

}  // namespace

std::string estimate_text(const Estimate& estimate, const EstimateContext& context) {
  const double time_limit_ns = static_cast<double>(estimate.max_steps) * estimate.dt_ns;
  std::string text =
      fmt::format("{}: {} (dry run: nothing is simulated)\n\n", context.version, context.deck_path);
  text += fact_text("Fabric", fmt::format("{}, {}, {} (two per cable)",
                                          plural_text(estimate.endpoints, "endpoint"),
                                          plural_text(estimate.switches, "switch", "switches"),
                                          plural_text(estimate.links, "link")));
  text += fact_text(
      "Workload",
      fmt::format("{} on {}, {} of payload", plural_text(estimate.messages, "message"),
                  plural_text(estimate.flows, "flow"), bytes_text(estimate.payload_bytes)));
  text += fact_text(
      "State", plural_text(estimate.hops, "hop") + " in " + plural_text(estimate.lanes, "lane"));
  text += fact_text(
      "Steps", fmt::format("of {}; at most {} to the time limit, {}", time_text(estimate.dt_ns),
                           count_text(estimate.max_steps), time_text(time_limit_ns)));
  text += fact_text("Memory", memory_text(estimate.memory_bytes_by_rank));
  text += fact_text("Output",
                    context.output_path.empty()
                        ? std::string("no file")
                        : fmt::format("{}, at most {} before compression", context.output_path,
                                      bytes_text(estimate.output_bytes_max)));
  return text + warnings_text(estimate.warnings);
}

}  // namespace tailrace
