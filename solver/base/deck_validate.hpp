// SPDX-License-Identifier: Apache-2.0
// Checks a deck's tree against the parameter table, and what values of several keys say together.
#pragma once

#include "solver/base/deck.hpp"
#include "solver/base/faults.hpp"

namespace tailrace {

/// Adds every fault of the tree: unknown, misplaced, missing and unavailable keys, wrong shapes
/// and values, and (deck_relations.cpp) contradictions between keys.
void validate_deck(const DeckNode& root, Faults& faults);

/// The second part alone: contradictions between values that are each valid for themselves.
void check_relations(const DeckNode& root, Faults& faults);

}  // namespace tailrace
