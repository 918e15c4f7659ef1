// SPDX-License-Identifier: Apache-2.0
// Routes in fat-trees: d-mod-k without contention, the balance of ECMP, polarisation, way points.
#include "topology/routing.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <set>
#include <string>
#include <vector>

#include "error_text.hpp"
#include "fat_tree_shapes.hpp"
#include "topology/up_down.hpp"

namespace tailrace {
namespace {

std::size_t at(std::int32_t i) { return static_cast<std::size_t>(i); }

constexpr RoutingOptions dmodk = {RoutingKind::dmodk, 1, false};

RoutingOptions ecmp(std::uint64_t seed, bool polarised = false) {
  return {RoutingKind::ecmp, seed, polarised};
}

// A route is a chain of links from source to target that never goes up after it has gone down.
void expect_route(const Graph& graph, NodeId source, NodeId target,
                  const std::vector<LinkId>& links) {
  ASSERT_FALSE(links.empty());
  NodeId here = source;
  bool down = false;
  for (const LinkId l : links) {
    ASSERT_EQ(graph.link_source[at(l.value)], here);
    const bool up = (l.value & 1) == 0;
    ASSERT_FALSE(up && down);
    down = !up;
    here = graph.link_target[at(l.value)];
  }
  ASSERT_EQ(here, target);
}

TEST(Routing, TreeRoutesAreShortestUpDownRoutes) {
  FatTreeShape shape = fat_tree_shape(3, 9, 101);
  shape.oversubscription = {1.5, 2};
  const Graph graph = build_fat_tree(shape);
  const UpDownRoutes tables(graph);
  std::vector<LinkId> links;
  for (const RoutingOptions& options : {dmodk, ecmp(5), ecmp(5, true)}) {
    const Router router(graph, options);
    for (std::int32_t s = 0; s < graph.endpoint_count; ++s) {
      for (std::int32_t t = 0; t < graph.endpoint_count; ++t) {
        if (s == t) continue;
        router.route({NodeId{s}, NodeId{t}}, links);
        expect_route(graph, NodeId{s}, NodeId{t}, links);
        ASSERT_EQ(static_cast<std::int32_t>(links.size()), tables.hops(NodeId{s}, NodeId{t}));
      }
    }
  }
}

// The arithmetic of trees and the distance tables of graphs make the same choices with d-mod-k.
TEST(Routing, ArithmeticAndTablesAgreeOnDmodk) {
  for (const auto& [tiers, radix, endpoints, leaf] :
       {std::tuple{2, 8, 30, 1.0}, {3, 8, 128, 1.0}, {3, 8, 90, 3.0}, {3, 7, 50, 1.0}}) {
    FatTreeShape shape = fat_tree_shape(tiers, radix, endpoints);
    shape.oversubscription[0] = leaf;
    const Graph graph = build_fat_tree(shape);
    const Router router(graph, dmodk);
    const UpDownRoutes tables(graph);
    std::vector<LinkId> links, by_tables;
    for (std::int32_t s = 0; s < endpoints; ++s) {
      for (std::int32_t t = 0; t < endpoints; ++t) {
        if (s == t) continue;
        const RouteRequest request = {NodeId{s}, NodeId{t}};
        router.route(request, links);
        by_tables.clear();
        tables.append_route(request, RouteChoice(dmodk, request), by_tables);
        ASSERT_EQ(links, by_tables) << s << " " << t;
      }
    }
  }
}

// Most flows on one link under the permutation e_i -> e_(i + shift) mod n.
int most_flows_per_link(const Graph& graph, const Router& router, std::int32_t shift) {
  std::vector<int> flows(at(graph.link_count()), 0);
  std::vector<LinkId> links;
  for (std::int32_t i = 0; i < graph.endpoint_count; ++i) {
    router.route({NodeId{i}, NodeId{(i + shift) % graph.endpoint_count}}, links);
    for (const LinkId l : links) ++flows[at(l.value)];
  }
  return *std::max_element(flows.begin(), flows.end());
}

// D-mod-k routes every shift of a full non-blocking tree without contention (Zahavi et al. 2010).
TEST(Routing, DmodkRoutesShiftsOfFullTreesWithoutContention) {
  for (const auto& [tiers, radix, endpoints] :
       {std::tuple{2, 8, 32}, {3, 4, 16}, {3, 8, 128}, {3, 6, 54}}) {
    const Graph graph = fat_tree(tiers, radix, endpoints);
    const Router router(graph, dmodk);
    for (std::int32_t shift = 1; shift < endpoints; ++shift) {
      ASSERT_EQ(most_flows_per_link(graph, router, shift), 1) << radix << " shift " << shift;
    }
  }
}

TEST(Routing, DmodkRoutesTheRingOfPartlyFilledTreesWithoutContention) {
  for (const auto& [radix, endpoints] :
       {std::pair{40, 10000}, {40, 9993}, {32, 5001}, {8, 77}, {7, 60}}) {
    const Graph graph = fat_tree(3, radix, endpoints);
    EXPECT_EQ(most_flows_per_link(graph, Router(graph, dmodk), 1), 1) << radix;
  }
  const Graph graph = fat_tree(3, 40, 10000);
  EXPECT_EQ(most_flows_per_link(graph, Router(graph, dmodk), 400), 1);
  EXPECT_EQ(most_flows_per_link(graph, Router(graph, dmodk), 777), 1);
}

// All flows to one endpoint come down by one core: the spine above it and the core are given by
// the target alone, d mod 4 and (d / 4) mod 4 at radix 8.
TEST(Routing, DmodkIsStaticByDestination) {
  const Graph graph = fat_tree(3, 8, 128);
  const Router router(graph, dmodk);
  std::vector<LinkId> links;
  for (std::int32_t t = 0; t < 128; ++t) {
    for (std::int32_t s = 0; s < 128; ++s) {
      if (s / 16 == t / 16) continue;
      router.route({NodeId{s}, NodeId{t}}, links);
      const NodeId core = graph.link_target[at(links[2].value)];
      ASSERT_EQ(graph.node_name(core), "core" + std::to_string(t / 4 % 4 * 4 + t % 4));
    }
  }
}

// m equal flows on n equal links, expected maximum / mean: 16 on 16: 3.06; 64 on 16: 1.97; 256 on
// 16: 1.47; 1000 on 16: 1.228; 1024 on 64: 1.63 (balls into bins). Within four standard errors of
// the mean over the seeds and the rounding of these figures.
TEST(Routing, EcmpIsAsUnevenAsBallsInBins) {
  struct Case {
    std::int32_t flows, links;
    double expected, rounding;
  };
  for (const Case& c : {Case{16, 16, 3.06, 0.005},
                        {64, 16, 1.97, 0.005},
                        {256, 16, 1.47, 0.005},
                        {1000, 16, 1.228, 0.0005},
                        {1024, 64, 1.63, 0.005}}) {
    const Graph graph = fat_tree(2, 2 * c.links, 2 * c.links);  // two leaves of `links` endpoints
    const int seeds = 1000;
    double sum = 0, squares = 0;
    std::vector<LinkId> links;
    for (int seed = 0; seed < seeds; ++seed) {
      const Router router(graph, ecmp(static_cast<std::uint64_t>(seed)));
      std::vector<int> load(at(graph.link_count()), 0);
      for (std::int32_t f = 0; f < c.flows; ++f) {
        const NodeId source{f % c.links}, target{c.links + f / c.links % c.links};
        router.route({source, target, static_cast<std::uint64_t>(f)}, links);
        ++load[at(links[1].value)];
      }
      const double uneven = *std::max_element(load.begin(), load.end()) * double(c.links) / c.flows;
      sum += uneven;
      squares += uneven * uneven;
    }
    const double mean = sum / seeds;
    const double error = std::sqrt((squares / seeds - mean * mean) / seeds);
    EXPECT_NEAR(mean, c.expected, 4 * error + c.rounding) << c.flows << " on " << c.links;
  }
}

TEST(Routing, HashKeySeedAndPairEachChangeTheChoice) {
  const Graph graph = fat_tree(2, 128, 128);
  std::vector<LinkId> links;
  std::set<std::int32_t> by_key, by_seed, by_source, by_target;
  for (std::int32_t i = 0; i < 64; ++i) {
    const auto value = static_cast<std::uint64_t>(i);
    const Router one(graph, ecmp(1));
    one.route({NodeId{0}, NodeId{64}, value}, links);
    by_key.insert(links[1].value);
    one.route({NodeId{i}, NodeId{64}}, links);
    by_source.insert(links[1].value);
    one.route({NodeId{0}, NodeId{64 + i}}, links);
    by_target.insert(links[1].value);
    Router(graph, ecmp(value)).route({NodeId{0}, NodeId{64}}, links);
    by_seed.insert(links[1].value);
  }
  // 64 balls in 64 bins fill 40 on average, with a deviation of 2.5.
  for (const auto& choices : {by_key, by_seed, by_source, by_target}) {
    EXPECT_GT(choices.size(), 28U);
  }
}

// Radix 16: 8 x 8 ways out of a leaf to another pod. With one hash for all tiers the spine repeats
// the leaf's choice, so that only 8 of them are used.
TEST(Routing, PolarisedHashesUseFewOfTheWays) {
  const Graph graph = fat_tree(3, 16, 1024);
  const auto ways = [&](bool polarised) {
    const Router router(graph, ecmp(3, polarised));
    std::set<std::int32_t> cores;
    std::vector<LinkId> links;
    for (std::uint64_t key = 0; key < 2000; ++key) {
      router.route({NodeId{0}, NodeId{1000}, key}, links);
      cores.insert(links[2].value);
    }
    return cores.size();
  };
  EXPECT_EQ(ways(false), 64U);
  EXPECT_EQ(ways(true), 8U);
}

std::vector<NodeId> find(const Graph& graph, const std::vector<std::string>& names) {
  std::vector<NodeId> nodes;
  for (const std::string& name : names) nodes.push_back(graph.find_node(name));
  return nodes;
}

// Radix 8: pod p has spines 4p to 4p+3, core c hangs on those of index c mod 4. Rows as in a
// packet-level run's list of routes (source, target, aggregation switch, core or none).
TEST(Routing, WayPointsPinSpineAndCore) {
  const Graph graph = fat_tree(3, 8, 128);
  const Router router(graph, ecmp(1));
  std::vector<LinkId> links;
  struct Row {
    std::int32_t source, target, spine, core;
  };
  for (const Row& row : {Row{14, 127, 3, 3}, {46, 43, 11, -1}, {36, 85, 8, 12}, {4, 118, 1, 9}}) {
    std::vector<std::string> names = {"spine" + std::to_string(row.spine)};
    if (row.core >= 0) names.push_back("core" + std::to_string(row.core));
    const std::vector<NodeId> via = find(graph, names);
    router.route({NodeId{row.source}, NodeId{row.target}, 0, via}, links);
    expect_route(graph, NodeId{row.source}, NodeId{row.target}, links);
    ASSERT_EQ(links.size(), row.core >= 0 ? 6U : 4U);
    EXPECT_EQ(graph.link_target[at(links[1].value)], via[0]);
    if (row.core >= 0) {
      EXPECT_EQ(graph.link_target[at(links[2].value)], via[1]);
    }
  }
}

TEST(Routing, WayPointsMayMakeTheRouteLonger) {
  const Graph graph = fat_tree(3, 8, 128);
  const Router router(graph, dmodk);
  std::vector<LinkId> links;
  std::vector<NodeId> via = find(graph, {"core5"});  // between two leaves of one pod
  router.route({NodeId{0}, NodeId{4}, 0, via}, links);
  expect_route(graph, NodeId{0}, NodeId{4}, links);
  EXPECT_EQ(links.size(), 6U);
  via = find(graph, {"e0", "leaf0", "spine1", "core5", "spine1", "leaf1", "e4"});
  router.route({NodeId{0}, NodeId{4}, 0, via}, links);
  EXPECT_EQ(links.size(), 6U);
}

TEST(Routing, ImpossibleRoutesAreRefused) {
  const Graph graph = fat_tree(3, 8, 128);
  const Router router(graph, ecmp(1));
  std::vector<LinkId> links;
  const auto fault = [&](std::int32_t s, std::int32_t t, const std::vector<std::string>& names) {
    const std::vector<NodeId> via = find(graph, names);
    return input_error_text([&] { router.route({NodeId{s}, NodeId{t}, 0, via}, links); });
  };
  // core4 does not hang on spine3; spine4 is in another pod; core before spine goes up again.
  EXPECT_TRUE(contains(fault(0, 127, {"spine3", "core4"}), "no up-down route from e0 to e127"));
  EXPECT_TRUE(contains(fault(0, 127, {"spine3", "core4"}), "come to spine3"));
  EXPECT_TRUE(contains(fault(0, 15, {"spine0", "spine4"}), "no up-down route"));
  EXPECT_TRUE(contains(fault(0, 15, {"core0", "leaf5"}), "no up-down route"));
  EXPECT_TRUE(contains(fault(0, 127, {"e5"}), "e5 of the route from e0 to e127 is an endpoint"));
  EXPECT_TRUE(contains(fault(7, 7, {}), "no route from e7 to itself"));
  EXPECT_THROW(router.route({NodeId{0}, NodeId{}}, links), TailraceError);
  EXPECT_THROW(router.route({NodeId{0}, graph.find_node("leaf3")}, links), TailraceError);
}

}  // namespace
}  // namespace tailrace
