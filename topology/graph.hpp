// SPDX-License-Identifier: Apache-2.0
// The fabric as a graph: nodes, links (one per direction of a cable), tiers, pods and names.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "solver/base/ids.hpp"

namespace tailrace {

enum class NodeKind : std::uint8_t { endpoint, switch_ };

/// The whole fabric, held by every rank (about 50 bytes per link). Node ids: endpoints first, in
/// the order of their names, then switches tier by tier. Cable c is the two links 2c (from the
/// lower node to the upper one) and 2c+1 (its reverse), so reverse(l) = l ^ 1.
struct Graph {
  // nodes
  std::vector<NodeKind> node_kind;
  std::vector<std::int8_t> node_tier;   ///< 0 endpoint, 1 leaf, 2 spine, 3 core; in graphs: hops
                                        ///< from the nearest endpoint
  std::vector<std::int32_t> node_pod;   ///< pod, or -1 (core switches, graphs)
  std::vector<std::string> node_names;  ///< of graphs; empty for built fabrics (see node_name)
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
  std::int32_t tier_count = 0;          ///< highest node tier
  std::int32_t pod_count = 0;
  std::vector<std::int32_t> tier_first_node;  ///< [tier_count + 2] node ids are tier by tier in
                                              ///< built fabrics; empty in graphs

  bool is_endpoint(NodeId n) const { return node_kind[static_cast<std::size_t>(n.value)] == NodeKind::endpoint; }
  static LinkId reverse(LinkId l) { return LinkId{l.value ^ 1}; }
  std::span<const LinkId> links_from(NodeId n) const;
  /// "e17", "leaf3", "spine0", "core5", or the deck's own name.
  std::string node_name(NodeId n) const;
  /// Inverse of node_name; an invalid id when there is no such node.
  NodeId find_node(const std::string& name) const;
  /// Tier of a link as files and tables name it: "endpoint-leaf", "leaf-spine", "spine-core", and
  /// downwards "leaf-endpoint", "spine-leaf", "core-spine"; in graphs "tier1-tier2" and the like.
  /// Index into link_tier_names().
  std::int32_t link_tier(LinkId l) const;
  std::vector<std::string> link_tier_names() const;

  /// Fills out_offset and out_links from link_source. Call once after the links are complete.
  void build_rows();
};

}  // namespace tailrace
