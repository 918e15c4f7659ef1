// SPDX-License-Identifier: Apache-2.0
// Which rank owns which node: pod by pod in a fat-tree, METIS k-way for graphs.
#include "topology/partition.hpp"

#include <algorithm>
#include <numeric>

#include "solver/base/errors.hpp"
#include "topology/metis_partition.hpp"

namespace tailrace {

namespace {

using Weights = std::vector<std::int64_t>;

std::size_t at(std::int32_t i) { return static_cast<std::size_t>(i); }

std::int64_t sum(const Weights& weights) {
  return std::accumulate(weights.begin(), weights.end(), std::int64_t{0});
}

// Cuts a row of items into `parts` contiguous stretches of about equal weight, each of at least
// one item; parts <= items. Returns the part of every item.
std::vector<std::int32_t> cut_row(const Weights& weights, std::int32_t parts) {
  const auto items = static_cast<std::int32_t>(weights.size());
  const double total = static_cast<double>(sum(weights));
  std::vector<std::int32_t> part_of(weights.size());
  std::int32_t part = 0;
  double before = 0;
  for (std::int32_t i = 0; i < items; ++i) {
    const auto weight = static_cast<double>(weights[at(i)]);
    // The next part begins where its ideal border is nearer to this item's front than its back.
    const double border = total * (part + 1) / parts;
    const bool nearer = before + weight / 2 > border;
    const bool must = items - i <= parts - 1 - part;
    const bool may = part + 1 < parts && i > 0 && part_of[at(i - 1)] == part;
    if (may && (nearer || must)) ++part;
    part_of[at(i)] = part;
    before += weight;
  }
  return part_of;
}

// Ranks for every pod: in proportion to its weight, at least one, at most one per leaf. Ranks that
// no pod can use stay over.
std::vector<std::int32_t> ranks_per_pod(const Weights& pod_weight, const Weights& pod_leaves,
                                        std::int32_t ranks) {
  std::vector<std::int32_t> given(pod_weight.size(), 1);
  for (auto left = ranks - static_cast<std::int32_t>(given.size()); left > 0; --left) {
    // The next rank goes where a rank has the most to do; ties to the first pod.
    std::size_t best = given.size();
    for (std::size_t pod = 0; pod < given.size(); ++pod) {
      if (given[pod] >= pod_leaves[pod]) continue;
      const bool more =
          best == given.size() || static_cast<double>(pod_weight[pod]) * given[best] >
                                      static_cast<double>(pod_weight[best]) * given[pod];
      if (more) best = pod;
    }
    if (best == given.size()) break;
    ++given[best];
  }
  return given;
}

class TreePartition {
 public:
  TreePartition(const FatTreePlan& plan, std::int32_t ranks, const Weights& node_weight)
      : plan_(plan),
        ranks_(ranks),
        node_weight_(node_weight),
        owner_(node_weight.size(), 0),
        load_(at(ranks), 0),
        leaf_weight_(at(plan.leaves), 0),
        pod_weight_(at(plan.pods), 0),
        pod_leaves_(at(plan.pods), 0) {
    for (std::int32_t l = 0; l < plan_.leaves; ++l) {
      std::int64_t& weight = leaf_weight_[at(l)];
      weight = node_weight_[at(plan_.leaf(l).value)];
      const std::int32_t first = l * plan_.leaf_down;
      for (std::int32_t i = 0; i < plan_.endpoints_of_leaf(l); ++i) {
        weight += node_weight_[at(first + i)];
      }
      pod_weight_[at(plan_.pod_of_leaf(l))] += weight;
      ++pod_leaves_[at(plan_.pod_of_leaf(l))];
    }
    for (std::int32_t s = 0; s < plan_.spines; ++s) {
      pod_weight_[at(s / plan_.spines_per_pod())] += node_weight_[at(plan_.spine(s).value)];
    }
  }

  std::vector<Rank> cut() {
    if (ranks_ <= plan_.pods) {
      const auto rank_of_pod = cut_row(pod_weight_, ranks_);
      for (std::int32_t pod = 0; pod < plan_.pods; ++pod) own_pod(pod, rank_of_pod[at(pod)], 1);
    } else {
      const auto given = ranks_per_pod(pod_weight_, pod_leaves_, ranks_);
      Rank first = 0;
      for (std::int32_t pod = 0; pod < plan_.pods; ++pod) {
        own_pod(pod, first, given[at(pod)]);
        first += given[at(pod)];
      }
    }
    for (std::int32_t c = 0; c < plan_.cores; ++c) deal(plan_.core(c), 0, ranks_);
    return std::move(owner_);
  }

 private:
  void own(NodeId n, Rank rank) {
    owner_[at(n.value)] = rank;
    load_[at(rank)] += node_weight_[at(n.value)];
  }

  // Gives a node to the one of `count` ranks from `first` that has the least so far.
  void deal(NodeId n, Rank first, std::int32_t count) {
    const auto begin = load_.begin() + first;
    own(n, static_cast<Rank>(std::min_element(begin, begin + count) - load_.begin()));
  }

  void own_pod(std::int32_t pod, Rank first_rank, std::int32_t count) {
    const std::int32_t first_leaf = pod * plan_.leaves_per_pod();
    const auto leaves = leaf_weight_.begin() + first_leaf;
    const auto part = cut_row(Weights(leaves, leaves + pod_leaves_[at(pod)]), count);
    for (std::int32_t i = 0; i < static_cast<std::int32_t>(part.size()); ++i) {
      const Rank rank = first_rank + part[at(i)];
      const std::int32_t l = first_leaf + i;
      own(plan_.leaf(l), rank);
      const std::int32_t first = l * plan_.leaf_down;
      for (std::int32_t e = 0; e < plan_.endpoints_of_leaf(l); ++e) own(NodeId{first + e}, rank);
    }
    if (plan_.tiers == 1) return;
    for (std::int32_t s = 0; s < plan_.spines_per_pod(); ++s) {
      deal(plan_.spine(pod * plan_.spines_per_pod() + s), first_rank, count);
    }
  }

  const FatTreePlan& plan_;
  const std::int32_t ranks_;
  const Weights& node_weight_;
  std::vector<Rank> owner_;
  Weights load_;                     // [ranks] weight owned so far
  Weights leaf_weight_;              // [leaves] with its endpoints
  Weights pod_weight_, pod_leaves_;  // [pods]
};

}  // namespace

std::vector<Rank> partition_nodes(const Graph& graph, std::int32_t ranks,
                                  const std::vector<std::int64_t>& node_weight) {
  TAILRACE_REQUIRE(ranks >= 1, "a run has at least one rank");
  TAILRACE_REQUIRE(node_weight.empty() || node_weight.size() == graph.node_kind.size(),
                   "one weight per node");
  Weights weight = node_weight;
  if (sum(weight) <= 0) weight.assign(graph.node_kind.size(), 1);
  if (ranks == 1) return std::vector<Rank>(graph.node_kind.size(), 0);
  if (graph.fat_tree) return TreePartition(*graph.fat_tree, ranks, weight).cut();
  if (ranks >= graph.node_count()) {
    std::vector<Rank> owner(graph.node_kind.size());
    std::iota(owner.begin(), owner.end(), 0);
    return owner;
  }
  return metis_partition(graph, ranks, weight, false);
}

}  // namespace tailrace
