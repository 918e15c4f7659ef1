// SPDX-License-Identifier: Apache-2.0
// Builds a graph from nodes and cables named one by one or by group, and checks it.
#include "topology/graph_builder.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <unordered_map>

#include "solver/base/faults.hpp"
#include "solver/base/numbers.hpp"
#include "solver/base/parameters.hpp"

namespace tailrace {

namespace {

constexpr std::int64_t largest_nodes = 10'000'000;
constexpr std::int64_t largest_cables = 100'000'000;
// Looking for the name that was meant costs a pass over all names; a file of nonsense must not
// cost a million passes.
constexpr int most_suggestions = 50;

std::size_t at(std::int32_t i) { return static_cast<std::size_t>(i); }

// Consecutive node ids.
struct Members {
  std::int32_t first = 0, count = 0;
};

class GraphBuilder {
 public:
  explicit GraphBuilder(const GraphShape& shape) : shape_(shape) {}

  Graph build() {
    if (shape_.endpoints.empty()) {
      faults_.add(shape_.mark, "", "the graph has no endpoints; name at least one");
    }
    for (const auto& nodes : shape_.endpoints) add_nodes(nodes, NodeKind::endpoint);
    graph_.endpoint_count = graph_.node_count();
    for (const auto& nodes : shape_.switches) add_nodes(nodes, NodeKind::switch_);
    index_names();
    for (const auto& cable : shape_.cables) add_cables(cable);
    faults_.throw_if_any();
    graph_.node_pod.assign(graph_.node_kind.size(), -1);
    graph_.build_rows();
    set_tiers();
    check_connected();
    faults_.throw_if_any();
    turn_cables_up();
    return std::move(graph_);
  }

 private:
  void add_nodes(const GraphShape::Nodes& nodes, NodeKind kind);
  void add_name(const std::string& name, Members members, const Mark& mark);
  void index_names();
  void add_cables(const GraphShape::Cable& cable);
  bool check_cable(const GraphShape::Cable& cable);
  bool check_ends(const GraphShape::Cable& cable, Members a, Members b);
  const Members* find_end(const std::string& name, const Mark& mark);
  void add_cable(NodeId a, NodeId b, const GraphShape::Cable& cable);
  void set_tiers();
  void check_connected();
  void turn_cables_up();

