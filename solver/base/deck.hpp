// SPDX-License-Identifier: Apache-2.0
// A deck: the merged, validated input tree of a run, with the place of every value.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "solver/base/errors.hpp"

namespace tailrace {

/// One node of the input tree. Mappings keep the order of the file.
class DeckNode {
 public:
  enum class Kind { null, scalar, sequence, mapping };
  Kind kind = Kind::null;
  Mark mark;                                              ///< place of the value
  std::string scalar;                                     ///< text of a scalar
  bool quoted = false;                                    ///< the scalar stood in quotes
  std::vector<DeckNode> items;                            ///< of a sequence
  std::vector<std::pair<std::string, DeckNode>> members;  ///< of a mapping
  std::vector<Mark> member_marks;                         ///< place of each member's key

  const DeckNode* find(const std::string& key) const;          ///< member of a mapping, or null
  const DeckNode* find_path(const std::string& dotted) const;  ///< "fabric.link.latency", or null
};

/// The deck of a run. Construction (deck_load.hpp) reads the YAML, follows `include`, applies
/// `--set`, and validates every key against the parameter table (parameters.hpp); all faults are
/// reported together in one InputError. After that the accessors below cannot fail for keys that
/// the table declares: they return the deck's value or the table's default, in these units:
///   time ns, size bytes, rate bytes_per_ns (1 Gbps = 0.125), power W, plain numbers as they are.
class Deck {
 public:
  bool given(const std::string& path) const;     ///< stands in the deck (no default)
  double number(const std::string& path) const;  ///< any quantity, in the units above
  std::int64_t integer(const std::string& path) const;
  bool boolean(const std::string& path) const;
  std::string text(const std::string& path) const;      ///< text or choice
  const DeckNode* node(const std::string& path) const;  ///< raw subtree (lists, graphs), or null
  Mark mark(const std::string& path) const;             ///< place of the key's value, or of the
                                                        ///< nearest parent that stands in the deck
  const DeckNode& root() const { return *root_; }
  const std::string& source_text() const { return source_text_; }  ///< the deck as the run has it:
  ///< includes and --set resolved, as YAML
  explicit Deck(std::shared_ptr<const DeckNode> root, std::string source_text);

 private:
  std::shared_ptr<const DeckNode> root_;
  std::string source_text_;
};

}  // namespace tailrace
