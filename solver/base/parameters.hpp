// SPDX-License-Identifier: Apache-2.0
// The parameter table: every key of a deck with its type, unit, default, range and meaning.
#pragma once

#include <limits>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "solver/base/deck.hpp"
#include "solver/base/units.hpp"

namespace tailrace {

/// `list` rows limit the number of a list's elements; `planned` rows are keys that a later version
/// will have: they are refused with that reason.
enum class ValueType { text, choice, integer, number, time, size, rate, boolean, list, planned };

/// "The selector `key` has one of `values`."
struct Condition {
  std::string key;
  std::vector<std::string> values;
};

/// One row of the table. Paths: "fabric.link.capacity"; an element of a list is "[]"
/// ("workload.flows[].bytes"), a name of the user's own is "*" ("fabric.topology.endpoints.*").
/// A path accepts a mapping when it has rows below it, a list when it has rows "[]" below it, and
/// a single value when it has a row of its own. Several rows may share a path when their
/// conditions differ.
struct Parameter {
  std::string path = {};
  ValueType type = ValueType::text;
  std::string help = {};
  std::vector<std::string> choices = {};  ///< of a choice; for other types: words accepted besides
  std::vector<std::string> later = {};    ///< choices that a later version will have
  std::string default_text = {};          ///< as a deck writes it; empty: none
  bool is_required = false;
  double low = -std::numeric_limits<double>::infinity();  ///< in ns, bytes, bytes/ns, elements
  double high = std::numeric_limits<double>::infinity();
  bool low_is_excluded = false;
  std::vector<Condition> conditions = {};  ///< all must hold

  Parameter& required();
  Parameter& value(const std::string& text);               ///< sets the default
  Parameter& words(const std::vector<std::string>& list);  ///< adds to `choices`
  Parameter& not_yet(const std::vector<std::string>& list);
  Parameter& between(double lowest, double highest);
  Parameter& from(double lowest);   ///< lowest is allowed
  Parameter& above(double lowest);  ///< lowest is not allowed
  Parameter& when(const std::string& key, const std::vector<std::string>& values);

  bool is_word(const std::string& text) const;  ///< one of `choices`
  bool is_value() const { return type != ValueType::list && type != ValueType::planned; }
};

/// The rows below one path, as a tree.
struct PathEntry {
  std::string name;  ///< last part of the path: a key, "*", or "[]"
  std::string path = {};
  std::vector<const Parameter*> rows;
  std::vector<std::unique_ptr<PathEntry>> members;  ///< in the table's order
  std::unique_ptr<PathEntry> elements;              ///< of a list, or null

  /// The entry of this name, or "*", or null.
  const PathEntry* member(const std::string& key) const;
};

/// All rows, in the order in which they are listed.
const std::vector<Parameter>& parameter_table();

/// The same rows by path; the root has an empty path.
const PathEntry& parameter_tree();

/// Entry of a path whose list indices may be "[]" or numbers; null when the table has none.
const PathEntry* find_entry(const std::string& path);

/// The text of a selector in the deck, or else its default; nothing when it has neither or when
/// its text is no choice at all.
std::optional<std::string> selector_value(const DeckNode& root, const std::string& key);

/// Do the conditions of a row hold in this deck? `unknown` when a selector that decides is missing
/// or wrong; none of the decided ones says no.
enum class Holds { no, unknown, yes };
Holds holds(const Parameter& row, const DeckNode& root);

/// The row with a single value at this path that holds in this deck; else the first; else null.
const Parameter* value_row(const PathEntry& entry, const DeckNode& root);

/// Dimension of a row's quantity; `plain` for numbers and for what is no quantity.
Dimension dimension_of(ValueType type);

/// What a row accepts: "a rate above 0, e.g. 200 Gbps, or auto", "credit or pfc".
std::string allowed_values(const Parameter& row);

/// What is wrong with the text of a scalar as the value of this row; empty when nothing is.
std::string check_value(const Parameter& row, const std::string& text);

/// The table below a prefix ("", "fabric.switch") as `tailrace params` prints it. Throws
/// InputError when no key begins so.
std::string parameters_text(const std::string& prefix);

/// The whole table as inputs/PARAMETERS.md.
std::string parameters_markdown();

/// Of `candidates`, the one that `name` was probably meant to be; empty when none is close.
std::string nearest_name(const std::string& name, const std::vector<std::string>& candidates);

/// "a, b or c".
std::string join_or(const std::vector<std::string>& words);

}  // namespace tailrace
