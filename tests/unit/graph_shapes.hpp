// SPDX-License-Identifier: Apache-2.0
// Short ways to the graphs that the tests of topology build.
#pragma once

#include <cstdint>
#include <string>

#include "topology/graph_builder.hpp"

namespace tailrace {

inline GraphShape::Nodes node(const std::string& name) { return {name, false, 1, {}}; }

inline GraphShape::Nodes group(const std::string& name, std::int64_t count) {
  return {name, true, count, {}};
}

/// 40 Gbps and 1 us.
inline GraphShape::Cable cable(const std::string& a, const std::string& b) {
  return {{a, b}, 5, 1000, 1, {}, {}};
}

/// H1..H3 under T1, H4 and R under T4, one path T1 - L1 - S1 - L3 - T4 between them (figure 3 of
/// Zhu et al., "Congestion control for large-scale RDMA deployments", 2015).
inline GraphShape parking_lot() {
  GraphShape shape;
  for (const char* name : {"H1", "H2", "H3", "H4", "R"}) shape.endpoints.push_back(node(name));
  for (const char* name : {"T1", "L1", "S1", "L3", "T4"}) shape.switches.push_back(node(name));
  shape.cables = {cable("H1", "T1"), cable("H2", "T1"), cable("H3", "T1"),
                  cable("T1", "L1"), cable("L1", "S1"), cable("S1", "L3"),
                  cable("L3", "T4"), cable("H4", "T4"), cable("T4", "R")};
  return shape;
}

}  // namespace tailrace
