// SPDX-License-Identifier: Apache-2.0
// The graph as columns.
#include "solver/io/topology_tables.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <numbers>
#include <utility>

#include "solver/base/units.hpp"

namespace tailrace {

namespace {

Column integers(const std::string& name, const std::string& description, Column::Type type) {
  Column column;
  column.info = {name, "1", description};
  column.type = type;
  return column;
}

Column numbers(const std::string& name, const std::string& units, const std::string& description) {
  Column column;
  column.info = {name, units, description};
  return column;
}

}  // namespace

std::vector<std::array<double, 3>> node_positions_m(const Graph& graph) {
  const auto nodes = static_cast<std::size_t>(graph.node_count());
  // Nodes of each tier and pod, and the place of each among them.
  std::map<std::pair<int, int>, int> members;
  std::vector<int> place(nodes);
  for (std::size_t n = 0; n < nodes; ++n) {
    place[n] = members[{graph.node_tier[n], graph.node_pod[n]}]++;
  }
  const double radius = std::max(5.0, 0.1 * graph.endpoint_count / (2 * std::numbers::pi));
  const int pods = std::max(1, graph.pod_count);
  std::vector<std::array<double, 3>> positions(nodes);
  for (std::size_t n = 0; n < nodes; ++n) {
    const int tier = graph.node_tier[n], pod = graph.node_pod[n];
    const double share = (place[n] + 0.5) / members[{tier, pod}];
    const double turns = pod < 0 ? share : (pod + 0.05 + 0.9 * share) / pods;
    const double r = radius * (1 - tier / (graph.tier_count + 1.0));
    const double angle = 2 * std::numbers::pi * turns;
    positions[n] = {r * std::cos(angle), r * std::sin(angle), tier * radius / 2};
  }
  return positions;
}

std::vector<Column> node_table(const Graph& graph) {
  Column kind = integers("kind", "0 endpoint, 1 switch", Column::Type::uint8);
  kind.names_attribute = "kind_names";
  kind.names = {"endpoint", "switch"};
  Column tier = integers("tier",
                         "0 endpoint, 1 leaf, 2 spine, 3 core; in graphs the number of hops "
                         "from the nearest endpoint",
                         Column::Type::int32);
  Column pod = integers("pod", "pod of the node; -1: none", Column::Type::int32);
  Column name = integers("name", "name of the node, as decks use it", Column::Type::text);
  Column position = numbers("position_m", "m", "place in pictures: tiers are layers, pods sectors");
  position.components = 3;
  for (std::int32_t n = 0; n < graph.node_count(); ++n) {
    const auto i = static_cast<std::size_t>(n);
    kind.int64.push_back(graph.node_kind[i] == NodeKind::endpoint ? 0 : 1);
    tier.int64.push_back(graph.node_tier[i]);
    pod.int64.push_back(graph.node_pod[i]);
    name.text.push_back(graph.node_name(NodeId{n}));
  }
  for (const auto& place : node_positions_m(graph)) {
    position.float64.insert(position.float64.end(), place.begin(), place.end());
  }
  return {kind, tier, pod, name, position};
}

std::vector<Column> link_table(const Graph& graph) {
  Column source = integers("source", "node that sends on the link", Column::Type::int32);
  Column target = integers("target", "node that receives", Column::Type::int32);
  Column capacity = numbers("capacity_gbps", "Gbps", "capacity of the link (1 Gbps = 1e9 bit/s)");
  Column latency = numbers("latency_ns", "ns", "cable, serdes and switch pipeline");
  Column tier = integers("tier", "between which tiers the link runs: index into tier_names",
                         Column::Type::int32);
  tier.names_attribute = "tier_names";
  tier.names = graph.link_tier_names();
  for (std::int32_t l = 0; l < graph.link_count(); ++l) {
    const auto i = static_cast<std::size_t>(l);
    source.int64.push_back(graph.link_source[i].value);
    target.int64.push_back(graph.link_target[i].value);
    capacity.float64.push_back(gbps_from_bytes_per_ns(graph.link_capacity_bytes_per_ns[i]));
    latency.float64.push_back(graph.link_latency_ns[i]);
    tier.int64.push_back(graph.link_tier(LinkId{l}));
  }
  return {source, target, capacity, latency, tier};
}

}  // namespace tailrace
