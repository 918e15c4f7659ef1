// SPDX-License-Identifier: Apache-2.0
// Short ways to the fat-trees that the tests of topology build.
#pragma once

#include <cstdint>

#include "topology/fat_tree.hpp"
#include "topology/graph.hpp"

namespace tailrace {

inline FatTreeShape fat_tree_shape(std::int32_t tiers, std::int32_t radix, std::int64_t endpoints) {
  FatTreeShape shape;
  shape.tiers = tiers;
  shape.radix = radix;
  shape.endpoints = endpoints;
  shape.capacity_bytes_per_ns.fill(25);  // 200 Gbps
  shape.latency_ns.fill(600);
  return shape;
}

inline Graph fat_tree(std::int32_t tiers, std::int32_t radix, std::int64_t endpoints) {
  return build_fat_tree(fat_tree_shape(tiers, radix, endpoints));
}

}  // namespace tailrace
