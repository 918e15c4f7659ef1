// SPDX-License-Identifier: Apache-2.0
// /topology of the output file: nodes with their places in space, and links.
#pragma once

#include <array>
#include <vector>

#include "solver/io/run_file.hpp"
#include "topology/graph.hpp"

namespace tailrace {

/// Columns of /topology/nodes and /topology/links, one row per id.
std::vector<Column> node_table(const Graph& graph);
std::vector<Column> link_table(const Graph& graph);

/// Where pictures show the nodes, [nodes] of (x, y, z) in m. Tiers are layers, pods are sectors:
///   R = max(5 m, 0.1 m * endpoints / (2 pi))      radius of the ring of endpoints
///   z = tier * R / 2
///   r = R * (1 - tier / (tiers + 1))              tiers: highest tier
///   angle = 2 pi * (pod + 0.05 + 0.9 * (i + 0.5) / m) / pods   node i of the m of its tier and pod
///   angle = 2 pi * (i + 0.5) / m                               without a pod (cores, graphs)
std::vector<std::array<double, 3>> node_positions_m(const Graph& graph);

}  // namespace tailrace
