// SPDX-License-Identifier: Apache-2.0
// Fat-trees of one to three tiers: from a few numbers to ports, counts, ids and the graph.
#include "topology/fat_tree.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "solver/base/faults.hpp"
#include "topology/graph.hpp"

namespace tailrace {

namespace {

constexpr std::int32_t largest_radix = 65536;
// Ids of links are 32 bits wide, two to a cable.
constexpr std::int64_t largest_cables = std::numeric_limits<std::int32_t>::max() / 2;

struct Ports {
  std::int32_t down = 0, up = 0;  // down 0: no split of the radix gives the oversubscription
};

// See FatTreeShape::oversubscription.
Ports split_ports(std::int32_t radix, double oversubscription) {
  const double rounding = 1e-9;
  for (std::int32_t down = radix - 1; down >= 1; --down) {
    const double exact = static_cast<double>(down) / oversubscription;
    if (exact > radix) continue;
    const auto up = std::max(1, static_cast<std::int32_t>(std::ceil(exact - rounding)));
    if (down + up <= radix) return {down, up};
  }
  return {};
}

std::int64_t largest_tree(const FatTreeShape& shape, std::int32_t tiers, Ports leaf, Ports spine) {
  const std::int64_t radix = shape.radix;
  if (tiers == 1) return radix;
  if (tiers == 2) return leaf.down * radix;
  return static_cast<std::int64_t>(leaf.down) * spine.down * radix;
}

void check_oversubscription(const FatTreeShape& shape, Faults& faults) {
  const double most = std::max(1, shape.radix - 1);
  const char* levels[] = {"leaf", "spine"};
  for (std::size_t level = 0; level < 2; ++level) {
    const double value = shape.oversubscription[level];
    if (value >= 1.0 / most && value <= most) continue;
    faults.add(shape.oversubscription_mark, "",
               fmt::format("oversubscription of the {} level is {:g}; with {} ports per switch it "
                           "must be between {:g} and {:g} (downlinks to uplinks)",
                           levels[level], value, shape.radix, 1.0 / most, most));
  }
  if (shape.tiers == 1 && shape.oversubscription[0] != 1.0) {
    faults.add(shape.oversubscription_mark, "",
               "oversubscription needs uplinks, and a fat-tree of 1 tier has none; leave it out or "
               "set tiers to 2, 3 or auto");
  }
  if ((shape.tiers == 1 || shape.tiers == 2) && shape.oversubscription[1] != 1.0) {
    faults.add(shape.oversubscription_mark, "",
               fmt::format("oversubscription of the spine level needs cores, and a fat-tree of {} "
                           "tier{} has none; leave it out or set tiers to 3 or auto",
                           shape.tiers, shape.tiers == 1 ? "" : "s"));
  }
}

void check_shape(const FatTreeShape& shape) {
  Faults faults;
  if (shape.tiers < 0 || shape.tiers > 3) {
    faults.add(shape.mark, "",
               fmt::format("tiers is {}; allowed are 1, 2, 3 and auto", shape.tiers));
  }
  const std::int32_t smallest_radix = shape.tiers == 1 ? 1 : 2;
  if (shape.radix < smallest_radix || shape.radix > largest_radix) {
    faults.add(shape.radix_mark, "",
               fmt::format("radix is {}; allowed are {} to {} ports per switch", shape.radix,
                           smallest_radix, largest_radix));
  } else {
    check_oversubscription(shape, faults);
  }
  if (shape.endpoints < 1) {
    faults.add(shape.endpoints_mark, "",
               fmt::format("endpoints is {}; a fabric has at least 1", shape.endpoints));
  }
  faults.throw_if_any();
}

void check_links(const FatTreeShape& shape, std::int32_t tiers) {
  Faults faults;
  const char* levels[] = {"endpoint-leaf", "leaf-spine", "spine-core"};
  for (std::size_t level = 0; level < static_cast<std::size_t>(tiers); ++level) {
    const double capacity = shape.capacity_bytes_per_ns[level];
    const double latency = shape.latency_ns[level];
    if (!(capacity > 0) || !std::isfinite(capacity)) {
      faults.add(shape.mark, "",
                 fmt::format("capacity of the {} links must be positive", levels[level]));
    }
    if (!(latency > 0) || !std::isfinite(latency)) {
      faults.add(shape.mark, "",
                 fmt::format("latency of the {} links must be positive", levels[level]));
    }
  }
  faults.throw_if_any();
}

[[noreturn]] void throw_too_many(const FatTreeShape& shape, const std::int64_t (&largest)[4]) {
  const char* remedy = "use a larger radix or fewer endpoints";
  if (shape.tiers == 1 || shape.tiers == 2) {
    remedy = "use more tiers (or auto), a larger radix or fewer endpoints";
  }
  const std::int32_t tiers = shape.tiers == 0 ? 3 : shape.tiers;
  Faults faults;
  faults.add(
      shape.endpoints_mark, "",
      fmt::format("{} endpoints do not fit a fat-tree of {} tier{} with radix {}: the largest "
                  "possible has {}; {}",
                  shape.endpoints, tiers, tiers == 1 ? "" : "s", shape.radix, largest[tiers],
                  remedy));
  faults.throw_if_any();
  throw TailraceError("unreachable");
}

std::int32_t divide_up(std::int64_t a, std::int64_t b) {
  return static_cast<std::int32_t>((a + b - 1) / b);
}

// Refuses trees whose links cannot be numbered.
void check_size(const FatTreeShape& shape, Ports leaf, Ports spine) {
  const std::int64_t leaves = (shape.endpoints + leaf.down - 1) / std::max(1, leaf.down);
  const std::int64_t pods = (leaves + spine.down - 1) / std::max(1, spine.down);
  const double cables = static_cast<double>(shape.endpoints) +
                        static_cast<double>(leaves) * leaf.up +
                        static_cast<double>(pods) * leaf.up * spine.up;
  if (cables <= static_cast<double>(largest_cables)) return;
  Faults faults;
  faults.add(shape.endpoints_mark, "",
             fmt::format("a fabric of {} endpoints has {:.3g} cables; at most {} can be numbered",
                         shape.endpoints, cables, largest_cables));
  faults.throw_if_any();
}

// Counts of switches once tiers and ports are known.
void count_switches(FatTreePlan& plan) {
  if (plan.tiers == 1) {
    plan.leaf_down = plan.radix;
    plan.leaf_up = plan.spine_up = 0;
    plan.spine_down = 1;
    plan.leaves = plan.pods = 1;
    return;
  }
  if (plan.tiers == 2) {
    plan.spine_down = plan.radix;
    plan.spine_up = 0;
  }
  plan.leaves = divide_up(plan.endpoints, plan.leaf_down);
  plan.pods = divide_up(plan.leaves, plan.spine_down);
  plan.spines = plan.pods * plan.leaf_up;
  plan.cores = plan.leaf_up * plan.spine_up;
}

void add_nodes(const FatTreePlan& plan, Graph& graph) {
  const std::int32_t counts[] = {plan.endpoints, plan.leaves, plan.spines, plan.cores};
  const auto total = static_cast<std::size_t>(plan.core(plan.cores).value);
  graph.node_kind.assign(total, NodeKind::switch_);
  std::fill_n(graph.node_kind.begin(), plan.endpoints, NodeKind::endpoint);
  graph.node_tier.reserve(total);
  graph.tier_first_node = {0};
  for (std::int32_t tier = 0; tier <= plan.tiers; ++tier) {
    graph.node_tier.insert(graph.node_tier.end(), static_cast<std::size_t>(counts[tier]),
                           static_cast<std::int8_t>(tier));
    graph.tier_first_node.push_back(graph.tier_first_node.back() + counts[tier]);
  }
  graph.node_pod.assign(total, -1);
  auto pod = graph.node_pod.begin();
  for (std::int32_t l = 0; l < plan.leaves; ++l) {
    pod = std::fill_n(pod, plan.endpoints_of_leaf(l), plan.pod_of_leaf(l));
  }
  for (std::int32_t l = 0; l < plan.leaves; ++l) *pod++ = plan.pod_of_leaf(l);
  for (std::int32_t s = 0; s < plan.spines; ++s) *pod++ = s / plan.spines_per_pod();
}

// Adds cables in the order that FatTreePlan's link ids count on.
class CableWriter {
 public:
  CableWriter(const FatTreeShape& shape, std::int32_t cables, Graph& graph)
      : shape_(shape), graph_(graph) {
    const std::size_t links = 2 * static_cast<std::size_t>(cables);
    graph.link_source.resize(links);
    graph.link_target.resize(links);
    graph.link_capacity_bytes_per_ns.resize(links);
    graph.link_latency_ns.resize(links);
  }

