// SPDX-License-Identifier: Apache-2.0
// Routes in a fat-tree, computed from node numbers alone.
#pragma once

#include <cstdint>
#include <vector>

#include "topology/fat_tree.hpp"
#include "topology/route_choice.hpp"

namespace tailrace {

/// Appends the shortest route between two different endpoints to `links`. The only choices are the
/// uplinks of the source's leaf and, between pods, of the spine above; the way down is given by
/// them. Destination-mod-k: leaf port = d mod leaf_up, spine port = (d / leaf_up) mod spine_up, so
/// that all flows to one endpoint meet in one core (Zahavi et al., "Optimized InfiniBand fat-tree
/// routing for shift all-to-all communication patterns", 2010).
inline void append_tree_route(const FatTreePlan& plan, const RouteChoice& choice, NodeId source,
                              NodeId target, std::vector<LinkId>& links) {
  const std::int32_t source_leaf = plan.leaf_of(source);
  const std::int32_t target_leaf = plan.leaf_of(target);
  const auto leaf_up = static_cast<std::uint32_t>(plan.leaf_up);
  links.push_back(plan.endpoint_uplink(source));
  if (source_leaf != target_leaf) {
    const auto leaf_port =
        static_cast<std::int32_t>(choice.pick(plan.leaf(source_leaf), leaf_up, 1));
    const std::int32_t source_pod = plan.pod_of_leaf(source_leaf);
    const std::int32_t target_pod = plan.pod_of_leaf(target_leaf);
    links.push_back(plan.leaf_uplink(source_leaf, leaf_port));
    if (source_pod != target_pod) {
      const std::int32_t source_spine = source_pod * plan.spines_per_pod() + leaf_port;
      const std::int32_t target_spine = target_pod * plan.spines_per_pod() + leaf_port;
      const auto spine_port = static_cast<std::int32_t>(choice.pick(
          plan.spine(source_spine), static_cast<std::uint32_t>(plan.spine_up), leaf_up));
      links.push_back(plan.spine_uplink(source_spine, spine_port));
      links.push_back(LinkId{plan.spine_uplink(target_spine, spine_port).value ^ 1});
    }
    links.push_back(LinkId{plan.leaf_uplink(target_leaf, leaf_port).value ^ 1});
  }
  links.push_back(LinkId{plan.endpoint_uplink(target).value ^ 1});
}

}  // namespace tailrace
