// SPDX-License-Identifier: Apache-2.0
// Fat-trees of one to three tiers: from a few numbers to ports, counts, ids and the graph.
#pragma once

#include <array>
#include <cstdint>

#include "solver/base/errors.hpp"
#include "solver/base/ids.hpp"

namespace tailrace {

struct Graph;

/// What a user says of a fat-tree. Levels count from the endpoints: level 0 joins endpoints and
/// leaves, level 1 leaves and spines, level 2 spines and cores.
struct FatTreeShape {
  std::int32_t tiers = 0;      ///< 1, 2, 3; 0: the fewest that hold `endpoints`
  std::int32_t radix = 0;      ///< ports per switch
  std::int64_t endpoints = 0;  ///< at least 1
  /// Downlinks to uplinks of a leaf and of a spine. Of a radix of k ports, d lead down and u up:
  /// the largest d with u = ceil(d / oversubscription) and d + u <= k. So the tree is never more
  /// oversubscribed than asked for; ports may be left over (radix 40 at 2:1: 26 down, 13 up).
  std::array<double, 2> oversubscription = {1.0, 1.0};
  std::array<double, 3> capacity_bytes_per_ns = {0, 0, 0};  ///< by level
  std::array<double, 3> latency_ns = {0, 0, 0};             ///< by level
  Mark mark;                                                ///< place of the topology
  Mark radix_mark, endpoints_mark, oversubscription_mark;   ///< places of single keys
};

/// Counts and numbering of a built fat-tree. Endpoints are packed from e0 up; only the leaves and
/// pods that they need are built. A pod has as many spines as a leaf has uplinks, and uplink j of
/// a leaf leads to spine j of its pod; uplink j of spine s (of its pod) leads to core
/// j * spines_per_pod + s. A tree of two tiers is one pod without cores; one tier is one leaf.
struct FatTreePlan {
  std::int32_t tiers = 0, radix = 0, endpoints = 0;
  std::int32_t leaf_down = 0, leaf_up = 0;    ///< ports of a leaf
  std::int32_t spine_down = 0, spine_up = 0;  ///< ports of a spine
  std::int32_t leaves = 0, pods = 0, spines = 0, cores = 0;
  std::int64_t largest = 0;  ///< endpoints that the tree could have

  std::int32_t leaves_per_pod() const { return spine_down; }
  std::int32_t spines_per_pod() const { return leaf_up; }
  // node ids
  NodeId leaf(std::int32_t index) const { return NodeId{endpoints + index}; }
  NodeId spine(std::int32_t index) const { return NodeId{endpoints + leaves + index}; }
  NodeId core(std::int32_t index) const { return NodeId{endpoints + leaves + spines + index}; }
  // places in the tree
  std::int32_t leaf_of(NodeId endpoint) const { return endpoint.value / leaf_down; }
  std::int32_t pod_of_leaf(std::int32_t index) const { return index / spine_down; }
  /// Endpoints under one leaf; fewer under the last.
  std::int32_t endpoints_of_leaf(std::int32_t index) const;
  // upward links by their lower end; the reverse is the downward one
  LinkId endpoint_uplink(NodeId endpoint) const { return LinkId{2 * endpoint.value}; }
  LinkId leaf_uplink(std::int32_t index, std::int32_t port) const {
    return LinkId{2 * (endpoints + index * leaf_up + port)};
  }
  LinkId spine_uplink(std::int32_t index, std::int32_t port) const {
    return LinkId{2 * (endpoints + leaves * leaf_up + index * spine_up + port)};
  }
  std::int32_t cable_count() const { return endpoints + leaves * leaf_up + spines * spine_up; }
};

/// The plan of a shape. Throws InputError, all faults at once: radix, endpoints or
/// oversubscription out of range, more endpoints than the tree can have (says how many it can).
FatTreePlan plan_fat_tree(const FatTreeShape& shape);

/// The graph of a shape. Throws as plan_fat_tree, and for capacities and latencies that are not
/// positive.
Graph build_fat_tree(const FatTreeShape& shape);

}  // namespace tailrace
