// SPDX-License-Identifier: Apache-2.0
// Walks a deck's tree and the parameter table side by side.
#include "solver/base/deck_validate.hpp"

#include <algorithm>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "solver/base/numbers.hpp"
#include "solver/base/parameters.hpp"

namespace tailrace {

namespace {

class Validator {
 public:
  Validator(const DeckNode& root, Faults& faults) : root_(root), faults_(faults) {}

  void check_mapping(const DeckNode& node, const PathEntry& entry) {
    for (std::size_t i = 0; i < node.members.size(); ++i) {
      const auto& [key, value] = node.members[i];
      const std::size_t length = path_.size();
      if (!path_.empty()) path_ += '.';
      path_ += key;
      check_member(key, value, node.member_marks[i], entry);
      path_.resize(length);
    }
    check_missing(node, entry, node.mark);
  }

 private:
  Holds row_holds(const Parameter& row) {
    const auto found = row_holds_.find(&row);
    if (found != row_holds_.end()) return found->second;
    Holds result = holds(row, root_);
    // A choice of a later version is reported where it stands; keys are not judged by it.
    if (result == Holds::no && decided_by_later_choice(row)) result = Holds::unknown;
    row_holds_.emplace(&row, result);
    return result;
  }

  bool decided_by_later_choice(const Parameter& row) const {
    return std::any_of(row.conditions.begin(), row.conditions.end(), [&](const Condition& c) {
      const auto value = selector_value(root_, c.key);
      return value && is_later(c.key, *value) &&
             std::find(c.values.begin(), c.values.end(), *value) == c.values.end();
    });
  }

  static bool is_later(const std::string& key, const std::string& value) {
    const PathEntry* entry = find_entry(key);
    return entry && std::any_of(entry->rows.begin(), entry->rows.end(), [&](const Parameter* row) {
             return std::find(row->later.begin(), row->later.end(), value) != row->later.end();
           });
  }

  // Does the table have anything at or below this path for this deck?
  bool is_active(const PathEntry& entry) {
    const auto found = active_.find(&entry);
    if (found != active_.end()) return found->second;
    const bool result =
        std::any_of(entry.rows.begin(), entry.rows.end(),
                    [&](const Parameter* row) { return row_holds(*row) != Holds::no; }) ||
        std::any_of(entry.members.begin(), entry.members.end(),
                    [&](const auto& member) { return is_active(*member); }) ||
        (entry.elements && is_active(*entry.elements));
    active_.emplace(&entry, result);
    return result;
  }

  bool accepts_mapping(const PathEntry& entry) {
    return std::any_of(entry.members.begin(), entry.members.end(),
                       [&](const auto& member) { return is_active(*member); });
  }
  bool accepts_list(const PathEntry& entry) { return entry.elements && is_active(*entry.elements); }

  void check_member(const std::string& key, const DeckNode& value, const Mark& key_mark,
                    const PathEntry& parent) {
    const PathEntry* entry = parent.member(key);
    if (!entry) {
      faults_.add(key_mark, shown_path(), "unknown key" + allowed_keys(key, parent));
    } else if (const Parameter* row = planned_row(*entry)) {
      // Said already at the selector when this key belongs to a choice of a later version.
      if (row->conditions.empty() || row_holds(*row) != Holds::yes) {
        faults_.add(key_mark, shown_path(), "is not available in this version; remove it");
      }
    } else if (!is_active(*entry)) {
      faults_.add(key_mark, shown_path(), no_meaning(*entry));
    } else {
      if (entry->name == "*") check_own_name(key, key_mark);
      check_node(value, *entry, key_mark);
    }
  }

  // A name of the user's own goes by the rules of a text.
  void check_own_name(const std::string& name, const Mark& mark) {
    const std::string fault = check_value(Parameter{}, name);
    if (!fault.empty()) faults_.add(mark, shown_path(), fault);
  }

  static const Parameter* planned_row(const PathEntry& entry) {
    for (const Parameter* row : entry.rows) {
      if (row->type == ValueType::planned) return row;
    }
    return nullptr;
  }

  void check_node(const DeckNode& node, const PathEntry& entry, const Mark& key_mark) {
    switch (node.kind) {
      case DeckNode::Kind::scalar:
        return check_scalar(node, entry);
      case DeckNode::Kind::sequence:
        return check_list(node, entry);
      case DeckNode::Kind::mapping:
        if (!accepts_mapping(entry)) return wrong_shape("a mapping", node.mark, entry);
        if (node.members.empty() && !entry.rows.empty()) {
          return wrong_shape("an empty mapping", node.mark, entry);
        }
        return check_mapping(node, entry);
      case DeckNode::Kind::null:
        if (accepts_mapping(entry) && entry.rows.empty()) {
          return check_missing(node, entry, key_mark);
        }
        faults_.add(key_mark, shown_path(), "has no value; allowed: " + allowed_shapes(entry));
    }
  }

  void check_scalar(const DeckNode& node, const PathEntry& entry) {
    std::string fault;
    bool has_row = false;
    for (const Parameter* row : entry.rows) {
      if (!row->is_value() || row_holds(*row) == Holds::no) continue;
      const std::string message = check_value(*row, node.scalar);
      if (message.empty()) return;
      if (!has_row) fault = message;
      has_row = true;
    }
    if (!has_row) return wrong_shape("the single value " + quoted(node.scalar), node.mark, entry);
    faults_.add(node.mark, shown_path(), fault);
  }

