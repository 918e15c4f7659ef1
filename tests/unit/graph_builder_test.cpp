// SPDX-License-Identifier: Apache-2.0
// Graphs: groups, names, tiers, cables, and one refusal per rule.
#include "topology/graph_builder.hpp"

#include <gtest/gtest.h>

#include "error_text.hpp"
#include "graph_shapes.hpp"

namespace tailrace {
namespace {

std::size_t at(std::int32_t i) { return static_cast<std::size_t>(i); }

std::string fault(const GraphShape& shape) {
  return input_error_text([&] { build_graph(shape); });
}

TEST(GraphBuilder, GroupsStandForAllTheirMembers) {
  GraphShape shape;
  shape.endpoints = {group("S", 8), group("R", 1)};
  shape.switches = {node("T")};
  shape.cables = {cable("S", "T"), cable("T", "R")};
  const Graph graph = build_graph(shape);
  EXPECT_EQ(graph.endpoint_count, 9);
  EXPECT_EQ(graph.node_count(), 10);
  EXPECT_EQ(graph.link_count(), 18);
  EXPECT_EQ(graph.node_name(NodeId{7}), "S7");
  EXPECT_EQ(graph.find_node("R0"), NodeId{8});
  EXPECT_FALSE(graph.find_node("S").valid());
  EXPECT_EQ(graph.find_nodes("S").size(), 8U);
  EXPECT_EQ(graph.find_nodes("S")[3], NodeId{3});
  EXPECT_EQ(graph.find_nodes("T"), std::vector<NodeId>{NodeId{9}});
  EXPECT_TRUE(graph.find_nodes("S8").empty());
  EXPECT_EQ(graph.nearest_node_name("S9"), "S");
}

// Tier: hops from the nearest endpoint. H1 - T1 - L1 - S1 - L3 - T4 - R: 1, 2, 3, 2, 1.
TEST(GraphBuilder, TiersAreHopsFromTheNearestEndpoint) {
  const Graph graph = build_graph(parking_lot());
  EXPECT_EQ(graph.tier_count, 3);
  const auto tier = [&](const char* name) {
    return int(graph.node_tier[at(graph.find_node(name).value)]);
  };
  EXPECT_EQ(tier("H1"), 0);
  EXPECT_EQ(tier("T1"), 1);
  EXPECT_EQ(tier("L1"), 2);
  EXPECT_EQ(tier("S1"), 3);
  EXPECT_EQ(tier("L3"), 2);
  EXPECT_EQ(tier("T4"), 1);
  const auto names = graph.link_tier_names();
  for (std::int32_t l = 0; l < graph.link_count(); ++l) {
    const std::string expected =
        graph.tier_name(graph.node_tier[at(graph.link_source[at(l)].value)]) + "-" +
        graph.tier_name(graph.node_tier[at(graph.link_target[at(l)].value)]);
    EXPECT_EQ(names[at(graph.link_tier(LinkId{l}))], expected);
  }
}

TEST(GraphBuilder, CablesTurnUpwardsWhateverTheirOrder) {
  GraphShape shape;
  shape.endpoints = {node("a"), node("b")};
  shape.switches = {node("x"), node("y")};
  shape.cables = {cable("x", "a"), cable("y", "x"), cable("b", "y")};
  const Graph graph = build_graph(shape);
  EXPECT_EQ(graph.node_name(graph.link_source[0]), "a");
  EXPECT_EQ(graph.node_name(graph.link_target[0]), "x");
  EXPECT_EQ(graph.node_name(graph.link_source[2]), "x");  // one tier: smaller id first
  EXPECT_EQ(graph.node_name(graph.link_target[2]), "y");
  EXPECT_EQ(graph.node_name(graph.link_source[5]), "y");
  EXPECT_EQ(graph.link_tier_names()[at(graph.link_tier(LinkId{2}))], "tier1-tier1");
  EXPECT_EQ(graph.links_from(graph.find_node("x")).size(), 2U);
}

TEST(GraphBuilder, CablesHaveTheirOwnCapacityLatencyAndCount) {
  GraphShape shape;
  shape.endpoints = {group("A", 2)};
  shape.switches = {group("T", 2)};
  shape.cables = {cable("A0", "T0"), cable("A1", "T1"), cable("T0", "T1")};
  shape.cables[2].capacity_bytes_per_ns = 100;
  shape.cables[2].latency_ns = 5000;
  shape.cables[2].count = 3;
  const Graph graph = build_graph(shape);
  EXPECT_EQ(graph.link_count(), 2 * 5);
  for (std::int32_t l = 4; l < 10; ++l) {
    EXPECT_EQ(graph.link_capacity_bytes_per_ns[at(l)], 100);
    EXPECT_EQ(graph.link_latency_ns[at(l)], 5000);
  }
  EXPECT_EQ(graph.link_capacity_bytes_per_ns[3], 5);
}

GraphShape small() {
  GraphShape shape;
  shape.endpoints = {group("S", 2)};
  shape.switches = {node("spine")};
  shape.cables = {cable("S", "spine")};
  return shape;
}

TEST(GraphBuilder, UnknownEndsAreRefusedWithTheNearestName) {
  GraphShape shape = small();
  shape.cables.push_back(cable("S0", "spina"));
  shape.cables.back().end_marks[1] = {"a.yaml", 7, 12};
  EXPECT_TRUE(contains(fault(shape), "a.yaml:7:12: there is no node or group"));
  EXPECT_TRUE(contains(fault(shape), "did you mean 'spine'?"));
}

TEST(GraphBuilder, DoubledNamesAreRefused) {
  GraphShape shape = small();
  shape.switches.push_back(node("S1"));
  EXPECT_TRUE(contains(fault(shape), "'S1' is given twice"));
  shape = small();
  shape.switches.push_back(node("S"));
  EXPECT_TRUE(contains(fault(shape), "'S' is given twice"));
}

TEST(GraphBuilder, ImpossibleCablesAreRefused) {
  GraphShape shape = small();
  shape.cables.push_back(cable("S0", "S1"));
  EXPECT_TRUE(contains(fault(shape), "joins two endpoints"));
  shape = small();
  shape.cables.push_back(cable("spine", "spine"));
  EXPECT_TRUE(contains(fault(shape), "joins a node with itself"));
  shape = small();
  shape.cables.push_back(cable("S", "S1"));
  EXPECT_TRUE(contains(fault(shape), "joins a node with itself"));
  shape = small();
  shape.cables[0].capacity_bytes_per_ns = 0;
  EXPECT_TRUE(contains(fault(shape), "capacity of a link"));
  shape = small();
  shape.cables[0].latency_ns = 0;
  EXPECT_TRUE(contains(fault(shape), "latency of a link"));
  shape = small();
  shape.cables[0].count = 0;
  EXPECT_TRUE(contains(fault(shape), "count is 0"));
  shape = small();
  shape.cables[0].count = 1'000'000'000'000;
  EXPECT_TRUE(contains(fault(shape), "the most there can be"));
}

TEST(GraphBuilder, ImpossibleNodesAreRefused) {
  GraphShape shape = small();
  shape.endpoints.clear();
  EXPECT_TRUE(contains(fault(shape), "no endpoints"));
  shape = small();
  shape.endpoints.push_back(group("Z", 0));
  EXPECT_TRUE(contains(fault(shape), "'Z' has 0 members"));
  shape = small();
  shape.endpoints.push_back(group("Z", 1'000'000'000'000));
  EXPECT_TRUE(contains(fault(shape), "members; allowed are"));
  shape = small();
  shape.endpoints.push_back(node(""));
  EXPECT_TRUE(contains(fault(shape), "needs a name"));
}

TEST(GraphBuilder, PartsThatCannotReachEachOtherAreNamed) {
  GraphShape shape = small();
  shape.endpoints.push_back(node("lost"));
  shape.switches.push_back(node("far"));
  shape.cables.push_back(cable("lost", "far"));
  EXPECT_TRUE(contains(fault(shape), "S0 and lost cannot reach each other"));
}

TEST(GraphBuilder, SwitchesTooFarFromEndpointsAreRefused) {
  GraphShape shape = small();
  shape.switches.push_back(group("T", 200));
  shape.cables.push_back(cable("spine", "T0"));
  for (int i = 0; i + 1 < 200; ++i) {
    shape.cables.push_back(cable("T" + std::to_string(i), "T" + std::to_string(i + 1)));
  }
  EXPECT_TRUE(contains(fault(shape), "more than 127 hops"));
}

TEST(GraphBuilder, AllFaultsComeAtOnce) {
  GraphShape shape = small();
  shape.endpoints.push_back(node("S0"));
  shape.cables.push_back(cable("S0", "nowhere"));
  shape.cables.push_back(cable("S0", "S1"));
  const std::string text = fault(shape);
  EXPECT_TRUE(contains(text, "given twice"));
  EXPECT_TRUE(contains(text, "nowhere"));
  EXPECT_TRUE(contains(text, "two endpoints"));
}

}  // namespace
}  // namespace tailrace
