// SPDX-License-Identifier: Apache-2.0
// Fat-trees: counts against closed forms, numbering, oversubscription, impossible shapes.
#include "topology/fat_tree.hpp"

#include <gtest/gtest.h>

#include <map>
#include <set>

#include "error_text.hpp"
#include "fat_tree_shapes.hpp"

namespace tailrace {
namespace {

std::size_t at(std::int32_t i) { return static_cast<std::size_t>(i); }

// Non-blocking fat-tree of radix k, full: two levels N = k^2/2 ports, 3N/k switches; three levels
// N = k^3/4, 5N/k switches; N cables per level.
TEST(FatTree, FullTreesHaveTheClosedFormsCounts) {
  for (const std::int32_t k : {2, 4, 8, 12, 40}) {
    const std::int64_t two = k * k / 2, three = k * k * k / 4;
    const FatTreePlan a = plan_fat_tree(fat_tree_shape(2, k, two));
    EXPECT_EQ(a.leaves + a.spines, 3 * two / k) << k;
    EXPECT_EQ(a.largest, two) << k;
    EXPECT_EQ(a.cable_count(), 2 * two) << k;
    const FatTreePlan b = plan_fat_tree(fat_tree_shape(3, k, three));
    EXPECT_EQ(b.leaves + b.spines + b.cores, 5 * three / k) << k;
    EXPECT_EQ(b.largest, three) << k;
    EXPECT_EQ(b.cable_count(), 3 * three) << k;
    EXPECT_EQ(b.pods, k);
  }
  // Published: radix 40 gives 800 and 16,000 ports, radix 64 gives 2,048 and 65,536.
  EXPECT_EQ(plan_fat_tree(fat_tree_shape(2, 40, 1)).largest, 800);
  EXPECT_EQ(plan_fat_tree(fat_tree_shape(3, 40, 1)).largest, 16000);
  EXPECT_EQ(plan_fat_tree(fat_tree_shape(2, 64, 1)).largest, 2048);
  EXPECT_EQ(plan_fat_tree(fat_tree_shape(3, 64, 1)).largest, 65536);
}

// 10,000 = 25 pods of 20 x 20; every pod has 20 spines; 20 x 20 cores.
TEST(FatTree, TenThousandEndpointsOfRadix40) {
  const Graph graph = fat_tree(3, 40, 10000);
  const FatTreePlan& plan = *graph.fat_tree;
  EXPECT_EQ(plan.leaves, 500);
  EXPECT_EQ(plan.pods, 25);
  EXPECT_EQ(plan.spines, 500);
  EXPECT_EQ(plan.cores, 400);
  EXPECT_EQ(graph.link_count(), 2 * 30000);
  EXPECT_EQ(graph.node_count(), 11400);
  EXPECT_EQ(graph.pod_count, 25);
}

TEST(FatTree, AutoTakesTheFewestTiers) {
  EXPECT_EQ(plan_fat_tree(fat_tree_shape(0, 8, 8)).tiers, 1);
  EXPECT_EQ(plan_fat_tree(fat_tree_shape(0, 8, 9)).tiers, 2);
  EXPECT_EQ(plan_fat_tree(fat_tree_shape(0, 8, 32)).tiers, 2);
  EXPECT_EQ(plan_fat_tree(fat_tree_shape(0, 8, 33)).tiers, 3);
  EXPECT_EQ(plan_fat_tree(fat_tree_shape(0, 8, 128)).tiers, 3);
}

TEST(FatTree, OneTierIsOneSwitchWithAllPortsDown) {
  const Graph graph = fat_tree(1, 7, 7);
  EXPECT_EQ(graph.node_count(), 8);
  EXPECT_EQ(graph.link_count(), 14);
  EXPECT_EQ(graph.node_name(NodeId{7}), "leaf0");
  EXPECT_EQ(graph.links_from(NodeId{7}).size(), 7U);
}

// Every shape: ports within the radix, cables between neighbouring tiers, link 2c upwards, ids as
// the plan computes them.
TEST(FatTree, GraphAgreesWithItsPlan) {
  for (const auto& [tiers, radix, endpoints] :
       {std::tuple{1, 5, 3}, {2, 7, 19}, {2, 8, 32}, {3, 6, 50}, {3, 7, 47}, {3, 8, 128}}) {
    FatTreeShape shape = fat_tree_shape(tiers, radix, endpoints);
    if (tiers > 1) shape.oversubscription[0] = 1.5;
    if (tiers > 2) shape.oversubscription[1] = 1.3;
    const FatTreePlan largest = plan_fat_tree(shape);
    ASSERT_LE(endpoints, largest.largest);
    const Graph graph = build_fat_tree(shape);
    const FatTreePlan& plan = *graph.fat_tree;
    EXPECT_EQ(graph.link_count(), 2 * plan.cable_count());
    EXPECT_EQ(graph.node_count(), plan.core(plan.cores).value);
    for (std::int32_t n = 0; n < graph.node_count(); ++n) {
      const auto row = graph.links_from(NodeId{n});
      EXPECT_LE(row.size(), graph.is_endpoint(NodeId{n}) ? 1U : at(radix));
      EXPECT_FALSE(row.empty());
      for (const LinkId l : row) EXPECT_EQ(graph.link_source[at(l.value)], NodeId{n});
    }
    for (std::int32_t l = 0; l < graph.link_count(); l += 2) {
      const auto from = at(graph.link_source[at(l)].value), to = at(graph.link_target[at(l)].value);
      EXPECT_EQ(graph.node_tier[from] + 1, graph.node_tier[to]);
      EXPECT_EQ(graph.link_source[at(l + 1)].value, static_cast<std::int32_t>(to));
      EXPECT_EQ(graph.link_target[at(l + 1)].value, static_cast<std::int32_t>(from));
    }
    for (std::int32_t i = 0; i < plan.leaves; ++i) {
      for (std::int32_t port = 0; port < plan.leaf_up; ++port) {
        const auto l = at(plan.leaf_uplink(i, port).value);
        EXPECT_EQ(graph.link_source[l], plan.leaf(i));
        EXPECT_EQ(graph.link_target[l],
                  plan.spine(plan.pod_of_leaf(i) * plan.spines_per_pod() + port));
      }
    }
  }
}

// Core c hangs on the spines whose index in their pod is c mod (radix/2), one in every pod.
TEST(FatTree, CoresHangOnTheSpinesOfTheirIndex) {
  const Graph graph = fat_tree(3, 8, 128);
  for (std::int32_t c = 0; c < 16; ++c) {
    const NodeId core = graph.find_node("core" + std::to_string(c));
    ASSERT_TRUE(core.valid());
    std::set<std::int32_t> pods;
    for (const LinkId l : graph.links_from(core)) {
      const NodeId spine = graph.link_target[at(l.value)];
      const std::int32_t index = std::stoi(graph.node_name(spine).substr(5));
      EXPECT_EQ(index % 4, c % 4);
      pods.insert(graph.node_pod[at(spine.value)]);
    }
    EXPECT_EQ(pods.size(), 8U);
  }
}

TEST(FatTree, NamesAndPodsCountOverTheWholeTree) {
  const Graph graph = fat_tree(3, 8, 100);  // 25 leaves of 4 in 7 pods of 4
  EXPECT_EQ(graph.node_name(NodeId{0}), "e0");
  EXPECT_EQ(graph.node_name(NodeId{99}), "e99");
  EXPECT_EQ(graph.node_name(NodeId{100}), "leaf0");
  EXPECT_EQ(graph.node_name(NodeId{124}), "leaf24");
  EXPECT_EQ(graph.node_name(NodeId{125}), "spine0");
  EXPECT_EQ(graph.node_name(NodeId{125 + 28}), "core0");
  for (std::int32_t n = 0; n < graph.node_count(); ++n) {
    EXPECT_EQ(graph.find_node(graph.node_name(NodeId{n})), NodeId{n});
  }
  for (const char* none : {"e100", "leaf25", "core16", "e", "e-1", "e01", "leaf", "", "pod0", "7",
                           "e99999999999999999999"}) {
    EXPECT_FALSE(graph.find_node(none).valid()) << none;
    EXPECT_TRUE(graph.find_nodes(none).empty()) << none;
  }
  EXPECT_EQ(graph.node_pod[99], 6);
  EXPECT_EQ(graph.node_pod[124], 6);
  EXPECT_EQ(graph.node_pod[125 + 27], 6);
  EXPECT_EQ(graph.node_pod[125 + 28], -1);
}

// 25 = 6 leaves of 4 and one of 1: all spines of the pods built are there.
TEST(FatTree, PartlyFilledTreesBuildOnlyWhatTheyNeed) {
  const FatTreePlan plan = plan_fat_tree(fat_tree_shape(3, 8, 25));
  EXPECT_EQ(plan.leaves, 7);
  EXPECT_EQ(plan.pods, 2);
  EXPECT_EQ(plan.spines, 8);
  EXPECT_EQ(plan.cores, 16);
  EXPECT_EQ(plan.endpoints_of_leaf(5), 4);
  EXPECT_EQ(plan.endpoints_of_leaf(6), 1);
}

// d downlinks and u = ceil(d/o) uplinks, d as large as d + u <= k allows.
TEST(FatTree, OversubscriptionSplitsTheRadix) {
  const auto ports = [](std::int32_t radix, double leaf) {
    FatTreeShape shape = fat_tree_shape(2, radix, 1);
    shape.oversubscription[0] = leaf;
    const FatTreePlan plan = plan_fat_tree(shape);
    return std::pair{plan.leaf_down, plan.leaf_up};
  };
  EXPECT_EQ(ports(40, 2), (std::pair{26, 13}));
  EXPECT_EQ(ports(40, 3), (std::pair{30, 10}));
  EXPECT_EQ(ports(64, 1.0 / 3), (std::pair{16, 48}));
  EXPECT_EQ(ports(64, 7), (std::pair{56, 8}));
  EXPECT_EQ(ports(7, 1), (std::pair{3, 3}));  // odd: one port stays free
  EXPECT_EQ(ports(3, 2), (std::pair{2, 1}));
  // Radix 8, leaf 3:1 (6 down, 2 up), spine 1:1: 6 x 4 x 8 endpoints; 2 spines per pod, 8 cores.
  FatTreeShape shape = fat_tree_shape(3, 8, 192);
  shape.oversubscription = {3, 1};
  FatTreePlan plan = plan_fat_tree(shape);
  EXPECT_EQ(plan.largest, 192);
  EXPECT_EQ(plan.leaves, 32);
  EXPECT_EQ(plan.spines, 16);
  EXPECT_EQ(plan.cores, 8);
  shape.oversubscription = {1, 3};
  shape.endpoints = 4 * 6 * 8;
  plan = plan_fat_tree(shape);
  EXPECT_EQ(plan.spine_down, 6);
  EXPECT_EQ(plan.spine_up, 2);
  EXPECT_EQ(plan.spines, 8 * 4);
  EXPECT_EQ(plan.cores, 8);
}

TEST(FatTree, EveryLevelHasItsCapacityAndLatency) {
  FatTreeShape shape = fat_tree_shape(3, 4, 16);
  shape.capacity_bytes_per_ns = {25, 50, 100};
  shape.latency_ns = {500, 600, 700};
  const Graph graph = build_fat_tree(shape);
  const auto names = graph.link_tier_names();
  std::map<std::string, int> links;
  for (std::int32_t l = 0; l < graph.link_count(); ++l) {
    const std::string& name = names[at(graph.link_tier(LinkId{l}))];
    ++links[name];
    const double capacity = graph.link_capacity_bytes_per_ns[at(l)];
    const double latency = graph.link_latency_ns[at(l)];
    const bool low = name == "endpoint-leaf" || name == "leaf-endpoint";
    const bool middle = name == "leaf-spine" || name == "spine-leaf";
    EXPECT_EQ(capacity, low ? 25 : middle ? 50 : 100);
    EXPECT_EQ(latency, low ? 500 : middle ? 600 : 700);
  }
  const std::map<std::string, int> expected = {{"endpoint-leaf", 16}, {"leaf-endpoint", 16},
                                               {"leaf-spine", 16},    {"spine-leaf", 16},
                                               {"spine-core", 16},    {"core-spine", 16}};
  EXPECT_EQ(links, expected);
  EXPECT_EQ(graph.tier_name(3), "core");
}

std::string fault(const FatTreeShape& shape) {
  return input_error_text([&] { build_fat_tree(shape); });
}

TEST(FatTree, TooManyEndpointsNameTheLargestPossible) {
  EXPECT_TRUE(contains(fault(fat_tree_shape(1, 40, 41)), "largest possible has 40"));
  EXPECT_TRUE(contains(fault(fat_tree_shape(2, 40, 801)), "largest possible has 800"));
  EXPECT_TRUE(contains(fault(fat_tree_shape(3, 40, 16001)), "largest possible has 16000"));
  EXPECT_TRUE(contains(fault(fat_tree_shape(0, 40, 16001)), "largest possible has 16000"));
  EXPECT_EQ(fault(fat_tree_shape(3, 40, 16000)), "no error");
}

TEST(FatTree, NonsenseIsRefused) {
  EXPECT_TRUE(contains(fault(fat_tree_shape(4, 8, 8)), "tiers is 4"));
  EXPECT_TRUE(contains(fault(fat_tree_shape(-1, 8, 8)), "tiers is -1"));
  EXPECT_TRUE(contains(fault(fat_tree_shape(2, 1, 8)), "radix is 1"));
  EXPECT_TRUE(contains(fault(fat_tree_shape(2, 100000, 8)), "radix is 100000"));
  EXPECT_TRUE(contains(fault(fat_tree_shape(2, 8, 0)), "endpoints is 0"));
  EXPECT_TRUE(contains(fault(fat_tree_shape(3, 65536, 4'000'000'000)), "can be numbered"));
  FatTreeShape shape = fat_tree_shape(3, 8, 8);
  shape.oversubscription = {8, 0};
  EXPECT_TRUE(contains(fault(shape), "leaf level is 8"));
  EXPECT_TRUE(contains(fault(shape), "spine level is 0"));
  shape = fat_tree_shape(1, 8, 8);
  shape.oversubscription[0] = 2;
  EXPECT_TRUE(contains(fault(shape), "needs uplinks"));
  shape = fat_tree_shape(2, 8, 8);
  shape.oversubscription[1] = 2;
  EXPECT_TRUE(contains(fault(shape), "needs cores"));
  shape = fat_tree_shape(2, 8, 8);
  shape.capacity_bytes_per_ns[1] = 0;
  shape.latency_ns[0] = -1;
  EXPECT_TRUE(contains(fault(shape), "capacity of the leaf-spine links"));
  EXPECT_TRUE(contains(fault(shape), "latency of the endpoint-leaf links"));
}

TEST(FatTree, FaultsNameTheirPlace) {
  FatTreeShape shape = fat_tree_shape(2, 8, 33);
  shape.endpoints_mark = {"a.yaml", 3, 20};
  EXPECT_TRUE(fault(shape).starts_with("a.yaml:3:20: 33 endpoints do not fit"));
}

}  // namespace
}  // namespace tailrace
