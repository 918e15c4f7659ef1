// SPDX-License-Identifier: Apache-2.0
// Ownership of nodes: pods, leaves and dealt switches in fat-trees, METIS on graphs.
#include "topology/partition.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>
#include <set>

#include "fat_tree_shapes.hpp"
#include "graph_shapes.hpp"

namespace tailrace {
namespace {

std::size_t at(std::int32_t i) { return static_cast<std::size_t>(i); }

std::vector<std::int64_t> loads(const std::vector<Rank>& owner, std::int32_t ranks,
                                const std::vector<std::int64_t>& weight) {
  std::vector<std::int64_t> load(at(ranks), 0);
  for (std::size_t n = 0; n < owner.size(); ++n) {
    load[at(owner[n])] += weight.empty() ? 1 : weight[n];
  }
  return load;
}

// What holds for every partition of a fat-tree.
void expect_sound(const Graph& graph, const std::vector<Rank>& owner, std::int32_t ranks) {
  const FatTreePlan& plan = *graph.fat_tree;
  ASSERT_EQ(owner.size(), graph.node_kind.size());
  for (const Rank rank : owner) ASSERT_TRUE(rank >= 0 && rank < ranks);
  for (std::int32_t e = 0; e < plan.endpoints; ++e) {
    ASSERT_EQ(owner[at(e)], owner[at(plan.leaf(plan.leaf_of(NodeId{e})).value)]);
  }
  for (std::int32_t l = 1; l < plan.leaves; ++l) {  // contiguous
    const Rank before = owner[at(plan.leaf(l - 1).value)], here = owner[at(plan.leaf(l).value)];
    ASSERT_TRUE(here == before || here == before + 1);
  }
  for (std::int32_t pod = 0; pod < plan.pods; ++pod) {  // spines with a rank of their pod
    std::set<Rank> pod_ranks;
    for (std::int32_t l = 0; l < plan.leaves; ++l) {
      if (plan.pod_of_leaf(l) == pod) pod_ranks.insert(owner[at(plan.leaf(l).value)]);
    }
    if (ranks <= plan.pods) {
      ASSERT_EQ(pod_ranks.size(), 1U);
    }
    for (std::int32_t i = 0; plan.tiers > 1 && i < plan.spines_per_pod(); ++i) {
      const NodeId spine = plan.spine(pod * plan.spines_per_pod() + i);
      ASSERT_TRUE(pod_ranks.contains(owner[at(spine.value)]));
    }
  }
}

TEST(Partition, EveryRankCountIsSoundOnEveryTree) {
  for (const auto& [tiers, radix, endpoints] :
       {std::tuple{1, 8, 5}, {2, 8, 30}, {3, 4, 16}, {3, 8, 128}, {3, 8, 77}}) {
    const Graph graph = fat_tree(tiers, radix, endpoints);
    for (const std::int32_t ranks : {1, 2, 3, 4, 5, 7, 8, 16, 31, 200}) {
      const std::vector<Rank> owner = partition_nodes(graph, ranks, {});
      expect_sound(graph, owner, ranks);
      EXPECT_EQ(owner, partition_nodes(graph, ranks, {}));
    }
  }
}

// 25 pods on 5 ranks: 5 pods each, 80 of the 400 cores each.
TEST(Partition, EqualPodsAreDealtEvenly) {
  const Graph graph = fat_tree(3, 40, 10000);
  const FatTreePlan& plan = *graph.fat_tree;
  const std::vector<Rank> owner = partition_nodes(graph, 5, {});
  for (std::int32_t l = 0; l < plan.leaves; ++l) {
    EXPECT_EQ(owner[at(plan.leaf(l).value)], plan.pod_of_leaf(l) / 5);
  }
  std::vector<int> cores(5, 0);
  for (std::int32_t c = 0; c < plan.cores; ++c) ++cores[at(owner[at(plan.core(c).value)])];
  EXPECT_EQ(cores, std::vector<int>(5, 80));
}

// A pod of 440 nodes is the smallest piece; the 400 cores then level the ranks.
TEST(Partition, CoresLevelTheRanks) {
  const Graph graph = fat_tree(3, 40, 10000);
  for (const std::int32_t ranks : {2, 3, 4, 7}) {
    const auto load = loads(partition_nodes(graph, ranks, {}), ranks, {});
    const auto [low, high] = std::minmax_element(load.begin(), load.end());
    EXPECT_LE(*high - *low, 440) << ranks;
  }
  const auto load = loads(partition_nodes(graph, 2, {}), 2, {});
  EXPECT_LE(std::abs(load[0] - load[1]), 40);  // 12 against 13 pods: 440 less 400
}

// All weight in the first two of eight pods: two ranks get one each, the empty ones go along.
TEST(Partition, WeightsSteerTheCut) {
  const Graph graph = fat_tree(3, 8, 128);
  std::vector<std::int64_t> weight(graph.node_kind.size(), 0);
  for (std::int32_t e = 0; e < 32; ++e) weight[at(e)] = 10;
  const auto two = loads(partition_nodes(graph, 2, weight), 2, weight);
  EXPECT_EQ(two[0], 160);
  EXPECT_EQ(two[1], 160);
  // Ten ranks, eight pods: the two spare ranks go to the two pods that have something to do.
  const auto ten = loads(partition_nodes(graph, 10, weight), 10, weight);
  EXPECT_EQ(*std::max_element(ten.begin(), ten.end()), 80);
}

// 31 ranks on four pods of two leaves: eight ranks share the pods, cores go to those that have
// nothing yet, and some ranks stay empty.
TEST(Partition, MoreRanksThanLeavesLeaveSomeEmpty) {
  const Graph graph = fat_tree(3, 4, 16);
  const std::vector<Rank> owner = partition_nodes(graph, 31, {});
  expect_sound(graph, owner, 31);
  const std::set<Rank> used(owner.begin(), owner.end());
  EXPECT_EQ(used.size(), 8U + 4U);
}

TEST(Partition, TwoTierTreesAreCutByLeaves) {
  const Graph graph = fat_tree(2, 8, 32);
  const auto load = loads(partition_nodes(graph, 4, {}), 4, {});
  EXPECT_EQ(load, (std::vector<std::int64_t>(4, (32 + 8 + 4) / 4)));
}

// Two rings of six switches with an endpoint each, joined by one cable: METIS cuts that cable.
TEST(Partition, GraphsAreCutWhereLittleCrosses) {
  GraphShape shape;
  shape.endpoints = {group("e", 12)};
  shape.switches = {group("s", 12)};
  const auto join = [&](const char* a, int i, const char* b, int j) {
    shape.cables.push_back(cable(a + std::to_string(i), b + std::to_string(j)));
  };
  for (int s = 0; s < 12; ++s) {
    join("e", s, "s", s);
    for (int t = s + 1; t < 12; ++t) {
      if (s / 6 == t / 6) join("s", s, "s", t);
    }
  }
  join("s", 0, "s", 6);
  const Graph graph = build_graph(shape);
  const std::vector<Rank> owner = partition_nodes(graph, 2, {});
  EXPECT_EQ(owner, partition_nodes(graph, 2, {}));
  int cut = 0;
  for (std::int32_t l = 0; l < graph.link_count(); l += 2) {
    cut += owner[at(graph.link_source[at(l)].value)] != owner[at(graph.link_target[at(l)].value)];
  }
  EXPECT_EQ(cut, 1);
  EXPECT_EQ(loads(owner, 2, {}), (std::vector<std::int64_t>{12, 12}));
}

TEST(Partition, GraphsTakeAnyRankCountAndWeight) {
  const Graph graph = build_graph(parking_lot());
  std::vector<std::int64_t> weight(graph.node_kind.size(), 0);
  for (const std::int32_t ranks : {1, 2, 3, 4, 7, 9, 10, 31}) {
    for (const std::int64_t w : {std::int64_t{0}, std::int64_t{1}, std::int64_t{1} << 55}) {
      weight.assign(weight.size(), w);
      const std::vector<Rank> owner = partition_nodes(graph, ranks, weight);
      ASSERT_EQ(owner.size(), weight.size());
      for (const Rank rank : owner) EXPECT_TRUE(rank >= 0 && rank < ranks);
      if (ranks == 1) {
        EXPECT_EQ(owner, std::vector<Rank>(weight.size(), 0));
      }
    }
  }
}

}  // namespace
}  // namespace tailrace