  void check_list(const DeckNode& node, const PathEntry& entry) {
    if (!accepts_list(entry)) return wrong_shape("a list", node.mark, entry);
    const auto count = static_cast<double>(node.items.size());
    for (const Parameter* row : entry.rows) {
      if (row->type != ValueType::list || row_holds(*row) == Holds::no) continue;
      if (count < row->low || count > row->high) {
        faults_.add(node.mark, shown_path(),
                    "has " + std::to_string(node.items.size()) +
                        " elements; allowed: " + allowed_values(*row));
      }
    }
    for (std::size_t i = 0; i < node.items.size(); ++i) {
      const std::size_t length = path_.size();
      path_ += '[' + std::to_string(i) + ']';
      check_node(node.items[i], *entry.elements, node.items[i].mark);
      path_.resize(length);
    }
  }

  // Required keys that a mapping (or a section that is not there at all) lacks.
  void check_missing(const DeckNode& node, const PathEntry& entry, const Mark& mark) {
    for (const auto& member : entry.members) {
      if (member->name == "*" || node.find(member->name)) continue;
      const std::size_t length = path_.size();
      if (!path_.empty()) path_ += '.';
      path_ += member->name;
      check_absent(*member, mark);
      path_.resize(length);
    }
  }

  void check_absent(const PathEntry& entry, const Mark& mark) {
    if (entry.rows.empty()) return check_missing(DeckNode{}, entry, mark);
    for (const Parameter* row : entry.rows) {
      if (row->is_required && row_holds(*row) == Holds::yes) {
        faults_.add(mark, shown_path(), "is missing; allowed: " + allowed_shapes(entry));
        return;
      }
    }
  }

  void wrong_shape(const std::string& what, const Mark& mark, const PathEntry& entry) {
    faults_.add(mark, shown_path(), "is " + what + "; allowed: " + allowed_shapes(entry));
  }

  std::vector<std::string> active_members(const PathEntry& entry) {
    std::vector<std::string> names;
    for (const auto& member : entry.members) {
      if (member->name == "*" || !is_active(*member) || planned_row(*member)) continue;
      names.push_back(member->name);
    }
    return names;
  }

  std::string allowed_shapes(const PathEntry& entry) {
    std::vector<std::string> shapes;
    bool has_list = false;
    for (const Parameter* row : entry.rows) {
      if (row_holds(*row) == Holds::no || row->type == ValueType::planned) continue;
      has_list = has_list || row->type == ValueType::list;
      shapes.push_back(allowed_values(*row));
    }
    if (accepts_list(entry) && !has_list) shapes.push_back("a list");
    if (accepts_mapping(entry)) {
      const auto names = active_members(entry);
      shapes.push_back(names.empty() ? "a mapping of names" : "a mapping of " + join_or(names));
    }
    return join_or(shapes);
  }

  std::string allowed_keys(const std::string& key, const PathEntry& parent) {
    if (key == "<<") return "; merge keys are not followed, use include";
    if (key == "include") return "; include names a deck in a file, it cannot be set";
    const auto names = active_members(parent);
    std::string near = nearest_name(key, names);
    if (near.empty() && key.find('.') != std::string::npos && find_entry(key)) {
      return "; keys are nested, write " + nested(key);
    }
    if (near.empty()) near = same_name_elsewhere(key);
    std::string result = "; allowed: " + join_or(names);
    if (!near.empty()) result += "; did you mean " + near + "?";
    return result;
  }

  static std::string nested(std::string key) {
    std::string end;
    for (std::size_t at = key.find('.'); at != std::string::npos; at = key.find('.', at)) {
      key.replace(at, 1, ": {");
      end += '}';
    }
    return key + ": ..." + end;
  }

  std::string same_name_elsewhere(const std::string& key) {
    for (const Parameter& row : parameter_table()) {
      const std::size_t dot = row.path.rfind('.');
      const std::string last = dot == std::string::npos ? row.path : row.path.substr(dot + 1);
      if (last == key && row.type != ValueType::planned && row_holds(row) != Holds::no) {
        return row.path;
      }
    }
    return "";
  }

  // Why a known key is out of place: the first condition that fails.
  std::string no_meaning(const PathEntry& entry) {
    const Parameter* row = first_row(entry);
    for (const Condition& condition : row->conditions) {
      const auto value = selector_value(root_, condition.key);
      if (!value || std::find(condition.values.begin(), condition.values.end(), *value) !=
                        condition.values.end()) {
        continue;
      }
      return "has no meaning with " + condition.key + ": " + *value + "; it belongs to " +
             join_or(condition.values);
    }
    return "has no meaning here";
  }

  static const Parameter* first_row(const PathEntry& entry) {
    const PathEntry* at = &entry;
    while (at->rows.empty()) at = at->members.empty() ? at->elements.get() : at->members[0].get();
    return at->rows.front();
  }

  std::string shown_path() const {
    const std::string in_quotes = quoted(path_);
    return path_.size() > 60 ? path_.substr(0, 200) : in_quotes.substr(1, in_quotes.size() - 2);
  }

  const DeckNode& root_;
  Faults& faults_;
  std::string path_;
  std::unordered_map<const Parameter*, Holds> row_holds_;
  std::unordered_map<const PathEntry*, bool> active_;
};

}  // namespace

void validate_deck(const DeckNode& root, Faults& faults) {
  if (root.kind == DeckNode::Kind::null) {
    faults.add(root.mark, "", "the deck is empty; it needs fabric, workload and run");
    return;
  }
  if (root.kind != DeckNode::Kind::mapping) {
    faults.add(
        root.mark, "",
        "this is no deck; a deck is a mapping of fabric, endpoint, workload, run and output");
    return;
  }
  Validator(root, faults).check_mapping(root, parameter_tree());
  check_relations(root, faults);
}

}  // namespace tailrace
