// SPDX-License-Identifier: Apache-2.0
// The steps from files and settings to one tree: includes, overlays, `--set`.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "solver/base/deck.hpp"
#include "solver/base/faults.hpp"

namespace tailrace {

/// The tree of a file with what it includes in place. Nothing (and faults) when a file cannot be
/// read or parsed; other faults leave a tree that is worth checking.
std::optional<DeckNode> read_deck_file(const std::string& path, Faults& faults);

/// The same for a text; `file_name` is used in places and for relative includes.
std::optional<DeckNode> read_deck_text(const std::string& text, const std::string& file_name,
                                       Faults& faults);

/// Puts `over` on top of `base`, which both stand at the path `path` of a deck ("" for whole
/// decks): mappings are merged, all else is replaced. When this changes a selector, keys of `base`
/// that the new choice does not have are dropped.
void overlay(DeckNode& base, const DeckNode& over, const std::string& path = "");

/// Applies settings "key.path=value" as one overlay, so that their order matters only between
/// settings of the same key.
void apply_sets(DeckNode& root, const std::vector<std::string>& sets, Faults& faults);

/// Drops from `base` the keys that `after` does not have because a selector differs from `before`.
void drop_stale_keys(DeckNode& base, const DeckNode& before, const DeckNode& after);

}  // namespace tailrace
