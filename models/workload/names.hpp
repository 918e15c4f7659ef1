// SPDX-License-Identifier: Apache-2.0
// Turns the names in a deck's workload into endpoints, groups, way points and class numbers.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "models/workload/flows.hpp"
#include "solver/base/deck.hpp"
#include "solver/base/faults.hpp"
#include "topology/graph.hpp"

namespace tailrace {

/// Looks names up and adds a fault, with place and key, for each that is wrong. In a built fabric,
/// whose endpoints are e0, e1, ..., the name `e` stands for all of them.
class WorkloadNames {
 public:
  WorkloadNames(const Deck& deck, const Graph& graph, Faults& faults);

  /// An endpoint or a group of endpoints; nothing when it is neither.
  std::optional<EndpointRef> end(const DeckNode& name, const std::string& key);
  /// A switch.
  std::optional<NodeId> way_point(const DeckNode& name, const std::string& key);
  /// Position in fabric.classes.
  std::optional<std::int32_t> traffic_class(const DeckNode& name, const std::string& key);

  /// Members of every group, by EndpointRef::group; empty where a group is one of switches.
  const std::vector<std::vector<NodeId>>& groups() const { return groups_; }

 private:
  void add_unknown(const DeckNode& name, const std::string& key);

  const Graph& graph_;
  Faults& faults_;
  std::vector<std::vector<NodeId>> groups_;
  std::vector<std::string> group_names_;
  std::vector<std::string> class_names_;
};

/// `workload.class`, or the first class when the deck has none.
std::int32_t read_class(const Deck& deck, WorkloadNames& names);

/// Adds a fault when `start_ns` is not before run.time_limit: what would start then never runs.
void check_start(double start_ns, double time_limit_ns, const Mark& mark, const std::string& key,
                 Faults& faults);

}  // namespace tailrace
