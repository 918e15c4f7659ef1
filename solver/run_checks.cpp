// SPDX-License-Identifier: Apache-2.0
// Checks of buffers, conservation and losslessness, and the warnings of a run.
#include "solver/run_checks.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>

#include "solver/base/units.hpp"

namespace tailrace {

void check_buffers(const Graph& graph, const Deck& deck, const RunSettings& settings) {
  if (settings.flow_control != FlowControl::pfc) {
    return;
  }
  std::vector<double> needed(static_cast<std::size_t>(graph.node_count()), 0);
  std::vector<std::int32_t> ports(needed.size(), 0);
  for (std::size_t l = 0; l < graph.link_target.size(); ++l) {
    const auto target = static_cast<std::size_t>(graph.link_target[l].value);
    ++ports[target];
    needed[target] +=
        settings.class_count() *
        (settings.xoff_bytes + settings.lane_headroom_bytes(graph.link_capacity_bytes_per_ns[l],
                                                            graph.link_latency_ns[l]));
  }
  for (std::int32_t n = graph.endpoint_count; n < graph.node_count(); ++n) {
    const auto node = static_cast<std::size_t>(n);
    if (needed[node] > settings.shared_buffer_bytes) {
      throw InputError(
          deck.mark("fabric.switch.shared_buffer"),
          fmt::format("fabric.switch.shared_buffer: {} are too few for {}: {} ports x {} classes x "
                      "(XOFF {} + headroom) are {}; lower fabric.switch.pfc.xoff or give more "
                      "memory",
                      format_bytes(settings.shared_buffer_bytes), graph.node_name(NodeId{n}),
                      ports[node], settings.class_count(), format_bytes(settings.xoff_bytes),
                      format_bytes(needed[node])));
    }
  }
}

void check_conservation(const Sampler& sampler, const FixedPoint& unit) {
  const ByteTotals& totals = sampler.totals();
  const double error = std::abs(unit.bytes(sampler.conservation_error()));
  const double allowed = 1 + 1e-12 * unit.bytes(totals.injected);
  TAILRACE_REQUIRE(error <= allowed && totals.between >= 0,
                   fmt::format("bytes are not conserved: injected {} B, delivered {} B, between {} "
                               "B; please report this deck",
                               unit.bytes(totals.injected), unit.bytes(totals.delivered),
                               unit.bytes(totals.between)));
}

void check_losslessness(const Sampler& sampler, const RunSettings& settings) {
  TAILRACE_REQUIRE(settings.headroom_bytes >= 0 || sampler.dropped_bytes() == 0,
                   fmt::format("a lossless lane with the computed headroom ran over by {}: {}; "
                               "please report this deck",
                               format_bytes(sampler.dropped_bytes()), sampler.worst_loss_lane()));
}

double wire_bytes_here(const Layout& layout) {
  const ArrivalTable& arrivals = layout.arrivals;
  double bytes = 0;
  for (std::size_t a = 0; a < arrivals.flow.size(); ++a) {
    if (arrivals.message_begin[a + 1] > arrivals.message_begin[a]) {
      bytes += arrivals.wire_end_bytes[static_cast<std::size_t>(arrivals.message_begin[a + 1] - 1)];
    }
  }
  return bytes;
}

std::vector<std::int64_t> choose_flows(const OutputSettings& output, const Workload& workload,
                                       const Graph& graph) {
  std::vector<std::int64_t> chosen;
  const std::int64_t flows = workload.flow_count();
  for (std::size_t i = 0; i < output.flow_texts.size(); ++i) {
    const std::string& text = output.flow_texts[i];
    const std::size_t before = chosen.size();
    if (const std::size_t arrow = text.find("->"); arrow != std::string::npos) {
      const NodeId source = graph.find_node(text.substr(0, arrow));
      const NodeId target = graph.find_node(text.substr(arrow + 2));
      for (std::int64_t f = 0; source.valid() && target.valid() && f < flows; ++f) {
        const FlowSpec spec = workload.flow(FlowId{f});
        if (spec.source == source && spec.target == target) {
          chosen.push_back(f);
        }
      }
    } else {
      char* end = nullptr;
      const long long number = std::strtoll(text.c_str(), &end, 10);
      if (end != text.c_str() && *end == '\0' && number >= 0 && number < flows) {
        chosen.push_back(number);
      }
    }
    if (chosen.size() == before) {
      throw InputError(output.flow_marks[i],
                       fmt::format("output.flows.list: there is no flow '{}'; write a number from "
                                   "0 to {} or the two ends as in e0->e5",
                                   text, flows - 1));
    }
  }
  std::sort(chosen.begin(), chosen.end());
  chosen.erase(std::unique(chosen.begin(), chosen.end()), chosen.end());
  return chosen;
}

double output_bytes_bound(const OutputSettings& output, const RunSettings& settings,
                          const WorkloadSize& size, const Graph& graph, std::int64_t lane_slots) {
  const double samples =
      output.interval_ns > 0 ? std::ceil(settings.time_limit_ns / output.interval_ns) : 0;
  const double kept_flows = output.flows == OutputSettings::Flows::all
                                ? static_cast<double>(size.flows)
                                : static_cast<double>(output.flow_texts.size());
  const double fields = 7;
  double bytes = samples * (static_cast<double>(lane_slots) * (8 + 4 * fields) + 4 * kept_flows +
                            8 * 5 * static_cast<double>(graph.link_tier_names().size()) + 56);
  constexpr double flow_row = 41 + 6 * 4 + 8, message_row = 44, node_row = 60, link_row = 25;
  bytes += static_cast<double>(size.flows) * flow_row;
  if (output.message_every > 0) {
    bytes += static_cast<double>(size.messages / output.message_every) * message_row;
  }
  return bytes + graph.node_count() * node_row + graph.link_count() * link_row;
}

void add_run_warnings(RunSummary& summary, const Sampler& sampler, const OutputSettings& output) {
  std::vector<std::string>& warnings = summary.warnings;
  if (summary.time_limit_reached) {
    warnings.push_back(fmt::format(
        "the time limit of {} was reached with {} of {} messages unfinished: raise run.time_limit",
        format_time_ns(summary.simulated_ns), summary.completion.unfinished, summary.messages));
  }
  if (summary.stopped) {
    warnings.push_back(fmt::format(
        "stopped by a signal at {} with {} of {} messages unfinished; the output holds what there "
        "was until then",
        format_time_ns(summary.simulated_ns), summary.completion.unfinished, summary.messages));
  }
  if (summary.dropped_bytes > 0) {
    warnings.push_back(
        fmt::format("{} came above XOFF and headroom: with fabric.switch.pfc.headroom as given the "
                    "fabric is not lossless (the bytes are counted and carried on all the same)",
                    format_bytes(summary.dropped_bytes)));
  }
  if (output.interval_ns > 0 && output.lanes != OutputSettings::Lanes::none &&
      sampler.lanes_left_out() > 0) {
    warnings.push_back(
        fmt::format("series of {} lanes that carry flows are not kept "
                    "(output.lanes)",
                    sampler.lanes_left_out()));
  }
}

}  // namespace tailrace
