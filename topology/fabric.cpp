// SPDX-License-Identifier: Apache-2.0
// Builds the graph that a deck's `fabric` describes.
#include "topology/fabric.hpp"

#include <fmt/format.h>

#include "solver/base/faults.hpp"
#include "solver/base/units.hpp"
#include "topology/fat_tree.hpp"
#include "topology/graph_builder.hpp"

namespace tailrace {

namespace {

const std::string topology = "fabric.topology";

// Lower ends of the cables of a fat-tree's levels, as keys of fabric.link.tiers.
constexpr const char* lower_tiers[] = {"endpoint", "leaf", "spine"};

void read_fat_tree_links(const Deck& deck, FatTreeShape& shape) {
  Faults faults;
  for (int level = 0; level < 3; ++level) {
    const std::string path = std::string("fabric.link.tiers.") + lower_tiers[level];
    const auto i = static_cast<std::size_t>(level);
    const auto value = [&](const std::string& key) {
      return deck.number(deck.given(path + key) ? path + key : "fabric.link" + key);
    };
    shape.capacity_bytes_per_ns[i] = value(".capacity");
    shape.latency_ns[i] = value(".latency");
    if (shape.tiers > 0 && level >= shape.tiers && deck.given(path)) {
      faults.add(deck.mark(path), path,
                 fmt::format("a fat-tree of {} tiers has no cables above its {} tier; leave it out "
                             "or set tiers to {} or auto",
                             shape.tiers, lower_tiers[level], level + 1));
    }
  }
  faults.throw_if_any();
}

FatTreeShape read_fat_tree(const Deck& deck) {
  FatTreeShape shape;
  shape.mark = deck.mark(topology);
  shape.radix_mark = deck.mark(topology + ".radix");
  shape.endpoints_mark = deck.mark(topology + ".endpoints");
  if (deck.text(topology + ".tiers") != "auto") {
    shape.tiers = static_cast<std::int32_t>(deck.integer(topology + ".tiers"));
  }
  shape.radix = static_cast<std::int32_t>(deck.integer(topology + ".radix"));
  shape.endpoints = deck.integer(topology + ".endpoints");
  const std::string oversubscription = topology + ".oversubscription";
  shape.oversubscription_mark = deck.mark(oversubscription);
  const DeckNode* node = deck.node(oversubscription);
  if (node != nullptr && node->kind == DeckNode::Kind::mapping) {
    shape.oversubscription = {deck.number(oversubscription + ".leaf"),
                              deck.number(oversubscription + ".spine")};
  } else {
    // One number is meant for every level that there is.
    const double every = deck.number(oversubscription);
    shape.oversubscription = {every, shape.tiers == 1 || shape.tiers == 2 ? 1.0 : every};
  }
  read_fat_tree_links(deck, shape);
  return shape;
}

std::vector<GraphShape::Nodes> read_nodes(const DeckNode* node) {
  std::vector<GraphShape::Nodes> result;
  if (node == nullptr) return result;
  for (const DeckNode& item : node->items) result.push_back({item.scalar, false, 1, item.mark});
  for (std::size_t i = 0; i < node->members.size(); ++i) {
    const auto& [name, count] = node->members[i];
    const Mark& mark = i < node->member_marks.size() ? node->member_marks[i] : count.mark;
    const auto members = static_cast<std::int64_t>(parse_quantity(count.scalar, Dimension::plain));
    result.push_back({name, true, members, mark});
  }
  return result;
}

// One element of fabric.topology.links: [a, b], or a mapping with `between`.
GraphShape::Cable read_cable(const DeckNode& item, double capacity, double latency) {
  GraphShape::Cable cable;
  cable.mark = item.mark;
  cable.capacity_bytes_per_ns = capacity;
  cable.latency_ns = latency;
  const DeckNode* ends = &item;
  if (item.kind == DeckNode::Kind::mapping) {
    ends = item.find("between");
    const DeckNode* own = item.find("capacity");
    if (own != nullptr) cable.capacity_bytes_per_ns = parse_quantity(own->scalar, Dimension::rate);
    own = item.find("latency");
    if (own != nullptr) cable.latency_ns = parse_quantity(own->scalar, Dimension::time);
    own = item.find("count");
    if (own != nullptr) {
      cable.count = static_cast<std::int64_t>(parse_quantity(own->scalar, Dimension::plain));
    }
  }
  if (ends == nullptr || ends->items.size() != 2) {
    throw InputError(item.mark, "a link names two ends: [a, b], or {between: [a, b], ...}");
  }
  for (std::size_t end = 0; end < 2; ++end) {
    cable.ends[end] = ends->items[end].scalar;
    cable.end_marks[end] = ends->items[end].mark;
  }
  return cable;
}

GraphShape read_graph(const Deck& deck) {
  GraphShape shape;
  shape.mark = deck.mark(topology);
  shape.endpoints = read_nodes(deck.node(topology + ".endpoints"));
  shape.switches = read_nodes(deck.node(topology + ".switches"));
  const DeckNode* links = deck.node(topology + ".links");
  if (links == nullptr) return shape;
  const double capacity = deck.number("fabric.link.capacity");
  const double latency = deck.number("fabric.link.latency");
  shape.cables.reserve(links->items.size());
  for (const DeckNode& item : links->items) {
    shape.cables.push_back(read_cable(item, capacity, latency));
  }
  return shape;
}

}  // namespace

Graph build_fabric(const Deck& deck) {
  const std::string kind = deck.text(topology + ".kind");
  if (kind == "fat_tree") return build_fat_tree(read_fat_tree(deck));
  if (kind == "graph") return build_graph(read_graph(deck));
  throw InputError(
      deck.mark(topology + ".kind"),
      fmt::format("{}.kind: {} is not known; allowed are fat_tree and graph", topology, kind));
}

}  // namespace tailrace
