// SPDX-License-Identifier: Apache-2.0
// YAML text to and from trees of DeckNode.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "solver/base/deck.hpp"
#include "solver/base/faults.hpp"

namespace tailrace {

/// Limits that keep a wrong file (a log, a result, an alias that multiplies itself) from taking
/// the machine down.
inline constexpr std::size_t most_deck_bytes = std::size_t{16} << 20;
inline constexpr std::size_t most_deck_nodes = 2'000'000;
inline constexpr std::size_t most_alias_nodes = 100'000;
inline constexpr int most_deck_depth = 64;
inline constexpr std::int64_t most_open_brackets = 10'000;

/// Reads one YAML document; places name `file`. Aliases are expanded; duplicate keys, tags, keys
/// that are no single values, text that is no UTF-8 and the limits above are faults. Nothing is
/// returned when the text cannot be read on; an empty text gives a null node.
std::optional<DeckNode> read_yaml(const std::string& text, const std::string& file, Faults& faults);

/// The tree as YAML text; reading it gives the same tree, but for places.
std::string write_yaml(const DeckNode& root);

}  // namespace tailrace
