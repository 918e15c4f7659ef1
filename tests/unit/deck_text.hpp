// SPDX-License-Identifier: Apache-2.0
// Decks as texts for tests: valid ones to start from, and what their reading says.
#pragma once

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "solver/base/deck_load.hpp"
#include "solver/base/errors.hpp"

namespace tailrace::testing_decks {

/// A small InfiniBand deck; key of each section on a line of its own.
inline const std::string credit_deck =
    "fabric:\n"                                                                             // 1
    "  topology: {kind: fat_tree, tiers: 2, radix: 8, endpoints: 16}\n"                     // 2
    "  link: {capacity: 200 Gbps, latency: 600 ns}\n"                                       // 3
    "  switch: {flow_control: credit, arbitration: round_robin, buffer: 128 KiB}\n"         // 4
    "  routing: {kind: dmodk}\n"                                                            // 5
    "workload: {kind: collective, operation: all_reduce, algorithm: ring, bytes: 1 GiB}\n"  // 6
    "run: {time_limit: 1 s}\n";                                                             // 7

/// A small RoCE deck of single flows.
inline const std::string pfc_deck =
    "fabric:\n"                                            // 1
    "  topology:\n"                                        // 2
    "    kind: graph\n"                                    // 3
    "    endpoints: {S: 2, R: 1}\n"                        // 4
    "    switches: [T]\n"                                  // 5
    "    links: [[S, T], [T, R]]\n"                        // 6
    "  link: {capacity: 40 Gbps, latency: 1 us}\n"         // 7
    "  switch:\n"                                          // 8
    "    flow_control: pfc\n"                              // 9
    "    shared_buffer: 12 MB\n"                           // 10
    "    pfc: {xoff: 24470 B, xon: 21470 B}\n"             // 11
    "workload:\n"                                          // 12
    "  kind: flows\n"                                      // 13
    "  flows:\n"                                           // 14
    "    - {from: S0, to: R, bytes: 40 MB}\n"              // 15
    "    - {from: S1, to: R, bytes: 4 MB, start: 2 us}\n"  // 16
    "run: {time_limit: 1 s}\n";                            // 17

inline Deck load(const std::string& text, const std::vector<std::string>& sets = {}) {
  return load_deck_text(text, "d.yaml", sets);
}

/// What the reading of a wrong deck says; a test failure when the deck is accepted.
inline std::string faults(const std::string& text, const std::vector<std::string>& sets = {}) {
  try {
    load(text, sets);
  } catch (const InputError& error) {
    return error.what();
  }
  ADD_FAILURE() << "this deck is wrong and was accepted:\n" << text;
  return "";
}

/// `text` with the first `from` replaced by `to`.
inline std::string changed(std::string text, const std::string& from, const std::string& to) {
  const std::size_t at = text.find(from);
  if (at == std::string::npos) {
    ADD_FAILURE() << "the deck has no " << from;
    return text;
  }
  return text.replace(at, from.size(), to);
}

}  // namespace tailrace::testing_decks
