// SPDX-License-Identifier: Apache-2.0
// The parameter table as a whole: rows by path, conditions, and the check of one value.
#include "solver/base/parameters.hpp"

#include <algorithm>
#include <cmath>
#include <initializer_list>

#include "solver/base/numbers.hpp"
#include "solver/base/parameter_rows.hpp"

namespace tailrace {

Parameter& Parameter::required() {
  is_required = true;
  return *this;
}
Parameter& Parameter::value(const std::string& text) {
  default_text = text;
  return *this;
}
Parameter& Parameter::words(const std::vector<std::string>& list) {
  choices.insert(choices.end(), list.begin(), list.end());
  return *this;
}
Parameter& Parameter::not_yet(const std::vector<std::string>& list) {
  later = list;
  return *this;
}
Parameter& Parameter::between(double lowest, double highest) {
  low = lowest;
  high = highest;
  return *this;
}
Parameter& Parameter::from(double lowest) {
  low = lowest;
  return *this;
}
Parameter& Parameter::above(double lowest) {
  low = lowest;
  low_is_excluded = true;
  return *this;
}
Parameter& Parameter::when(const std::string& key, const std::vector<std::string>& values) {
  conditions.push_back({key, values});
  return *this;
}

bool Parameter::is_word(const std::string& text) const {
  return std::find(choices.begin(), choices.end(), text) != choices.end();
}

const PathEntry* PathEntry::member(const std::string& key) const {
  for (const auto& entry : members) {
    if (entry->name == key) return entry.get();
  }
  for (const auto& entry : members) {
    if (entry->name == "*") return entry.get();
  }
  return nullptr;
}

namespace {

constexpr std::size_t longest_text = 200;

// "a.b[][].c" as {"a", "b", "[]", "[]", "c"}; "[3]" counts as "[]".
std::vector<std::string> path_parts(const std::string& path) {
  std::vector<std::string> parts;
  std::string part;
  const auto finish = [&] {
    if (!part.empty()) parts.push_back(part);
    part.clear();
  };
  for (std::size_t i = 0; i < path.size(); ++i) {
    if (path[i] == '.') {
      finish();
    } else if (path[i] == '[') {
      finish();
      parts.push_back("[]");
      i = std::min(path.find(']', i), path.size() - 1);
    } else {
      part += path[i];
    }
  }
  finish();
  return parts;
}

PathEntry& entry_below(PathEntry& parent, const std::string& part) {
  if (part == "[]") {
    if (!parent.elements) {
      parent.elements = std::make_unique<PathEntry>();
      parent.elements->name = part;
      parent.elements->path = parent.path + part;
    }
    return *parent.elements;
  }
  for (const auto& entry : parent.members) {
    if (entry->name == part) return *entry;
  }
  auto entry = std::make_unique<PathEntry>();
  entry->name = part;
  entry->path = parent.path.empty() ? part : parent.path + "." + part;
  parent.members.push_back(std::move(entry));
  return *parent.members.back();
}

PathEntry make_tree(const std::vector<Parameter>& rows) {
  PathEntry root;
  for (const Parameter& row : rows) {
    PathEntry* entry = &root;
    for (const std::string& part : path_parts(row.path)) entry = &entry_below(*entry, part);
    entry->rows.push_back(&row);
  }
  return root;
}

struct LimitUnit {
  const char* name;
  double factor;
};

// A limit exactly, in the largest unit that fits: "128 KiB", "0.1 ns".
std::string exact(double value, std::initializer_list<LimitUnit> units) {
  LimitUnit chosen = *units.begin();
  for (const LimitUnit& unit : units) {
    if (value >= unit.factor && std::fmod(value, unit.factor) == 0) chosen = unit;
  }
  return shortest(value / chosen.factor) + " " + chosen.name;
}

std::string limit_text(const Parameter& row, double value) {
  switch (row.type) {
    case ValueType::time:
      return exact(value, {{"ns", 1}, {"us", 1e3}, {"ms", 1e6}, {"s", 1e9}});
    case ValueType::size:
      return exact(value,
                   {{"B", 1}, {"KiB", 0x1p10}, {"MiB", 0x1p20}, {"GiB", 0x1p30}, {"TiB", 0x1p40}});
    case ValueType::rate:
      return exact(value, {{"kbps", 0.125e-6}, {"Tbps", 125}});
    default:
      return shortest(value);
  }
}

std::string elements_text(const Parameter& row) {
  if (row.low == row.high) return shortest(row.low) + " elements";
  if (std::isfinite(row.high)) return shortest(row.low) + " to " + shortest(row.high) + " elements";
  return "at least " + shortest(row.low) + (row.low == 1 ? " element" : " elements");
}

std::string range_text(const Parameter& row) {
  const bool has_low = std::isfinite(row.low);
  const bool has_high = std::isfinite(row.high);
  const auto show = [&](double value) { return limit_text(row, value); };
  if (has_low && has_high) {
    if (row.low_is_excluded) return "above " + show(row.low) + ", at most " + show(row.high);
    return "from " + show(row.low) + " to " + show(row.high);
  }
  if (has_low) return (row.low_is_excluded ? "above " : "at least ") + show(row.low);
  return has_high ? "at most " + show(row.high) : "";
}

std::string plain_allowed(const Parameter& row) {
  switch (row.type) {
    case ValueType::text:
      return "a text";
    case ValueType::choice:
      return "";
    case ValueType::boolean:
      return "true or false";
    case ValueType::integer:
      return "a whole number";
    case ValueType::number:
      return "a number";
    case ValueType::time:
      return "a time such as 600 ns";
    case ValueType::size:
      return "a size such as 64 KiB";
    case ValueType::rate:
      return "a rate such as 200 Gbps";
    case ValueType::list:
      return "a list";
    case ValueType::planned:
      return "nothing yet";
  }
  return "";
}

std::string outside_range(const Parameter& row, const std::string& text, double value) {
  const bool low_ok = row.low_is_excluded ? value > row.low : value >= row.low;
  if (low_ok && value <= row.high) return "";
  return text + " is out of range; allowed: " + allowed_values(row);
}

std::string check_text(const std::string& text) {
  if (text.empty()) return "an empty text; allowed: a name";
  if (text.find_first_of("\n\r\t") != std::string::npos) {
    return quoted(text) + " has a line end or a tab; allowed: a name on one line";
  }
  if (text.size() <= longest_text) return "";
  return quoted(text) + " is too long; allowed: at most " + std::to_string(longest_text) + " bytes";
}

std::string check_choice(const Parameter& row, const std::string& text) {
  if (std::find(row.later.begin(), row.later.end(), text) != row.later.end()) {
    return text + " is not available in this version; available: " + join_or(row.choices);
  }
  const std::string near = nearest_name(text, row.choices);
  return quoted(text) + " is no choice here; allowed: " + join_or(row.choices) +
         (near.empty() ? "" : "; did you mean " + near + "?");
}

std::string check_integer(const Parameter& row, const std::string& text) {
  const auto value = read_integer(text);
  if (!value) return quoted(text) + " is not a whole number; allowed: " + allowed_values(row);
  return outside_range(row, text, static_cast<double>(*value));
}

std::string check_number(const Parameter& row, const std::string& text) {
  const auto value = read_number(text);
  if (!value) return quoted(text) + " is not a number; allowed: " + allowed_values(row);
  if (!std::isfinite(*value)) {
    return text + " is not a finite number; allowed: " + allowed_values(row);
  }
  return outside_range(row, text, *value);
}

std::string check_quantity(const Parameter& row, const std::string& text) {
  double value = 0;
  try {
    value = parse_quantity(text, dimension_of(row.type));
  } catch (const InputError& error) {
    std::string message = error.what();
    if (!row.choices.empty()) message += "; or " + join_or(row.choices);
    return message;
  }
  if (row.type == ValueType::size && value != std::round(value)) {
    return quoted(text) + " is " + shortest(value) + " bytes; allowed: whole bytes";
  }
  return outside_range(row, text, value);
}

}  // namespace

const std::vector<Parameter>& parameter_table() {
  static const std::vector<Parameter> table = [] {
    std::vector<Parameter> rows;
    for (const auto& part : {topology_rows(), fabric_rows(), endpoint_rows(), workload_rows(),
                             run_rows(), output_rows()}) {
      rows.insert(rows.end(), part.begin(), part.end());
    }
    return rows;
  }();
  return table;
}

const PathEntry& parameter_tree() {
  static const PathEntry tree = make_tree(parameter_table());
  return tree;
}

const PathEntry* find_entry(const std::string& path) {
  const PathEntry* entry = &parameter_tree();
  for (const std::string& part : path_parts(path)) {
    entry = part == "[]" ? entry->elements.get() : entry->member(part);
    if (!entry) return nullptr;
  }
  return entry;
}

std::optional<std::string> selector_value(const DeckNode& root, const std::string& key) {
  const PathEntry* entry = find_entry(key);
  if (!entry || entry->rows.empty()) return std::nullopt;
  if (const DeckNode* node = root.find_path(key)) {
    const Parameter& row = *entry->rows.front();
    const bool known = row.is_word(node->scalar) || std::find(row.later.begin(), row.later.end(),
                                                              node->scalar) != row.later.end();
    if (node->kind != DeckNode::Kind::scalar || !known) return std::nullopt;
    return node->scalar;
  }
  for (const Parameter* row : entry->rows) {
    if (!row->default_text.empty() && holds(*row, root) == Holds::yes) return row->default_text;
  }
  return std::nullopt;
}

Holds holds(const Parameter& row, const DeckNode& root) {
  Holds result = Holds::yes;
  for (const Condition& condition : row.conditions) {
    const auto value = selector_value(root, condition.key);
    if (!value) {
      result = Holds::unknown;
    } else if (std::find(condition.values.begin(), condition.values.end(), *value) ==
               condition.values.end()) {
      return Holds::no;
    }
  }
  return result;
}

const Parameter* value_row(const PathEntry& entry, const DeckNode& root) {
  const Parameter* first = nullptr;
  for (const Parameter* row : entry.rows) {
    if (!row->is_value()) continue;
    if (holds(*row, root) == Holds::yes) return row;
    if (!first) first = row;
  }
  return first;
}

Dimension dimension_of(ValueType type) {
  switch (type) {
    case ValueType::time:
      return Dimension::time;
    case ValueType::size:
      return Dimension::bytes;
    case ValueType::rate:
      return Dimension::rate;
    default:
      return Dimension::plain;
  }
}

std::string allowed_values(const Parameter& row) {
  if (row.type == ValueType::choice) return join_or(row.choices);
  std::string result = plain_allowed(row);
  if (row.type == ValueType::list) {
    return std::isfinite(row.low) ? result + " of " + elements_text(row) : result;
  }
  const std::string range = range_text(row);
  if (!range.empty()) result += ", " + range;
  if (!row.choices.empty()) result += ", or " + join_or(row.choices);
  return result;
}

std::string check_value(const Parameter& row, const std::string& text) {
  if (row.is_word(text)) return "";
  switch (row.type) {
    case ValueType::text:
      return check_text(text);
    case ValueType::choice:
      return check_choice(row, text);
    case ValueType::boolean:
      return text == "true" || text == "false" ? "" : quoted(text) + " is neither true nor false";
    case ValueType::integer:
      return check_integer(row, text);
    case ValueType::number:
      return check_number(row, text);
    default:
      return check_quantity(row, text);
  }
}

std::string join_or(const std::vector<std::string>& words) {
  std::string result;
  for (std::size_t i = 0; i < words.size(); ++i) {
    if (i > 0) result += i + 1 == words.size() ? " or " : ", ";
    result += words[i];
  }
  return result;
}

std::string nearest_name(const std::string& name, const std::vector<std::string>& candidates) {
  // Levenshtein's distance, one row at a time; long nonsense is near nothing.
  if (name.size() > 64) return "";
  std::string best;
  std::size_t best_distance =
      (name.size() <= 3 ? 1 : std::max<std::size_t>(2, name.size() / 3)) + 1;
  for (const std::string& candidate : candidates) {
    std::vector<std::size_t> row(candidate.size() + 1);
    for (std::size_t j = 0; j < row.size(); ++j) row[j] = j;
    for (std::size_t i = 1; i <= name.size(); ++i) {
      std::size_t diagonal = row[0];
      row[0] = i;
      for (std::size_t j = 1; j < row.size(); ++j) {
        const std::size_t changed = diagonal + (name[i - 1] == candidate[j - 1] ? 0 : 1);
        diagonal = row[j];
        row[j] = std::min({changed, row[j] + 1, row[j - 1] + 1});
      }
    }
    // A short name is not meant by one that shares no letter with it.
    if (row.back() < best_distance && row.back() < std::max(name.size(), candidate.size())) {
      best_distance = row.back();
      best = candidate;
    }
  }
  return best;
}

}  // namespace tailrace
