// SPDX-License-Identifier: Apache-2.0
// What people are told of a fabric: counts, oversubscription, bisection, oddities.
#include <gtest/gtest.h>

#include "error_text.hpp"
#include "fat_tree_shapes.hpp"
#include "graph_shapes.hpp"
#include "topology/fabric.hpp"

namespace tailrace {
namespace {

// The line that begins with `start`, or nothing.
std::string line_of(const std::string& text, const std::string& start) {
  const std::size_t begin = ("\n" + text).find("\n" + start);
  if (begin == std::string::npos) return {};
  return text.substr(begin, text.find('\n', begin) - begin);
}

// Full tree of radix 8: 128 x 25 B/ns per level, 200 Gbps each: half of 25.6 Tbps cross each way.
TEST(DescribeFabric, FullTree) {
  const std::string text = describe_fabric(fat_tree(3, 8, 128));
  EXPECT_TRUE(contains(text,
                       "fat-tree of 3 tiers of 8-port switches: 128 endpoints, 80 switches, "
                       "384 cables"));
  EXPECT_TRUE(contains(line_of(text, "leaf "), "32  4 down, 4 up (of 8 ports)")) << text;
  EXPECT_TRUE(contains(line_of(text, "core "), "16  8 down (of 8 ports)")) << text;
  EXPECT_TRUE(contains(line_of(text, "leaf-spine"), "128  200 Gbps")) << text;
  EXPECT_TRUE(contains(line_of(text, "oversubscription"), "leaf 1:1, spine 1:1")) << text;
  EXPECT_TRUE(contains(line_of(text, "bisection"), "12.8 Tbps")) << text;
  EXPECT_TRUE(contains(line_of(text, "longest route"), "6 hops")) << text;
  EXPECT_TRUE(contains(line_of(text, "oddities"), "none")) << text;
}

// Radix 8 at 3:1: 6 down, 2 up; 45 endpoints: 8 leaves, the last with 3 of 6. The leaves' 16
// uplinks of 200 Gbps are the narrowest level: half of 3.2 Tbps.
TEST(DescribeFabric, OversubscribedPartialTree) {
  FatTreeShape shape = fat_tree_shape(2, 8, 45);
  shape.oversubscription[0] = 3;
  const std::string text = describe_fabric(build_fat_tree(shape));
  EXPECT_TRUE(contains(line_of(text, "oversubscription"), "leaf 1.5:1 to 3:1")) << text;
  EXPECT_TRUE(contains(line_of(text, "bisection"), "1.60 Tbps")) << text;
  EXPECT_TRUE(contains(text, "partial leaf: leaf7 has 3 of 6 endpoints")) << text;
}

TEST(DescribeFabric, PortsThatStayFreeAreNamed) {
  const std::string text = describe_fabric(fat_tree(3, 7, 12));
  EXPECT_TRUE(contains(text, "every leaf leaves 1 of its 7 ports unused")) << text;
  EXPECT_TRUE(contains(text, "every core leaves 5 of its 7 ports unused")) << text;
  EXPECT_TRUE(contains(text, "partial pod: pod 1 has 1 of 3 leaves")) << text;
}

// Three senders behind one cable of 40 Gbps, one beside the receiver: the cut that halves the
// five endpoints goes through the path.
TEST(DescribeFabric, GraphWithOddities) {
  GraphShape shape = parking_lot();
  shape.switches.push_back(node("lonely"));
  shape.cables.push_back(cable("L1", "lonely"));
  shape.cables[4].count = 2;
  shape.cables[3].capacity_bytes_per_ns = 12.5;
  const std::string text = describe_fabric(build_graph(shape));
  EXPECT_TRUE(contains(text, "graph of 3 tiers: 5 endpoints, 6 switches, 11 cables")) << text;
  EXPECT_TRUE(contains(line_of(text, "bisection"), "at most 40.0 Gbps")) << text;
  EXPECT_TRUE(contains(line_of(text, "longest route"), "6 hops")) << text;
  EXPECT_TRUE(contains(text, "parallel cables between 1 pair of nodes (L1 and S1 by 2)")) << text;
  EXPECT_TRUE(contains(text, "dead ends: 1 switch with one neighbour only (lonely)")) << text;
  EXPECT_TRUE(contains(text, "mixed capacities of tier1-tier2 cables")) << text;
  EXPECT_TRUE(contains(text, "asymmetric uplinks: tier2 nodes have")) << text;
}

}  // namespace
}  // namespace tailrace
