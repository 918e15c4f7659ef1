// SPDX-License-Identifier: Apache-2.0
// Laying one deck over another: merging, and dropping what a changed selector leaves behind.
#include "solver/base/deck_overlay.hpp"

#include <algorithm>
#include <utility>

#include "solver/base/parameters.hpp"

namespace tailrace {

namespace {

void merge(DeckNode& base, const DeckNode& over) {
  if (base.kind != DeckNode::Kind::mapping || over.kind != DeckNode::Kind::mapping) {
    // An empty section leaves what it lies upon as it is.
    if (over.kind == DeckNode::Kind::null && base.kind == DeckNode::Kind::mapping) return;
    base = over;
    return;
  }
  base.mark = over.mark;
  for (std::size_t i = 0; i < over.members.size(); ++i) {
    const auto& [key, value] = over.members[i];
    const auto found = std::find_if(base.members.begin(), base.members.end(),
                                    [&name = key](const auto& m) { return m.first == name; });
    if (found == base.members.end()) {
      base.members.push_back(over.members[i]);
      base.member_marks.push_back(over.member_marks[i]);
    } else {
      base.member_marks[static_cast<std::size_t>(found - base.members.begin())] =
          over.member_marks[i];
      merge(found->second, value);
    }
  }
}

// Selectors whose value is known before and after, and differs.
std::vector<std::string> changed_selectors(const DeckNode& before, const DeckNode& after) {
  std::vector<std::string> changed;
  for (const Parameter& row : parameter_table()) {
    for (const Condition& condition : row.conditions) {
      if (std::find(changed.begin(), changed.end(), condition.key) != changed.end()) continue;
      const auto old_value = selector_value(before, condition.key);
      const auto new_value = selector_value(after, condition.key);
      if (old_value && new_value && *old_value != *new_value) changed.push_back(condition.key);
    }
  }
  return changed;
}

class StaleKeys {
 public:
  StaleKeys(const DeckNode& before, const DeckNode& after, std::vector<std::string> changed)
      : before_(before), after_(after), changed_(std::move(changed)) {}

  void drop(DeckNode& node, const PathEntry& entry) const {
    for (std::size_t i = 0; i < node.members.size();) {
      auto& [key, value] = node.members[i];
      const PathEntry* member = entry.member(key);
      if (member && is_stale(*member, value)) {
        const auto at = static_cast<std::ptrdiff_t>(i);
        node.members.erase(node.members.begin() + at);
        node.member_marks.erase(node.member_marks.begin() + at);
        continue;
      }
      if (member) drop(value, *member);
      ++i;
    }
  }

 private:
  struct Found {
    bool before = false;  // a row that held before
    bool still = false;   // a row that held before and is not lost now
  };

  // Lost by a selector that changed; what was out of place before remains, to be reported.
  bool is_lost(const Parameter& row) const {
    return std::any_of(row.conditions.begin(), row.conditions.end(), [&](const Condition& c) {
      if (std::find(changed_.begin(), changed_.end(), c.key) == changed_.end()) return false;
      const auto value = selector_value(after_, c.key);
      return std::find(c.values.begin(), c.values.end(), *value) == c.values.end();
    });
  }

  void look(const PathEntry& entry, Found& found) const {
    for (const Parameter* row : entry.rows) {
      if (holds(*row, before_) == Holds::no) continue;
      found.before = true;
      if (!is_lost(*row)) found.still = true;
    }
    for (const auto& member : entry.members) look(*member, found);
    if (entry.elements) look(*entry.elements, found);
  }

  bool is_stale(const PathEntry& entry, const DeckNode& value) const {
    Found found;
    look(entry, found);
    if (!found.before || found.still) return false;
    // Another row may take the value over: the same key with another default.
    return value.kind != DeckNode::Kind::scalar ||
           std::none_of(entry.rows.begin(), entry.rows.end(), [&](const Parameter* row) {
             return row->is_value() && holds(*row, after_) != Holds::no &&
                    check_value(*row, value.scalar).empty();
           });
  }

  const DeckNode& before_;
  const DeckNode& after_;
  std::vector<std::string> changed_;
};

// The tree in which `node` stands at `path`; lists on the way have no selectors inside.
std::optional<DeckNode> wrapped(const DeckNode& node, const std::string& path) {
  if (path.find('[') != std::string::npos) return std::nullopt;
  DeckNode result = node;
  std::size_t end = path.size();
  while (end > 0) {
    const std::size_t dot = path.rfind('.', end - 1);
    const std::size_t start = dot == std::string::npos ? 0 : dot + 1;
    DeckNode parent;
    parent.kind = DeckNode::Kind::mapping;
    parent.members.emplace_back(path.substr(start, end - start), std::move(result));
    parent.member_marks.emplace_back();
    result = std::move(parent);
    end = dot == std::string::npos ? 0 : dot;
  }
  return result;
}

}  // namespace

void drop_stale_keys(DeckNode& base, const DeckNode& before, const DeckNode& after) {
  StaleKeys(before, after, changed_selectors(before, after)).drop(base, parameter_tree());
}

void overlay(DeckNode& base, const DeckNode& over, const std::string& path) {
  DeckNode merged = base;
  merge(merged, over);
  const auto before = wrapped(base, path);
  const auto after = wrapped(merged, path);
  const PathEntry* entry = find_entry(path);
  if (before && after && entry) {
    const auto changed = changed_selectors(*before, *after);
    if (!changed.empty()) {
      StaleKeys(*before, *after, changed).drop(base, *entry);
      merge(base, over);
      return;
    }
  }
  base = std::move(merged);
}

}  // namespace tailrace
