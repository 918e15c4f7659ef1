// SPDX-License-Identifier: Apache-2.0
// Builds the graph that a deck's `fabric` describes.
#include "topology/fabric.hpp"

#include <fmt/format.h>

#include "solver/base/faults.hpp"
#include "topology/fat_tree.hpp"

namespace tailrace {

namespace {

// "auto", or the number itself.
std::int32_t read_tiers(const Deck& deck) {
  if (deck.text("fabric.topology.tiers") == "auto") return 0;
  return static_cast<std::int32_t>(deck.integer("fabric.topology.tiers"));
}

FatTreeShape read_fat_tree(const Deck& deck) {
  FatTreeShape shape;
  shape.mark = deck.mark("fabric.topology");
  shape.radix_mark = deck.mark("fabric.topology.radix");
  shape.endpoints_mark = deck.mark("fabric.topology.endpoints");
  shape.oversubscription_mark = deck.mark("fabric.topology.oversubscription");
  shape.tiers = read_tiers(deck);
  shape.radix = static_cast<std::int32_t>(deck.integer("fabric.topology.radix"));
  shape.endpoints = deck.integer("fabric.topology.endpoints");
  shape.capacity_bytes_per_ns.fill(deck.number("fabric.link.capacity"));
  shape.latency_ns.fill(deck.number("fabric.link.latency"));
  return shape;
}

}  // namespace

Graph build_fabric(const Deck& deck) {
  const std::string kind = deck.text("fabric.topology.kind");
  if (kind == "fat_tree") return build_fat_tree(read_fat_tree(deck));
  throw InputError(deck.mark("fabric.topology.kind"),
                   fmt::format("topology kind is {}; allowed are fat_tree and graph", kind));
}

}  // namespace tailrace
