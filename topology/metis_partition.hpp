// SPDX-License-Identifier: Apache-2.0
// METIS behind one call: parts of a graph of about equal weight with little cut between them.
#pragma once

#include <cstdint>
#include <vector>

#include "topology/graph.hpp"

namespace tailrace {

/// Part of every node, 0 <= part < parts, [node_count]. `node_weight` [node_count] is not
/// negative; `weigh_capacity`: a cut cable counts by its capacity, not as one. Fixed seed, so the
/// same on every rank. Throws TailraceError when METIS fails.
std::vector<std::int32_t> metis_partition(const Graph& graph, std::int32_t parts,
                                          const std::vector<std::int64_t>& node_weight,
                                          bool weigh_capacity);

}  // namespace tailrace
