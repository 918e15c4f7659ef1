// SPDX-License-Identifier: Apache-2.0
// METIS behind one call: parts of a graph of about equal weight with little cut between them.
#include "topology/metis_partition.hpp"

#include <fmt/format.h>
#include <metis.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>

#include "solver/base/errors.hpp"

namespace tailrace {

namespace {

// Adjacency as METIS wants it: parallel cables joined into one edge.
struct MetisGraph {
  std::vector<idx_t> first{0}, neighbour, edge_weight;
};

MetisGraph join_cables(const Graph& graph, bool weigh_capacity) {
  double largest = 0;
  for (const double c : graph.link_capacity_bytes_per_ns) largest = std::max(largest, c);
  MetisGraph result;
  std::vector<idx_t> place(static_cast<std::size_t>(graph.node_count()), -1);
  for (std::int32_t n = 0; n < graph.node_count(); ++n) {
    const auto row = static_cast<idx_t>(result.neighbour.size());
    for (const LinkId l : graph.links_from(NodeId{n})) {
      const auto link = static_cast<std::size_t>(l.value);
      const auto to = static_cast<std::size_t>(graph.link_target[link].value);
      // In thousandths of the largest capacity; METIS wants whole weights above 0.
      const double share = graph.link_capacity_bytes_per_ns[link] / largest;
      const idx_t weight =
          weigh_capacity ? std::max<idx_t>(1, static_cast<idx_t>(std::lround(1000 * share))) : 1;
      if (place[to] >= row) {
        result.edge_weight[static_cast<std::size_t>(place[to])] += weight;
        continue;
      }
      place[to] = static_cast<idx_t>(result.neighbour.size());
      result.neighbour.push_back(static_cast<idx_t>(to));
      result.edge_weight.push_back(weight);
    }
    result.first.push_back(static_cast<idx_t>(result.neighbour.size()));
  }
  return result;
}

// Weights shrunk so that their sum fits METIS's integers with room for its own sums.
std::vector<idx_t> shrink_weights(const std::vector<std::int64_t>& weights) {
  constexpr std::int64_t largest_sum = 1'000'000'000;
  const double sum = std::accumulate(weights.begin(), weights.end(), 0.0,
                                     [](double s, std::int64_t w) { return s + double(w); });
  const std::int64_t divisor = static_cast<std::int64_t>(sum / double(largest_sum)) + 1;
  std::vector<idx_t> result;
  result.reserve(weights.size());
  for (const std::int64_t w : weights) {
    result.push_back(static_cast<idx_t>((w + divisor - 1) / divisor));
  }
  return result;
}

}  // namespace

std::vector<std::int32_t> metis_partition(const Graph& graph, std::int32_t parts,
                                          const std::vector<std::int64_t>& node_weight,
                                          bool weigh_capacity) {
  idx_t nodes = graph.node_count();
  if (parts <= 1) return std::vector<std::int32_t>(static_cast<std::size_t>(nodes), 0);
  MetisGraph edges = join_cables(graph, weigh_capacity);
  std::vector<idx_t> weights = shrink_weights(node_weight);
  std::array<idx_t, METIS_NOPTIONS> options{};
  METIS_SetDefaultOptions(options.data());
  options[METIS_OPTION_SEED] = 1;
  options[METIS_OPTION_NUMBERING] = 0;
  idx_t constraints = 1, part_count = parts, cut = 0;
  std::vector<idx_t> part(static_cast<std::size_t>(nodes), 0);
  // What METIS's manual advises: bisection for few parts, k-way for many.
  const auto cut_graph = parts <= 8 ? METIS_PartGraphRecursive : METIS_PartGraphKway;
  const int status = cut_graph(&nodes, &constraints, edges.first.data(), edges.neighbour.data(),
                               weights.data(), nullptr, edges.edge_weight.data(), &part_count,
                               nullptr, nullptr, options.data(), &cut, part.data());
  if (status != METIS_OK) {
    throw TailraceError(fmt::format(
        "METIS could not cut the fabric of {} nodes into {} parts: {}", nodes, parts,
        status == METIS_ERROR_MEMORY ? "out of memory" : "its code " + std::to_string(status)));
  }
  return {part.begin(), part.end()};
}

}  // namespace tailrace
