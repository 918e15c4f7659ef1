// SPDX-License-Identifier: Apache-2.0
// From a deck's `fabric` to the graph and the router: every key has its effect or is refused.
#include <gtest/gtest.h>

#include <algorithm>
#include <set>
#include <string>
#include <vector>

#include "deck_text.hpp"
#include "error_text.hpp"
#include "topology/fabric.hpp"
#include "topology/routing.hpp"

namespace tailrace {
namespace {

using testing_decks::changed;
using testing_decks::credit_deck;
using testing_decks::load;
using testing_decks::pfc_deck;

std::size_t at(std::int32_t i) { return static_cast<std::size_t>(i); }

const std::string tree_line = "{kind: fat_tree, tiers: 2, radix: 8, endpoints: 16}";
const std::string link_line = "{capacity: 200 Gbps, latency: 600 ns}";

Graph tree(const std::string& topology, const std::string& link = link_line) {
  return build_fabric(load(changed(changed(credit_deck, tree_line, topology), link_line, link)));
}

std::string tree_fault(const std::string& topology, const std::string& link = link_line) {
  return input_error_text([&] { tree(topology, link); });
}

TEST(FabricDeck, FatTreeReadsItsNumbers) {
  const Graph graph = tree("{kind: fat_tree, tiers: 3, radix: 6, endpoints: 20}");
  EXPECT_EQ(graph.fat_tree->tiers, 3);
  EXPECT_EQ(graph.fat_tree->radix, 6);
  EXPECT_EQ(graph.endpoint_count, 20);
  EXPECT_EQ(graph.link_capacity_bytes_per_ns[0], 25);
  EXPECT_EQ(graph.link_latency_ns[0], 600);
}

TEST(FabricDeck, TiersAreAutomaticUnlessGiven) {
  EXPECT_EQ(tree("{kind: fat_tree, radix: 8, endpoints: 8}").tier_count, 1);
  EXPECT_EQ(tree("{kind: fat_tree, tiers: auto, radix: 8, endpoints: 20}").tier_count, 2);
  EXPECT_EQ(tree("{kind: fat_tree, tiers: auto, radix: 8, endpoints: 40}").tier_count, 3);
}

// Radix 8 at 3:1 is 6 down and 2 up.
TEST(FabricDeck, OversubscriptionIsForAllLevelsOrByLevel) {
  const std::string start =
      "{kind: fat_tree, radix: 8, endpoints: 100, tiers: 3, oversubscription: ";
  FatTreePlan plan = *tree(start + "3}").fat_tree;
  EXPECT_EQ(plan.leaf_down, 6);
  EXPECT_EQ(plan.spine_down, 6);
  plan = *tree(start + "{leaf: 3}}").fat_tree;
  EXPECT_EQ(plan.leaf_down, 6);
  EXPECT_EQ(plan.spine_down, 4);
  plan = *tree(start + "{spine: 3}}").fat_tree;
  EXPECT_EQ(plan.leaf_down, 4);
  EXPECT_EQ(plan.spine_down, 6);
  plan = *tree("{kind: fat_tree, radix: 8, endpoints: 30, tiers: 2, oversubscription: 3}").fat_tree;
  EXPECT_EQ(plan.leaf_up, 2);
  EXPECT_TRUE(contains(
      tree_fault(
          "{kind: fat_tree, radix: 8, endpoints: 30, tiers: 2, oversubscription: {spine: 3}}"),
      "needs cores"));
}

TEST(FabricDeck, CapacityAndLatencyByTier) {
  const std::string link =
      "{capacity: 200 Gbps, latency: 600 ns, tiers: {endpoint: {latency: 500 ns}, leaf: {capacity: "
      "400 Gbps}, spine: {capacity: 800 Gbps, latency: 900 ns}}}";
  const Graph graph = tree("{kind: fat_tree, tiers: 3, radix: 4, endpoints: 16}", link);
  const FatTreePlan& plan = *graph.fat_tree;
  const auto expect = [&](LinkId l, double capacity, double latency) {
    EXPECT_EQ(graph.link_capacity_bytes_per_ns[at(l.value)], capacity);
    EXPECT_EQ(graph.link_latency_ns[at(l.value)], latency);
    EXPECT_EQ(graph.link_capacity_bytes_per_ns[at(l.value + 1)], capacity);
    EXPECT_EQ(graph.link_latency_ns[at(l.value + 1)], latency);
  };
  expect(plan.endpoint_uplink(NodeId{3}), 25, 500);
  expect(plan.leaf_uplink(2, 1), 50, 600);
  expect(plan.spine_uplink(2, 1), 100, 900);
  EXPECT_TRUE(contains(tree_fault(tree_line, link), "no cables above its spine tier"));
}

TEST(FabricDeck, ImpossibleFabricsNamePlaceAndLargest) {
  const std::string text = tree_fault("{kind: fat_tree, tiers: 2, radix: 8, endpoints: 33}");
  EXPECT_TRUE(text.starts_with("d.yaml:2:")) << text;
  EXPECT_TRUE(contains(text, "largest possible has 32")) << text;
}

Graph graph(const std::string& links, const std::string& endpoints = "{S: 2, R: 1}",
            const std::string& switches = "[T]") {
  std::string deck = changed(pfc_deck, "[[S, T], [T, R]]", links);
  deck = changed(deck, "endpoints: {S: 2, R: 1}", "endpoints: " + endpoints);
  return build_fabric(load(changed(deck, "switches: [T]", "switches: " + switches)));
}

std::string graph_fault(const std::string& links, const std::string& endpoints = "{S: 2, R: 1}",
                        const std::string& switches = "[T]") {
  return input_error_text([&] { graph(links, endpoints, switches); });
}

TEST(FabricDeck, GraphReadsGroupsListsAndLinks) {
  const Graph small = graph("[[S, T], [T, R]]");
  EXPECT_EQ(small.node_count(), 4);
  EXPECT_EQ(small.node_name(NodeId{2}), "R0");
  EXPECT_EQ(small.link_count(), 6);
  EXPECT_EQ(small.link_capacity_bytes_per_ns[0], 5);
  EXPECT_EQ(small.link_latency_ns[0], 1000);
  const Graph mixed = graph(
      "[[S, L], {between: [R, L1], capacity: 100 Gbps}, {between: [L0, L1], latency: 5 us, count: "
      "3}]",
      "[S, R]", "{L: 2}");
  EXPECT_EQ(mixed.link_count(), 2 * (2 + 1 + 3));
  EXPECT_EQ(mixed.node_name(NodeId{3}), "L1");
  EXPECT_EQ(mixed.link_capacity_bytes_per_ns[4], 12.5);
  EXPECT_EQ(mixed.link_latency_ns[4], 1000);
  EXPECT_EQ(mixed.link_latency_ns[6], 5000);
  EXPECT_EQ(mixed.link_latency_ns[11], 5000);
}

TEST(FabricDeck, GraphFaultsNameTheirPlace) {
  // Line 6 of the deck holds the links: "    links: [[S, T], [T, R]]".
  EXPECT_TRUE(
      contains(graph_fault("[[S, T], [T, Q]]"), "d.yaml:6:25: there is no node or group 'Q'"))
      << graph_fault("[[S, T], [T, Q]]");
  EXPECT_TRUE(contains(graph_fault("[[S, T], [T, R], [S0, S1]]"), "d.yaml:6:29: link [S0, S1]"));
  EXPECT_TRUE(contains(graph_fault("[[S, T], [T, R]]", "{S: 2, R: 1, T: 1}"), "d.yaml:5:"));
  EXPECT_TRUE(contains(graph_fault("[[S, T]]"), "S0 and R0 cannot reach each other"));
}

// The keys of fabric.routing reach the router: d-mod-k takes the spine d mod 4, ecmp by seed.
TEST(FabricDeck, RoutingKeysChangeTheRoutes) {
  const auto spines = [](const std::string& routing) {
    const Deck deck = load(changed(credit_deck, "routing: {kind: dmodk}", "routing: " + routing));
    const Graph fabric = build_fabric(deck);
    const Router router(fabric, deck);
    std::vector<std::int32_t> result;
    std::vector<LinkId> links;
    for (std::int32_t target = 4; target < 16; ++target) {
      router.route({NodeId{0}, NodeId{target}}, links);
      result.push_back(fabric.link_target[at(links[1].value)].value);
    }
    return result;
  };
  const auto fixed = spines("{kind: dmodk}");
  for (std::size_t i = 0; i < fixed.size(); ++i) {
    EXPECT_EQ(fixed[i], 16 + 4 + static_cast<std::int32_t>(i % 4));
  }
  EXPECT_NE(spines("{kind: ecmp, seed: 1}"), fixed);
  EXPECT_NE(spines("{kind: ecmp, seed: 1}"), spines("{kind: ecmp, seed: 2}"));
  EXPECT_NE(spines("{kind: ecmp, seed: 1}"), spines("{kind: ecmp, seed: 1, hash: polarised}"));
  EXPECT_EQ(spines("{kind: ecmp, seed: 1}"), spines("{kind: ecmp, hash: independent}"));
}

}  // namespace
}  // namespace tailrace
