// SPDX-License-Identifier: Apache-2.0
// Builds the graph that a deck's `fabric` describes, and says what it is.
#pragma once

#include <string>

#include "solver/base/deck.hpp"
#include "topology/graph.hpp"

namespace tailrace {

/// Builds the graph of `fabric.topology` (fat_tree | graph) with `fabric.link`. Throws InputError
/// with the deck's place: impossible fabrics (says the largest possible), disconnected graphs.
Graph build_fabric(const Deck& deck);

/// What `tailrace topo` prints: tiers, counts of switches and cables by tier, oversubscription,
/// bisection, oddities. Several lines, for people.
std::string describe_fabric(const Graph& graph);

}  // namespace tailrace
