// SPDX-License-Identifier: Apache-2.0
// Says for people what a fabric is: tiers, cables, oversubscription, bisection and oddities.
#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <map>
#include <numeric>
#include <set>

#include "solver/base/units.hpp"
#include "topology/fabric.hpp"
#include "topology/metis_partition.hpp"
#include "topology/up_down.hpp"

namespace tailrace {

namespace {

std::size_t at(std::int32_t i) { return static_cast<std::size_t>(i); }

// "10,000"
std::string grouped(std::int64_t number) {
  std::string text = std::to_string(number);
  for (auto i = static_cast<std::int64_t>(text.size()) - 3; i > 0; i -= 3) {
    text.insert(static_cast<std::size_t>(i), ",");
  }
  return text;
}

std::string counted(std::int64_t number, const std::string& word) {
  const bool sibilant = word.ends_with("h");
  return grouped(number) + " " + word + (number == 1 ? "" : sibilant ? "es" : "s");
}

// Smallest and largest of what was seen.
template <class Number>
struct Range {
  Number low = std::numeric_limits<Number>::max(), high = std::numeric_limits<Number>::lowest();
  void see(Number x) {
    low = std::min(low, x);
    high = std::max(high, x);
  }
  bool empty() const { return low > high; }
};

std::string text_of(const Range<std::int32_t>& range) {
  if (range.empty()) return "0";
  return range.low == range.high ? fmt::format("{}", range.low)
                                 : fmt::format("{} to {}", range.low, range.high);
}

struct TierFacts {
  std::int32_t nodes = 0;
  Range<std::int32_t> down, up, peers, ports;  // cables per node
  Range<double> oversubscription;              // capacity down over capacity up, per switch
};

struct CableFacts {
  std::int64_t cables = 0;
  std::map<double, std::int64_t> capacities, latencies;  // how many cables of each
};

struct Facts {
  std::vector<TierFacts> tiers;               // [tier_count + 1]
  std::map<std::int32_t, CableFacts> cables;  // by tier of the upward link
};

Facts collect(const Graph& graph) {
  Facts facts;
  facts.tiers.resize(at(graph.tier_count + 1));
  for (std::int32_t n = 0; n < graph.node_count(); ++n) {
    const auto tier = graph.node_tier[at(n)];
    TierFacts& seen = facts.tiers[at(tier)];
    std::int32_t down = 0, up = 0, peers = 0;
    double down_capacity = 0, up_capacity = 0;
    for (const LinkId l : graph.links_from(NodeId{n})) {
      const auto other = graph.node_tier[at(graph.link_target[at(l.value)].value)];
      const double capacity = graph.link_capacity_bytes_per_ns[at(l.value)];
      (other > tier ? up : other < tier ? down : peers) += 1;
      if (other > tier) up_capacity += capacity;
      if (other < tier) down_capacity += capacity;
    }
    ++seen.nodes;
    seen.down.see(down);
    seen.up.see(up);
    seen.peers.see(peers);
    seen.ports.see(down + up + peers);
    if (tier > 0 && up > 0) seen.oversubscription.see(down_capacity / up_capacity);
  }
  for (std::int32_t l = 0; l < graph.link_count(); l += 2) {
    CableFacts& seen = facts.cables[graph.link_tier(LinkId{l})];
    ++seen.cables;
    ++seen.capacities[graph.link_capacity_bytes_per_ns[at(l)]];
    ++seen.latencies[graph.link_latency_ns[at(l)]];
  }
  return facts;
}

std::string headline(const Graph& graph) {
  const std::int32_t switches = graph.node_count() - graph.endpoint_count;
  const std::string counts =
      fmt::format("{}, {}, {}", counted(graph.endpoint_count, "endpoint"),
                  counted(switches, "switch"), counted(graph.link_count() / 2, "cable"));
  if (!graph.fat_tree) {
    return fmt::format("graph of {}: {}\n", counted(graph.tier_count, "tier"), counts);
  }
  const FatTreePlan& plan = *graph.fat_tree;
  std::string text = fmt::format("fat-tree of {} of {}-port switches: {}\n",
                                 counted(plan.tiers, "tier"), plan.radix, counts);
  text += fmt::format("room for {}", counted(plan.largest, "endpoint"));
  if (plan.tiers == 3) text += fmt::format("; {} of {} pods built", plan.pods, plan.radix);
  return text + "\n";
}

std::string tier_table(const Graph& graph, const Facts& facts) {
  std::string text = fmt::format("\n{:<10}{:>9}  {}\n", "tier", "nodes", "cables per node");
  for (std::int32_t tier = 0; tier <= graph.tier_count; ++tier) {
    const TierFacts& seen = facts.tiers[at(tier)];
    std::string ports;
    const auto append = [&](const Range<std::int32_t>& range, const char* direction) {
      if (range.empty() || range.high == 0) return;
      ports += fmt::format("{}{} {}", ports.empty() ? "" : ", ", text_of(range), direction);
    };
    append(seen.down, "down");
    append(seen.peers, "across");
    append(seen.up, "up");
    if (graph.fat_tree && tier > 0) ports += fmt::format(" (of {} ports)", graph.fat_tree->radix);
    text += fmt::format("{:<10}{:>9}  {}\n", graph.tier_name(tier), grouped(seen.nodes), ports);
  }
  return text;
}

// "200 Gbps", or "100 Gbps to 200 Gbps".
template <class Format>
std::string span_of(const std::map<double, std::int64_t>& values, Format format) {
  const std::string low = format(values.begin()->first), high = format(values.rbegin()->first);
  return values.size() == 1 ? low : low + " to " + high;
}

std::string cable_table(const Graph& graph, const Facts& facts) {
  const std::vector<std::string> names = graph.link_tier_names();
  std::string text =
      fmt::format("\n{:<16}{:>9}  {:<24}{}\n", "cables", "count", "capacity", "latency");
  for (const auto& [tier, seen] : facts.cables) {
    text +=
        fmt::format("{:<16}{:>9}  {:<24}{}\n", names[at(tier)], grouped(seen.cables),
                    span_of(seen.capacities, format_rate), span_of(seen.latencies, format_time_ns));
  }
  return text;
}

std::string ratio(double value) { return fmt::format("{:.3g}:1", value); }

std::string oversubscription_line(const Graph& graph, const Facts& facts) {
  std::string levels;
  for (std::int32_t tier = 1; tier <= graph.tier_count; ++tier) {
    const Range<double>& seen = facts.tiers[at(tier)].oversubscription;
    if (seen.empty()) continue;
    const bool differs = seen.high > seen.low * (1 + 1e-9);
    levels += fmt::format("{}{} {}{}", levels.empty() ? "" : ", ", graph.tier_name(tier),
                          differs ? ratio(seen.low) + " to " : "", ratio(seen.high));
  }
  return fmt::format("oversubscription  {}  (capacity down to capacity up, per switch)\n",
                     levels.empty() ? "no uplinks" : levels);
}

// Half of the narrowest level's capacity, one way: what two halves of the pods (leaves, endpoints)
// can send each other.
double tree_bisection(const Graph& graph) {
  const FatTreePlan& plan = *graph.fat_tree;
  const std::int32_t counts[] = {plan.endpoints, plan.leaves * plan.leaf_up,
                                 plan.spines * plan.spine_up};
  // A level that no route of the tree needs does not narrow it.
  const int levels = plan.pods > 1 ? 3 : plan.leaves > 1 ? 2 : 1;
  double narrowest = std::numeric_limits<double>::max();
  std::int32_t first_cable = 0;
  for (int level = 0; level < levels; ++level) {
    const double capacity = graph.link_capacity_bytes_per_ns[at(2 * first_cable)];
    narrowest = std::min(narrowest, counts[level] * capacity);
    first_cable += counts[level];
  }
  return narrowest / 2;
}

// What the best cut found by METIS lets through, one way.
double graph_bisection(const Graph& graph) {
  std::vector<std::int64_t> weight(graph.node_kind.size(), 0);
  std::fill(weight.begin(), weight.begin() + graph.endpoint_count, 1);
  const auto half = metis_partition(graph, 2, weight, true);
  double capacity = 0;
  for (std::int32_t l = 0; l < graph.link_count(); ++l) {
    const auto from = at(graph.link_source[at(l)].value), to = at(graph.link_target[at(l)].value);
    if (half[from] == 0 && half[to] == 1) capacity += graph.link_capacity_bytes_per_ns[at(l)];
  }
  return capacity;
}

std::string bisection_line(const Graph& graph) {
  if (graph.endpoint_count < 2) return {};
  if (graph.fat_tree) {
    return fmt::format("bisection         {} each way\n", format_rate(tree_bisection(graph)));
  }
  return fmt::format("bisection         at most {} each way (the narrowest cut that was found)\n",
                     format_rate(graph_bisection(graph)));
}

struct Reach {
  std::int32_t longest = 0;     // hops
  std::int64_t unroutable = 0;  // ordered pairs
  std::string example;
  bool sampled = false;
};

Reach find_reach(const Graph& graph) {
  // Looking at all targets of a large graph would take minutes.
  constexpr std::int32_t most_pairs = 4'000'000;
  const std::int32_t endpoints = graph.endpoint_count;
  const std::int32_t step =
      static_cast<std::int32_t>(std::int64_t{endpoints} * endpoints / most_pairs) + 1;
  const UpDownRoutes routes(graph);
  Reach reach;
  reach.sampled = step > 1;
  for (std::int32_t target = 0; target < endpoints; target += step) {
    for (std::int32_t source = 0; source < endpoints; ++source) {
      if (source == target) continue;
      const auto hops = routes.hops(NodeId{source}, NodeId{target});
      if (hops) {
        reach.longest = std::max(reach.longest, *hops);
      } else if (reach.unroutable++ == 0) {
        reach.example = graph.node_name(NodeId{source}) + " to " + graph.node_name(NodeId{target});
      }
    }
  }
  return reach;
}

std::string longest_route_line(const Graph& graph, const Reach& reach) {
  if (graph.endpoint_count < 2) return {};
  return fmt::format("longest route     {}{}\n", reach.sampled ? "at least " : "",
                     counted(reach.longest, "hop"));
}

void tree_oddities(const FatTreePlan& plan, std::vector<std::string>& oddities) {
  const auto unused = [&](const char* tier, std::int32_t used) {
    if (used >= plan.radix) return;
    oddities.push_back(fmt::format("every {} leaves {} of its {} ports unused", tier,
                                   plan.radix - used, plan.radix));
  };
  const std::int32_t last = plan.endpoints_of_leaf(plan.leaves - 1);
  if (last < plan.leaf_down) {
    oddities.push_back(fmt::format("partial leaf: leaf{} has {} of {} endpoints", plan.leaves - 1,
                                   last, plan.leaf_down));
  }
  if (plan.tiers > 1) unused("leaf", plan.leaf_down + plan.leaf_up);
  if (plan.tiers == 2) unused("spine", plan.leaves);
  if (plan.tiers < 3) return;
  const std::int32_t last_leaves = plan.leaves - (plan.pods - 1) * plan.leaves_per_pod();
  if (last_leaves < plan.leaves_per_pod()) {
    oddities.push_back(fmt::format("partial pod: pod {} has {} of {} leaves", plan.pods - 1,
                                   last_leaves, plan.leaves_per_pod()));
  }
  unused("spine", plan.spine_down + plan.spine_up);
  unused("core", plan.pods);
}

void mixed_cables(const Graph& graph, const Facts& facts, std::vector<std::string>& oddities) {
  const std::vector<std::string> names = graph.link_tier_names();
  const auto mixed = [&](std::int32_t tier, const auto& values, const char* what, auto format) {
    if (values.size() < 2) return;
    std::string list;
    int listed = 0;
    for (const auto& [value, cables] : values) {
      if (++listed > 4) break;
      list += fmt::format("{}{} x {}", list.empty() ? "" : ", ", grouped(cables), format(value));
    }
    oddities.push_back(fmt::format("mixed {} of {} cables: {}{}", what, names[at(tier)], list,
                                   values.size() > 4 ? ", ..." : ""));
  };
  for (const auto& [tier, seen] : facts.cables) {
    mixed(tier, seen.capacities, "capacities", format_rate);
    mixed(tier, seen.latencies, "latencies", format_time_ns);
  }
}

void graph_oddities(const Graph& graph, const Facts& facts, std::vector<std::string>& oddities) {
  for (std::int32_t tier = 0; tier <= graph.tier_count; ++tier) {
    const TierFacts& seen = facts.tiers[at(tier)];
    if (seen.up.low != seen.up.high) {
      oddities.push_back(fmt::format("asymmetric uplinks: {} nodes have {} each",
                                     graph.tier_name(tier), text_of(seen.up)));
    }
    if (seen.peers.high > 0) {
      oddities.push_back(fmt::format("cables across: {} nodes are joined among themselves",
                                     graph.tier_name(tier)));
    }
  }
  std::int64_t doubled = 0, dead = 0;
  std::string pair, end;
  for (std::int32_t n = 0; n < graph.node_count(); ++n) {
    std::map<std::int32_t, std::int32_t> cables;
    for (const LinkId l : graph.links_from(NodeId{n})) {
      ++cables[graph.link_target[at(l.value)].value];
    }
    const std::string name = graph.node_name(NodeId{n});
    for (const auto& [to, count] : cables) {
      if (count < 2 || to < n || doubled++ > 0) continue;
      pair = fmt::format("{} and {} by {}", name, graph.node_name(NodeId{to}), count);
    }
    if (cables.size() < 2 && !graph.is_endpoint(NodeId{n}) && dead++ == 0) end = name;
  }
  if (doubled > 0) {
    oddities.push_back(
        fmt::format("parallel cables between {} of nodes ({})", counted(doubled, "pair"), pair));
  }
  if (dead > 0) {
    oddities.push_back(
        fmt::format("dead ends: {} with one neighbour only ({})", counted(dead, "switch"), end));
  }
}

}  // namespace

std::string describe_fabric(const Graph& graph) {
  const Facts facts = collect(graph);
  Reach reach;
  std::vector<std::string> oddities;
  if (graph.fat_tree) {
    const FatTreePlan& plan = *graph.fat_tree;
    reach.longest = plan.pods > 1 ? 6 : plan.leaves > 1 ? 4 : 2;
    tree_oddities(plan, oddities);
  } else {
    reach = find_reach(graph);
    graph_oddities(graph, facts, oddities);
    if (reach.unroutable > 0) {
      oddities.push_back(fmt::format("no up-down route for {} of endpoints ({})",
                                     counted(reach.unroutable, "pair"), reach.example));
    }
  }
  mixed_cables(graph, facts, oddities);
  std::string text = headline(graph) + tier_table(graph, facts) + cable_table(graph, facts) + "\n" +
                     oversubscription_line(graph, facts) + bisection_line(graph) +
                     longest_route_line(graph, reach);
  text += oddities.empty() ? "oddities          none\n" : "oddities\n";
  for (const std::string& oddity : oddities) text += "  " + oddity + "\n";
  return text;
}

}  // namespace tailrace
