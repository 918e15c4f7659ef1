// SPDX-License-Identifier: Apache-2.0
// Which rank owns which node: pod by pod in a fat-tree, METIS k-way for graphs.
#pragma once

#include <cstdint>
#include <vector>

#include "solver/base/ids.hpp"
#include "topology/graph.hpp"

namespace tailrace {

/// Owner of every node, [node_count]. `node_weight` (hops at the node; may be empty: all 1) steers
/// the balance. Fat-trees: contiguous pods, leaves of a pod when there are more ranks than pods,
/// endpoints with their leaf, cores dealt out evenly; graphs: METIS k-way. Deterministic. Ranks
/// may end up with nothing.
std::vector<Rank> partition_nodes(const Graph& graph, std::int32_t ranks,
                                  const std::vector<std::int64_t>& node_weight);

}  // namespace tailrace
