// SPDX-License-Identifier: Apache-2.0
// Looking up the names in a deck's workload, and the checks that its kinds share.
#include "models/workload/names.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "solver/base/numbers.hpp"
#include "solver/base/parameters.hpp"
#include "solver/base/units.hpp"

namespace tailrace {

WorkloadNames::WorkloadNames(const Deck& deck, const Graph& graph, Faults& faults)
    : graph_(graph), faults_(faults) {
  for (const NodeGroup& group : graph.groups) {
    std::vector<NodeId> members;
    for (std::int32_t i = 0; i < group.count && graph.is_endpoint(group.first); ++i) {
      members.push_back(NodeId{group.first.value + i});
    }
    groups_.push_back(std::move(members));
    group_names_.push_back(group.name);
  }
  if (graph.node_names.empty()) {
    std::vector<NodeId> all;
    for (std::int32_t i = 0; i < graph.endpoint_count; ++i) all.push_back(NodeId{i});
    groups_.push_back(std::move(all));
    group_names_.emplace_back("e");
  }
  const DeckNode* classes = deck.node("fabric.classes");
  if (!classes || classes->items.empty()) {
    class_names_.emplace_back("default");
    return;
  }
  for (const DeckNode& item : classes->items) {
    const DeckNode* name = item.find("name");
    class_names_.push_back(name ? name->scalar : "");
  }
}

void WorkloadNames::add_unknown(const DeckNode& name, const std::string& key) {
  std::string message = fmt::format("no node or group is called {}", quoted(name.scalar));
  const std::string nearest = graph_.nearest_node_name(name.scalar);
  if (!nearest.empty()) message += fmt::format("; the nearest is '{}'", nearest);
  faults_.add(name.mark, key, message);
}

std::optional<EndpointRef> WorkloadNames::end(const DeckNode& name, const std::string& key) {
  const auto group = std::find(group_names_.begin(), group_names_.end(), name.scalar);
  const auto index = static_cast<std::size_t>(group - group_names_.begin());
  const bool is_group = group != group_names_.end();
  const NodeId node = is_group ? NodeId{} : graph_.find_node(name.scalar);
  if (!is_group && !node.valid()) {
    add_unknown(name, key);
    return std::nullopt;
  }
  if (is_group ? groups_[index].empty() : !graph_.is_endpoint(node)) {
    faults_.add(name.mark, key,
                fmt::format("{} is {}; only endpoints send and receive", quoted(name.scalar),
                            is_group ? "a group of switches" : "a switch"));
    return std::nullopt;
  }
  return EndpointRef{is_group ? static_cast<std::int32_t>(index) : -1, node};
}

std::optional<NodeId> WorkloadNames::way_point(const DeckNode& name, const std::string& key) {
  const NodeId node = graph_.find_node(name.scalar);
  if (!node.valid()) {
    const bool is_group =
        std::find(group_names_.begin(), group_names_.end(), name.scalar) != group_names_.end();
    if (is_group) {
      faults_.add(name.mark, key,
                  fmt::format("{} is a group; a way point is one switch", quoted(name.scalar)));
    } else {
      add_unknown(name, key);
    }
    return std::nullopt;
  }
  if (graph_.is_endpoint(node)) {
    faults_.add(name.mark, key,
                fmt::format("{} is an endpoint; way points are switches", quoted(name.scalar)));
    return std::nullopt;
  }
  return node;
}

std::optional<std::int32_t> WorkloadNames::traffic_class(const DeckNode& name,
                                                         const std::string& key) {
  const auto found = std::find(class_names_.begin(), class_names_.end(), name.scalar);
  if (found != class_names_.end()) {
    return static_cast<std::int32_t>(found - class_names_.begin());
  }
  faults_.add(name.mark, key,
              fmt::format("no traffic class is called {}; fabric.classes has {}",
                          quoted(name.scalar), join_or(class_names_)));
  return std::nullopt;
}

std::int32_t read_class(const Deck& deck, WorkloadNames& names) {
  const DeckNode* name = deck.node("workload.class");
  return name ? names.traffic_class(*name, "workload.class").value_or(0) : 0;
}

void check_start(double start_ns, double time_limit_ns, const Mark& mark, const std::string& key,
                 Faults& faults) {
  if (start_ns < time_limit_ns) return;
  faults.add(mark, key,
             fmt::format("the start at {} is not before the end of the run at {}; start earlier or "
                         "raise run.time_limit",
                         format_time_ns(start_ns), format_time_ns(time_limit_ns)));
}

}  // namespace tailrace