  void add(NodeId lower, NodeId upper, std::size_t level) {
    graph_.link_source[next_] = graph_.link_target[next_ + 1] = lower;
    graph_.link_target[next_] = graph_.link_source[next_ + 1] = upper;
    for (int direction = 0; direction < 2; ++direction, ++next_) {
      graph_.link_capacity_bytes_per_ns[next_] = shape_.capacity_bytes_per_ns[level];
      graph_.link_latency_ns[next_] = shape_.latency_ns[level];
    }
  }

 private:
  const FatTreeShape& shape_;
  Graph& graph_;
  std::size_t next_ = 0;  // link
};

void add_links(const FatTreeShape& shape, const FatTreePlan& plan, Graph& graph) {
  CableWriter cables(shape, plan.cable_count(), graph);
  for (std::int32_t e = 0; e < plan.endpoints; ++e) {
    cables.add(NodeId{e}, plan.leaf(plan.leaf_of(NodeId{e})), 0);
  }
  for (std::int32_t l = 0; l < plan.leaves; ++l) {
    const std::int32_t first_spine = plan.pod_of_leaf(l) * plan.spines_per_pod();
    for (std::int32_t port = 0; port < plan.leaf_up; ++port) {
      cables.add(plan.leaf(l), plan.spine(first_spine + port), 1);
    }
  }
  for (std::int32_t s = 0; s < plan.spines; ++s) {
    const std::int32_t in_pod = s % plan.spines_per_pod();
    for (std::int32_t port = 0; port < plan.spine_up; ++port) {
      cables.add(plan.spine(s), plan.core(port * plan.spines_per_pod() + in_pod), 2);
    }
  }
}

}  // namespace

std::int32_t FatTreePlan::endpoints_of_leaf(std::int32_t index) const {
  return std::min(leaf_down, endpoints - index * leaf_down);
}

FatTreePlan plan_fat_tree(const FatTreeShape& shape) {
  check_shape(shape);
  const Ports leaf = split_ports(shape.radix, shape.oversubscription[0]);
  const Ports spine = split_ports(shape.radix, shape.oversubscription[1]);
  std::int64_t largest[4] = {};
  for (std::int32_t tiers = 1; tiers <= 3; ++tiers) {
    largest[tiers] = largest_tree(shape, tiers, leaf, spine);
  }
  FatTreePlan plan;
  plan.tiers = shape.tiers;
  if (plan.tiers == 0) {
    plan.tiers = 1;
    while (plan.tiers < 3 && shape.endpoints > largest[plan.tiers]) ++plan.tiers;
  }
  if (shape.endpoints > largest[plan.tiers]) throw_too_many(shape, largest);
  check_size(shape, leaf, spine);
  plan.radix = shape.radix;
  plan.endpoints = static_cast<std::int32_t>(shape.endpoints);
  plan.leaf_down = leaf.down;
  plan.leaf_up = leaf.up;
  plan.spine_down = spine.down;
  plan.spine_up = spine.up;
  plan.largest = largest[plan.tiers];
  count_switches(plan);
  return plan;
}

Graph build_fat_tree(const FatTreeShape& shape) {
  const FatTreePlan plan = plan_fat_tree(shape);
  check_links(shape, plan.tiers);
  Graph graph;
  graph.endpoint_count = plan.endpoints;
  graph.tier_count = plan.tiers;
  graph.pod_count = plan.pods;
  add_nodes(plan, graph);
  add_links(shape, plan, graph);
  graph.build_rows();
  graph.fat_tree = plan;
  return graph;
}

}  // namespace tailrace
