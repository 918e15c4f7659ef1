// SPDX-License-Identifier: Apache-2.0
// The fabric as a graph: nodes, links (one per direction of a cable), tiers, pods and names.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "solver/base/ids.hpp"
#include "topology/fat_tree.hpp"

namespace tailrace {

enum class NodeKind : std::uint8_t { endpoint, switch_ };

/// A name that stands for several nodes: `S: 8` in a deck is S0..S7.
struct NodeGroup {
  std::string name;
  NodeId first;            ///< members are consecutive ids
  std::int32_t count = 0;  ///< number of members
};

/// The whole fabric, held by every rank (about 50 bytes per link). Node ids: endpoints first, in
/// the order of their names, then switches tier by tier (in graphs: in the order of the deck).
/// Cable c is the two links 2c (from the lower node to the upper one; between nodes of one tier
/// from the smaller id to the larger) and 2c+1 (its reverse), so reverse(l) = l ^ 1.
struct Graph {
  // nodes
  std::vector<NodeKind> node_kind;
  std::vector<std::int8_t> node_tier;   ///< 0 endpoint, 1 leaf, 2 spine, 3 core; in graphs: hops
                                        ///< from the nearest endpoint
  std::vector<std::int32_t> node_pod;   ///< pod, or -1 (core switches, graphs)
  std::vector<std::string> node_names;  ///< of graphs; empty for built fabrics (see node_name)
  std::vector<NodeId> nodes_by_name;    ///< of graphs: ids sorted by name
  std::vector<NodeGroup> groups;        ///< of graphs, in the order of the deck
  // links
  std::vector<NodeId> link_source, link_target;
  std::vector<double> link_capacity_bytes_per_ns;
  std::vector<double> link_latency_ns;
  // links leaving each node, ascending link ids (compressed rows)
  std::vector<std::int32_t> out_offset;
  std::vector<LinkId> out_links;

  std::int32_t node_count() const { return static_cast<std::int32_t>(node_kind.size()); }
  std::int32_t link_count() const { return static_cast<std::int32_t>(link_source.size()); }
  std::int32_t endpoint_count = 0;
  std::int32_t tier_count = 0;  ///< highest node tier
  std::int32_t pod_count = 0;
  std::vector<std::int32_t> tier_first_node;  ///< [tier_count + 2] node ids are tier by tier in
                                              ///< built fabrics; empty in graphs
  std::optional<FatTreePlan> fat_tree;        ///< what was built, if it is a fat-tree

  bool is_endpoint(NodeId n) const { return n.value < endpoint_count; }
  static LinkId reverse(LinkId l) { return LinkId{l.value ^ 1}; }
  std::span<const LinkId> links_from(NodeId n) const;
  /// "e17", "leaf3", "spine0", "core5", or the deck's own name.
  std::string node_name(NodeId n) const;
  /// Inverse of node_name; an invalid id when there is no such node.
  NodeId find_node(const std::string& name) const;
  /// The node of that name, or all members of the group of that name; empty when there is neither.
  std::vector<NodeId> find_nodes(const std::string& name) const;
  /// The existing node or group name that `name` was probably meant to be, for messages; may be
  /// empty.
  std::string nearest_node_name(const std::string& name) const;
  /// Tier of a link as files and tables name it: "endpoint-leaf", "leaf-spine", "spine-core", and
  /// downwards "leaf-endpoint", "spine-leaf", "core-spine"; in graphs "endpoint-tier1",
  /// "tier1-tier2", "tier1-tier1" and the like. Index into link_tier_names().
  std::int32_t link_tier(LinkId l) const;
  std::vector<std::string> link_tier_names() const;
  /// "endpoint", "leaf", "spine", "core"; in graphs "endpoint", "tier1", "tier2", ...
  std::string tier_name(std::int32_t tier) const;

  /// Fills out_offset and out_links from link_source. Call once after the links are complete.
  void build_rows();
};

}  // namespace tailrace