  const GraphShape& shape_;
  Graph graph_;
  Faults faults_;
  std::unordered_map<std::string, Members> names_;  // nodes and groups
  std::int64_t cables_ = 0;
  int suggestions_ = 0;
};

void GraphBuilder::add_name(const std::string& name, Members members, const Mark& mark) {
  if (name.empty()) {
    faults_.add(mark, "", "a node needs a name");
  } else if (!names_.emplace(name, members).second) {
    faults_.add(mark, "",
                fmt::format("the name {} is given twice; names of endpoints, switches and groups "
                            "must all differ (a group S of 8 names S and S0 to S7)",
                            quoted(name)));
  }
}

void GraphBuilder::add_nodes(const GraphShape::Nodes& nodes, NodeKind kind) {
  if (nodes.count < 1 || nodes.count > largest_nodes - graph_.node_count()) {
    faults_.add(nodes.mark, "",
                fmt::format("group {} has {} members; allowed are 1 to {} nodes in all",
                            quoted(nodes.name), nodes.count, largest_nodes));
    return;
  }
  const Members members{graph_.node_count(), static_cast<std::int32_t>(nodes.count)};
  if (nodes.is_group) {
    add_name(nodes.name, members, nodes.mark);
    graph_.groups.push_back({nodes.name, NodeId{members.first}, members.count});
  }
  for (std::int32_t i = 0; i < members.count; ++i) {
    const std::string name = nodes.is_group ? nodes.name + std::to_string(i) : nodes.name;
    add_name(name, {members.first + i, 1}, nodes.mark);
    graph_.node_names.push_back(name);
    graph_.node_kind.push_back(kind);
  }
}

void GraphBuilder::index_names() {
  graph_.nodes_by_name.resize(graph_.node_names.size());
  for (std::int32_t n = 0; n < graph_.node_count(); ++n) graph_.nodes_by_name[at(n)] = NodeId{n};
  std::sort(graph_.nodes_by_name.begin(), graph_.nodes_by_name.end(), [&](NodeId a, NodeId b) {
    return graph_.node_names[at(a.value)] < graph_.node_names[at(b.value)];
  });
}

const Members* GraphBuilder::find_end(const std::string& name, const Mark& mark) {
  const auto found = names_.find(name);
  if (found != names_.end()) return &found->second;
  std::string nearest;
  if (++suggestions_ <= most_suggestions) nearest = graph_.nearest_node_name(name);
  faults_.add(mark, "",
              fmt::format("there is no node or group {}{}", quoted(name),
                          nearest.empty() ? "" : "; did you mean " + quoted(nearest) + "?"));
  return nullptr;
}

bool GraphBuilder::check_cable(const GraphShape::Cable& cable) {
  bool good = true;
  const auto check = [&](bool holds, const std::string& message) {
    if (!holds) faults_.add(cable.mark, "", message);
    good = good && holds;
  };
  const double capacity = cable.capacity_bytes_per_ns, latency = cable.latency_ns;
  check(capacity > 0 && std::isfinite(capacity), "capacity of a link must be above 0");
  check(latency > 0 && std::isfinite(latency), "latency of a link must be above 0");
  check(cable.count >= 1, fmt::format("count is {}; a link is at least 1 cable", cable.count));
  return good;
}

// Refuses loops and cables between endpoints.
bool GraphBuilder::check_ends(const GraphShape::Cable& cable, Members a, Members b) {
  const std::string text = fmt::format("[{}, {}]", cable.ends[0], cable.ends[1]);
  if (std::max(a.first, b.first) < std::min(a.first + a.count, b.first + b.count)) {
    faults_.add(
        cable.mark, "",
        fmt::format("link {} joins a node with itself; name two different nodes or groups", text));
    return false;
  }
  if (a.first < graph_.endpoint_count && b.first < graph_.endpoint_count) {
    faults_.add(cable.mark, "",
                fmt::format("link {} joins two endpoints, which do not forward; put a switch "
                            "between them",
                            text));
    return false;
  }
  return true;
}

void GraphBuilder::add_cables(const GraphShape::Cable& cable) {
  const bool good = check_cable(cable);
  const Members* a = find_end(cable.ends[0], cable.end_marks[0]);
  const Members* b = find_end(cable.ends[1], cable.end_marks[1]);
  if (a == nullptr || b == nullptr || !check_ends(cable, *a, *b) || !good) return;
  const double count = static_cast<double>(cable.count) * a->count * b->count;
  if (count > static_cast<double>(largest_cables - cables_)) {
    faults_.add(
        cable.mark, "",
        fmt::format("the links make more than {} cables, the most there can be", largest_cables));
    return;
  }
  cables_ += cable.count * a->count * b->count;
  for (std::int32_t i = 0; i < a->count; ++i) {
    for (std::int32_t j = 0; j < b->count; ++j) {
      for (std::int64_t k = 0; k < cable.count; ++k) {
        add_cable(NodeId{a->first + i}, NodeId{b->first + j}, cable);
      }
    }
  }
}

void GraphBuilder::add_cable(NodeId a, NodeId b, const GraphShape::Cable& cable) {
  graph_.link_source.insert(graph_.link_source.end(), {a, b});
  graph_.link_target.insert(graph_.link_target.end(), {b, a});
  const double capacity = cable.capacity_bytes_per_ns, latency = cable.latency_ns;
  graph_.link_capacity_bytes_per_ns.insert(graph_.link_capacity_bytes_per_ns.end(),
                                           {capacity, capacity});
  graph_.link_latency_ns.insert(graph_.link_latency_ns.end(), {latency, latency});
}

// Hops from the nearest endpoint, breadth first from all of them.
void GraphBuilder::set_tiers() {
  constexpr std::int8_t unseen = -1;
  graph_.node_tier.assign(graph_.node_kind.size(), unseen);
  std::vector<NodeId> reached;
  for (std::int32_t e = 0; e < graph_.endpoint_count; ++e) {
    graph_.node_tier[at(e)] = 0;
    reached.push_back(NodeId{e});
  }
  for (std::size_t i = 0; i < reached.size(); ++i) {
    const std::int8_t tier = graph_.node_tier[at(reached[i].value)];
    graph_.tier_count = std::max<std::int32_t>(graph_.tier_count, tier);
    for (const LinkId l : graph_.links_from(reached[i])) {
      const NodeId next = graph_.link_target[at(l.value)];
      if (graph_.node_tier[at(next.value)] != unseen) continue;
      if (tier == std::numeric_limits<std::int8_t>::max()) {
        faults_.add(shape_.mark, "",
                    fmt::format("switch {} lies more than {} hops from every endpoint",
                                graph_.node_name(next), tier));
        return;
      }
      graph_.node_tier[at(next.value)] = static_cast<std::int8_t>(tier + 1);
      reached.push_back(next);
    }
  }
}

void GraphBuilder::check_connected() {
  if (!faults_.empty()) return;
  std::vector<bool> seen(graph_.node_kind.size(), false);
  std::vector<NodeId> pending;
  for (std::int32_t n = 0; n < graph_.node_count(); ++n) {
    if (seen[at(n)]) continue;
    if (n > 0) {
      faults_.add(shape_.mark, "",
                  fmt::format("the graph is not connected: {} and {} cannot reach each other; add "
                              "the missing link",
                              graph_.node_name(NodeId{0}), graph_.node_name(NodeId{n})));
    }
    seen[at(n)] = true;
    pending.assign(1, NodeId{n});
    while (!pending.empty()) {
      const NodeId node = pending.back();
      pending.pop_back();
      for (const LinkId l : graph_.links_from(node)) {
        const NodeId next = graph_.link_target[at(l.value)];
        if (seen[at(next.value)]) continue;
        seen[at(next.value)] = true;
        pending.push_back(next);
      }
    }
  }
}

// Link 2c leads upwards; between nodes of one tier, to the larger id.
void GraphBuilder::turn_cables_up() {
  for (std::int32_t l = 0; l < graph_.link_count(); l += 2) {
    const NodeId a = graph_.link_source[at(l)], b = graph_.link_target[at(l)];
    const auto tier_a = graph_.node_tier[at(a.value)], tier_b = graph_.node_tier[at(b.value)];
    if (tier_a < tier_b || (tier_a == tier_b && a < b)) continue;
    std::swap(graph_.link_source[at(l)], graph_.link_source[at(l + 1)]);
    std::swap(graph_.link_target[at(l)], graph_.link_target[at(l + 1)]);
  }
  graph_.build_rows();
}

}  // namespace

Graph build_graph(const GraphShape& shape) { return GraphBuilder(shape).build(); }

}  // namespace tailrace
