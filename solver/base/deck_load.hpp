// SPDX-License-Identifier: Apache-2.0
// Reads decks: files, their includes, settings of the command line; merged and validated.
#pragma once

#include <string>
#include <vector>

#include "solver/base/deck.hpp"

namespace tailrace {

/// Reads the deck in a file, follows `include`, applies `sets` ("key.path=value", any YAML value;
/// list elements as "workload.flows[0].bytes") and validates. Throws InputError with all faults.
Deck load_deck(const std::string& path, const std::vector<std::string>& sets = {});

/// The same for a text; places name `file_name`, includes are relative to its folder.
Deck load_deck_text(const std::string& text, const std::string& file_name,
                    const std::vector<std::string>& sets = {});

}  // namespace tailrace
