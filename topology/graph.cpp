// SPDX-License-Identifier: Apache-2.0
// The fabric as a graph: rows of outgoing links, names and tiers.
#include "topology/graph.hpp"

#include <algorithm>
#include <charconv>
#include <string_view>

#include "solver/base/parameters.hpp"

namespace tailrace {

namespace {

std::size_t index(NodeId n) { return static_cast<std::size_t>(n.value); }
std::size_t index(LinkId l) { return static_cast<std::size_t>(l.value); }

// Prefixes of names in built fabrics, by tier.
constexpr std::string_view built_prefixes[] = {"e", "leaf", "spine", "core"};
constexpr std::string_view built_tiers[] = {"endpoint", "leaf", "spine", "core"};

// Number after a prefix, without signs and leading zeros; -1 when it is none.
std::int32_t parse_number(std::string_view digits) {
  if (digits.empty() || (digits.size() > 1 && digits[0] == '0')) return -1;
  std::int32_t number = -1;
  const char* end = digits.data() + digits.size();
  const auto [stop, error] = std::from_chars(digits.data(), end, number);
  return error == std::errc() && stop == end && number >= 0 ? number : -1;
}

}  // namespace

std::span<const LinkId> Graph::links_from(NodeId n) const {
  const auto first = static_cast<std::size_t>(out_offset[index(n)]);
  const auto last = static_cast<std::size_t>(out_offset[index(n) + 1]);
  return {out_links.data() + first, last - first};
}

std::string Graph::node_name(NodeId n) const {
  if (!node_names.empty()) return node_names[index(n)];
  const auto tier = static_cast<std::size_t>(node_tier[index(n)]);
  return std::string(built_prefixes[tier]) + std::to_string(n.value - tier_first_node[tier]);
}

NodeId Graph::find_node(const std::string& name) const {
  if (!node_names.empty()) {
    const auto found = std::lower_bound(
        nodes_by_name.begin(), nodes_by_name.end(), name,
        [this](NodeId n, const std::string& wanted) { return node_names[index(n)] < wanted; });
    if (found == nodes_by_name.end() || node_names[index(*found)] != name) return NodeId{};
    return *found;
  }
  const std::size_t digits = name.find_first_of("0123456789");
  if (digits == std::string::npos) return NodeId{};
  const std::string_view prefix = std::string_view(name).substr(0, digits);
  const std::int32_t number = parse_number(std::string_view(name).substr(digits));
  for (std::size_t tier = 0; tier + 1 < tier_first_node.size(); ++tier) {
    if (prefix != built_prefixes[tier] || number < 0) continue;
    if (number < tier_first_node[tier + 1] - tier_first_node[tier]) {
      return NodeId{tier_first_node[tier] + number};
    }
  }
  return NodeId{};
}

std::vector<NodeId> Graph::find_nodes(const std::string& name) const {
  for (const NodeGroup& group : groups) {
    if (group.name != name) continue;
    std::vector<NodeId> members;
    for (std::int32_t i = 0; i < group.count; ++i) members.push_back(NodeId{group.first.value + i});
    return members;
  }
  const NodeId node = find_node(name);
  return node.valid() ? std::vector<NodeId>{node} : std::vector<NodeId>{};
}

std::string Graph::nearest_node_name(const std::string& name) const {
  std::vector<std::string> candidates;
  for (const NodeGroup& group : groups) candidates.push_back(group.name);
  candidates.insert(candidates.end(), node_names.begin(), node_names.end());
  // In a built fabric the first and last name of each tier say all about the others.
  for (std::size_t tier = 0; tier + 1 < tier_first_node.size(); ++tier) {
    if (tier_first_node[tier + 1] == tier_first_node[tier]) continue;
    candidates.push_back(node_name(NodeId{tier_first_node[tier]}));
    candidates.push_back(node_name(NodeId{tier_first_node[tier + 1] - 1}));
  }
  return nearest_name(name, candidates);
}

std::int32_t Graph::link_tier(LinkId l) const {
  const int from = node_tier[index(link_source[index(l)])];
  const int to = node_tier[index(link_target[index(l)])];
  if (from == to) return 2 * tier_count + from - 1;  // peers; endpoints never are
  return from < to ? 2 * from : 2 * to + 1;
}

std::vector<std::string> Graph::link_tier_names() const {
  std::vector<std::string> names;
  for (std::int32_t tier = 0; tier < tier_count; ++tier) {
    names.push_back(tier_name(tier) + "-" + tier_name(tier + 1));
    names.push_back(tier_name(tier + 1) + "-" + tier_name(tier));
  }
  if (node_names.empty()) return names;
  for (std::int32_t tier = 1; tier <= tier_count; ++tier) {
    names.push_back(tier_name(tier) + "-" + tier_name(tier));
  }
  return names;
}

std::string Graph::tier_name(std::int32_t tier) const {
  if (node_names.empty()) return std::string(built_tiers[static_cast<std::size_t>(tier)]);
  return tier == 0 ? "endpoint" : "tier" + std::to_string(tier);
}

void Graph::build_rows() {
  out_offset.assign(node_kind.size() + 1, 0);
  for (const NodeId source : link_source) ++out_offset[index(source) + 1];
  for (std::size_t n = 0; n < node_kind.size(); ++n) out_offset[n + 1] += out_offset[n];
  out_links.resize(link_source.size());
  std::vector<std::int32_t> next(out_offset.begin(), out_offset.end() - 1);
  for (std::int32_t l = 0; l < link_count(); ++l) {
    const std::size_t source = index(link_source[static_cast<std::size_t>(l)]);
    out_links[static_cast<std::size_t>(next[source]++)] = LinkId{l};
  }
}

}  // namespace tailrace
