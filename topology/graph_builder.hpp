// SPDX-License-Identifier: Apache-2.0
// Builds a graph from nodes and cables named one by one or by group, and checks it.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "solver/base/errors.hpp"
#include "topology/graph.hpp"

namespace tailrace {

/// What a deck says of a graph.
struct GraphShape {
  /// One node called `name`, or a group of `count` nodes name0, name1, ...
  struct Nodes {
    std::string name;
    bool is_group = false;
    std::int64_t count = 1;  ///< members of a group, at least 1
    Mark mark;
  };
  /// `count` parallel cables between each member of one end and each member of the other; an end
  /// is a node's or a group's name.
  struct Cable {
    std::array<std::string, 2> ends;
    double capacity_bytes_per_ns = 0;
    double latency_ns = 0;
    std::int64_t count = 1;
    Mark mark;
    std::array<Mark, 2> end_marks;
  };
  std::vector<Nodes> endpoints, switches;
  std::vector<Cable> cables;
  Mark mark;  ///< place of the topology
};

/// The graph of a shape; nodes and cables in its order. Throws InputError with all faults: no
/// endpoints, empty or doubled names, unknown ends, a node linked with itself, two endpoints
/// linked, capacities and latencies that are not positive; and when there are none of these, nodes
/// that cannot reach each other or lie more than 127 hops from every endpoint.
Graph build_graph(const GraphShape& shape);

}  // namespace tailrace
