// SPDX-License-Identifier: Apache-2.0
// Up-down routes on graphs: against an exhaustive search, through way points, over parallel cables.
#include "topology/up_down.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <deque>
#include <random>
#include <set>
#include <string>
#include <thread>
#include <vector>

#include "error_text.hpp"
#include "fat_tree_shapes.hpp"
#include "graph_shapes.hpp"
#include "topology/routing.hpp"

namespace tailrace {
namespace {

std::size_t at(std::int32_t i) { return static_cast<std::size_t>(i); }

constexpr RoutingOptions ecmp = {RoutingKind::ecmp, 7, false};

std::string text(const Graph& graph, NodeId source, const std::vector<LinkId>& links) {
  std::string result = graph.node_name(source);
  for (const LinkId l : links) result += " " + graph.node_name(graph.link_target[at(l.value)]);
  return result;
}

// Fewest hops of an up-down route through way points in order, by breadth-first search over
// (node, has gone down, way points passed); -1 when there is none.
int exhaustive_hops(const Graph& graph, const UpDownRoutes& routes, NodeId source, NodeId target,
                    const std::vector<NodeId>& via) {
  struct State {
    NodeId node;
    bool down;
    std::size_t passed;
    int hops;
  };
  const std::size_t width = 2 * (via.size() + 1);
  std::vector<bool> seen(graph.node_kind.size() * width, false);
  std::deque<State> pending = {{source, false, 0, 0}};
  while (!pending.empty()) {
    State s = pending.front();
    pending.pop_front();
    while (s.passed < via.size() && via[s.passed] == s.node) ++s.passed;
    if (s.node == target && s.passed == via.size()) return s.hops;
    if (graph.is_endpoint(s.node) && s.hops > 0) continue;
    for (const LinkId l : graph.links_from(s.node)) {
      const bool up = routes.is_up(l);
      if (up && s.down) continue;
      const State next = {graph.link_target[at(l.value)], !up, s.passed, s.hops + 1};
      const std::size_t key = at(next.node.value) * width + 2 * next.passed + (next.down ? 1 : 0);
      if (seen[key]) continue;
      seen[key] = true;
      pending.push_back(next);
    }
  }
  return -1;
}

// A connected random graph: a tree of switches with further cables, and endpoints anywhere, some
// of them on two switches.
Graph random_graph(unsigned seed) {
  std::mt19937 random(seed);
  const auto below = [&](int n) { return static_cast<int>(random() % static_cast<unsigned>(n)); };
  GraphShape shape;
  const int switches = 3 + below(12), endpoints = 2 + below(6);
  shape.endpoints = {group("e", endpoints)};
  shape.switches = {group("s", switches)};
  const auto join = [&](const std::string& a, int i, const std::string& b, int j) {
    shape.cables.push_back(cable(a + std::to_string(i), b + std::to_string(j)));
  };
  for (int s = 1; s < switches; ++s) join("s", s, "s", below(s));
  for (int extra = below(8); extra > 0; --extra) {
    const int a = below(switches), b = below(switches);
    if (a != b) join("s", a, "s", b);
  }
  for (int e = 0; e < endpoints; ++e) {
    for (int cables = 1 + below(5) / 4; cables > 0; --cables) join("e", e, "s", below(switches));
  }
  return build_graph(shape);
}

// Checks one request against the search; returns whether there is a route.
bool check_request(const Graph& graph, const UpDownRoutes& routes, const Router& router,
                   const RouteRequest& request) {
  const std::vector<NodeId> via(request.via.begin(), request.via.end());
  const int expected = exhaustive_hops(graph, routes, request.source, request.target, via);
  std::vector<LinkId> links;
  if (expected < 0) {
    EXPECT_THROW(router.route(request, links), InputError);
    return false;
  }
  router.route(request, links);
  EXPECT_EQ(static_cast<int>(links.size()), expected) << text(graph, request.source, links);
  NodeId here = request.source;
  std::size_t passed = 0;
  bool down = false;
  for (const LinkId l : links) {
    EXPECT_EQ(graph.link_source[at(l.value)], here);
    EXPECT_FALSE(down && routes.is_up(l)) << text(graph, request.source, links);
    down = !routes.is_up(l);
    here = graph.link_target[at(l.value)];
    while (passed < via.size() && via[passed] == here) ++passed;
  }
  EXPECT_EQ(here, request.target);
  EXPECT_EQ(passed, via.size());
  return true;
}

TEST(UpDown, RandomGraphsAgreeWithAnExhaustiveSearch) {
  int routed = 0, refused = 0;
  for (unsigned seed = 1; seed <= 150; ++seed) {
    const Graph graph = random_graph(seed);
    const UpDownRoutes routes(graph);
    const Router router(graph, ecmp);
    std::mt19937 random(seed);
    for (int trial = 0; trial < 40; ++trial) {
      const auto ends = static_cast<unsigned>(graph.endpoint_count);
      const NodeId source{static_cast<std::int32_t>(random() % ends)};
      const NodeId target{static_cast<std::int32_t>(random() % ends)};
      if (source == target) continue;
      std::vector<NodeId> via;
      for (int points = trial % 4; points > 0; --points) {
        const auto switches = static_cast<unsigned>(graph.node_count()) - ends;
        via.push_back(NodeId{static_cast<std::int32_t>(ends + random() % switches)});
      }
      const bool found = check_request(graph, routes, router, {source, target, random(), via});
      ++(found ? routed : refused);
    }
  }
  EXPECT_GT(routed, 1000);  // both sides were really tried
  EXPECT_GT(refused, 200);
}

TEST(UpDown, ParkingLotFollowsItsOnePath) {
  const Graph graph = build_graph(parking_lot());
  const Router router(graph, ecmp);
  const auto find = [&](const char* name) { return graph.find_node(name); };
  const std::vector<NodeId> via = {find("T1"), find("L1"), find("S1"), find("L3"), find("T4")};
  std::vector<LinkId> links;
  router.route({find("H2"), find("R"), 0, via}, links);
  EXPECT_EQ(text(graph, find("H2"), links), "H2 T1 L1 S1 L3 T4 R");
  router.route({find("H2"), find("R")}, links);
  EXPECT_EQ(text(graph, find("H2"), links), "H2 T1 L1 S1 L3 T4 R");
  router.route({find("H4"), find("R")}, links);
  EXPECT_EQ(text(graph, find("H4"), links), "H4 T4 R");
  const std::vector<NodeId> backwards = {find("S1"), find("L1")};
  EXPECT_THROW(router.route({find("H1"), find("R"), 0, backwards}, links), InputError);
}

// Every switch has an endpoint, so all are of one tier: the order by hops from the first switch
// gives every pair of a ring, a line and a torus an up-down route.
TEST(UpDown, GraphsOfOneTierAreFullyRoutable) {
  const auto check = [](std::int32_t switches, auto&& neighbours) {
    GraphShape shape;
    shape.endpoints = {group("e", switches)};
    shape.switches = {group("s", switches)};
    for (std::int32_t s = 0; s < switches; ++s) {
      shape.cables.push_back(cable("e" + std::to_string(s), "s" + std::to_string(s)));
      for (const std::int32_t n : neighbours(s)) {
        shape.cables.push_back(cable("s" + std::to_string(s), "s" + std::to_string(n)));
      }
    }
    const Graph graph = build_graph(shape);
    EXPECT_EQ(graph.tier_count, 1);
    const UpDownRoutes routes(graph);
    const Router router(graph, ecmp);
    for (std::int32_t s = 0; s < switches; ++s) {
      for (std::int32_t t = 0; t < switches; ++t) {
        if (s != t) {
          EXPECT_TRUE(check_request(graph, routes, router, {NodeId{s}, NodeId{t}}));
        }
      }
    }
  };
  using List = std::vector<std::int32_t>;
  check(7, [](std::int32_t s) { return List{(s + 1) % 7}; });
  const List line = {0, 3, 1, 4, 2, 5};
  check(6, [&](std::int32_t s) {
    const auto next = std::find(line.begin(), line.end(), s) + 1;
    return next == line.end() ? List{} : List{*next};
  });
  check(16, [](std::int32_t s) { return List{s / 4 * 4 + (s + 1) % 4, (s + 4) % 16}; });
}

// A valley: T0 - S0 - B - S1 - T1 goes up, down and up again, since B has an endpoint of its own.
TEST(UpDown, ValleysAreRefusedWithTheReason) {
  GraphShape shape;
  shape.endpoints = {group("e", 3)};
  for (const char* name : {"T0", "S0", "B", "S1", "T1"}) shape.switches.push_back(node(name));
  shape.cables = {cable("e0", "T0"), cable("e1", "T1"), cable("e2", "B"), cable("T0", "S0"),
                  cable("S0", "B"),  cable("B", "S1"),  cable("S1", "T1")};
  const Graph graph = build_graph(shape);
  const Router router(graph, ecmp);
  std::vector<LinkId> links;
  const std::string fault = input_error_text([&] { router.route({NodeId{0}, NodeId{1}}, links); });
  EXPECT_TRUE(contains(fault, "no up-down route from e0 to e1"));
  EXPECT_TRUE(contains(fault, "every path goes up again"));
  router.route({NodeId{0}, NodeId{2}}, links);
  EXPECT_EQ(text(graph, NodeId{0}, links), "e0 T0 S0 B e2");
}

// b hangs on both switches, which nothing else joins: endpoints do not forward.
TEST(UpDown, EndpointsDoNotForward) {
  GraphShape shape;
  shape.endpoints = {node("a"), node("b"), node("c")};
  shape.switches = {node("x"), node("y")};
  shape.cables = {cable("a", "x"), cable("b", "x"), cable("b", "y"), cable("c", "y")};
  const Graph graph = build_graph(shape);
  const Router router(graph, ecmp);
  std::vector<LinkId> links;
  const std::string fault = input_error_text([&] { router.route({NodeId{0}, NodeId{2}}, links); });
  EXPECT_TRUE(contains(fault, "no switches join them"));
  router.route({NodeId{0}, NodeId{1}}, links);
  EXPECT_EQ(text(graph, NodeId{0}, links), "a x b");
  router.route({NodeId{2}, NodeId{1}}, links);
  EXPECT_EQ(text(graph, NodeId{2}, links), "c y b");
}

// Parallel cables are equal ways: 4 x 2 between the leaves and 2 at each endpoint, all used.
TEST(UpDown, ParallelCablesAreAllUsed) {
  GraphShape shape;
  shape.endpoints = {group("e", 2)};
  shape.switches = {group("T", 2), group("S", 2)};
  shape.cables = {cable("e0", "T0"), cable("e1", "T1"), cable("T", "S")};
  shape.cables[0].count = shape.cables[1].count = 2;
  shape.cables[2].count = 4;
  const Graph graph = build_graph(shape);
  std::vector<int> flows(at(graph.link_count()), 0);
  const Router router(graph, ecmp);
  std::vector<LinkId> links;
  const int keys = 4000;
  for (std::uint64_t key = 0; key < keys; ++key) {
    router.route({NodeId{0}, NodeId{1}, key}, links);
    ASSERT_EQ(links.size(), 4U);
    for (const LinkId l : links) ++flows[at(l.value)];
  }
  for (std::int32_t l = 0; l < graph.link_count(); ++l) {
    const NodeId from = graph.link_source[at(l)], to = graph.link_target[at(l)];
    const bool outwards = from == NodeId{0} || to == NodeId{1} || (graph.node_name(from) == "T0") ||
                          (graph.node_name(to) == "T1" && !graph.is_endpoint(from));
    const bool back = to == NodeId{0} || from == NodeId{1};
    if (!outwards || back) continue;
    const double mean = graph.is_endpoint(from) || graph.is_endpoint(to) ? keys / 2.0 : keys / 8.0;
    EXPECT_NEAR(flows[at(l)], mean, 5 * std::sqrt(mean));
  }
}

// D-mod-k over parallel cables: 8 endpoints per leaf, 2 spines by 4 cables: target d takes way
// d mod 8 up, so that a shift loads every cable once.
TEST(UpDown, DmodkSpreadsOverParallelCables) {
  GraphShape shape;
  shape.endpoints = {group("a", 8), group("b", 8)};
  shape.switches = {group("T", 2), group("S", 2)};
  shape.cables = {cable("a", "T0"), cable("b", "T1"), cable("T", "S")};
  shape.cables[2].count = 4;
  const Graph graph = build_graph(shape);
  const Router router(graph, {RoutingKind::dmodk, 1, false});
  std::set<std::int32_t> used;
  std::vector<LinkId> links;
  for (std::int32_t i = 0; i < 8; ++i) {
    router.route({NodeId{i}, NodeId{8 + i}}, links);
    for (const LinkId l : links) used.insert(l.value);
  }
  EXPECT_EQ(used.size(), 8U * 4U);
}

TEST(UpDown, ThreadsAndDroppedTablesDoNotChangeRoutes) {
  const Graph graph = fat_tree(3, 8, 128);
  const auto all_routes = [&](const UpDownRoutes& routes, std::int32_t shift) {
    std::vector<LinkId> links;
    for (std::int32_t i = 0; i < 128 * 127; ++i) {
      const std::int32_t s = i % 128, t = (s + 1 + (i / 128 + shift) % 127) % 128;
      const RouteRequest request = {NodeId{s}, NodeId{t}};
      routes.append_route(request, RouteChoice(ecmp, request), links);
    }
    return links;
  };
  const std::vector<LinkId> expected = all_routes(UpDownRoutes(graph), 0);
  const UpDownRoutes small(graph, 2000);  // room for a few tables only
  std::vector<std::vector<LinkId>> found(4);
  std::vector<std::thread> threads;
  for (auto& links : found) {
    threads.emplace_back([&] { links = all_routes(small, 0); });
  }
  for (auto& thread : threads) thread.join();
  for (const auto& links : found) EXPECT_EQ(links, expected);
}

}  // namespace
}  // namespace tailrace
