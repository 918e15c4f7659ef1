// SPDX-License-Identifier: Apache-2.0
// What of a run is written: read from the deck's `output`.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "solver/base/deck.hpp"
#include "topology/graph.hpp"

namespace tailrace {

struct OutputSettings {
  enum class Lanes : std::uint8_t { none, all, fullest, chosen };
  enum class Flows : std::uint8_t { none, all, chosen };
  double interval_ns = 0;  ///< 0: no series
  Lanes lanes = Lanes::none;
  std::int64_t fullest = 0;              ///< how many
  std::vector<std::int8_t> link_chosen;  ///< [links] for Lanes::chosen
  Flows flows = Flows::none;
  std::vector<std::string> flow_texts;  ///< for Flows::chosen: "17" or "e0->e5"
  std::vector<Mark> flow_marks;
  std::int64_t message_every = 1;  ///< 0: no messages
  int compression = 4;
};

/// Throws InputError for lanes and tiers that the fabric does not have.
OutputSettings read_output_settings(const Deck& deck, const Graph& graph);

}  // namespace tailrace
