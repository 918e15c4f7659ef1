// SPDX-License-Identifier: Apache-2.0
// Settings of the command line: `--set key.path=value`.
#include <algorithm>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "solver/base/deck_overlay.hpp"
#include "solver/base/numbers.hpp"
#include "solver/base/yaml_read.hpp"

namespace tailrace {

namespace {

const std::string place = "--set";

struct Setting {
  std::string path;
  std::vector<std::string> parts;  // keys, and "[3]" for elements of lists
  DeckNode value;
};

void place_at_set(DeckNode& node) {
  node.mark = {place, 0, 0};
  for (DeckNode& item : node.items) place_at_set(item);
  for (auto& member : node.members) place_at_set(member.second);
  for (Mark& mark : node.member_marks) mark = {place, 0, 0};
}

// "a.b[0].c" as {"a", "b", "[0]", "c"}; empty when it is no path.
std::vector<std::string> split_path(std::string_view path) {
  std::vector<std::string> parts;
  while (!path.empty()) {
    std::size_t length = 0;
    if (path.front() == '[') {
      const std::size_t close = path.find(']');
      if (close == std::string_view::npos || parts.empty()) return {};
      const auto index = read_integer(path.substr(1, close - 1));
      if (!index || *index < 0) return {};
      length = close + 1;
    } else {
      if (!parts.empty() && path.front() != '.') return {};
      if (!parts.empty()) path.remove_prefix(1);
      length = std::min(path.find_first_of(".["), path.size());
      if (length == 0) return {};
    }
    parts.emplace_back(path.substr(0, length));
    path.remove_prefix(length);
  }
  return parts;
}

bool read_setting(const std::string& text, Setting& setting, Faults& faults) {
  const std::size_t equals = text.find('=');
  setting.path = text.substr(0, equals);
  setting.parts = split_path(setting.path);
  if (equals == std::string::npos || setting.parts.empty()) {
    faults.add({place, 0, 0}, "",
               quoted(text) + " is no setting; write --set key=value, e.g. --set " +
                   "fabric.link.capacity='400 Gbps' or --set 'workload.flows[0].bytes=1 MB'");
    return false;
  }
  Faults value_faults;
  auto value = read_yaml(text.substr(equals + 1), "", value_faults);
  if (!value || !value_faults.empty()) {
    faults.add({place, 0, 0}, setting.path,
               "the value " + quoted(text.substr(equals + 1)) + " is not valid YAML");
    return false;
  }
  setting.value = std::move(*value);
  place_at_set(setting.value);
  return true;
}

DeckNode* member_to_set(DeckNode& node, const std::string& key) {
  if (node.kind == DeckNode::Kind::null) node.kind = DeckNode::Kind::mapping;
  // A single value (lanes: all) makes way for the mapping that the setting begins.
  if (node.kind == DeckNode::Kind::scalar) {
    node = DeckNode{};
    node.kind = DeckNode::Kind::mapping;
    node.mark = {place, 0, 0};
  }
  if (node.kind != DeckNode::Kind::mapping) return nullptr;
  for (std::size_t i = 0; i < node.members.size(); ++i) {
    if (node.members[i].first != key) continue;
    node.member_marks[i] = {place, 0, 0};
    return &node.members[i].second;
  }
  node.members.emplace_back(key, DeckNode{});
  node.members.back().second.mark = {place, 0, 0};
  node.member_marks.push_back({place, 0, 0});
  return &node.members.back().second;
}

// Why a setting finds no place; empty when it found it.
std::string apply(DeckNode& root, const Setting& setting) {
  DeckNode* node = &root;
  std::string path;
  for (const std::string& part : setting.parts) {
    if (part.front() != '[') {
      DeckNode* member = member_to_set(*node, part);
      if (!member) return path + " is a list; name an element: " + path + "[0]." + part;
      node = member;
      path += (path.empty() ? "" : ".") + part;
      continue;
    }
    const auto index = static_cast<std::size_t>(*read_integer(part.substr(1, part.size() - 2)));
    if (node->kind != DeckNode::Kind::sequence) return path + " is no list in this deck";
    if (index >= node->items.size()) {
      return path + " has " + std::to_string(node->items.size()) + " elements; allowed: [0] to [" +
             std::to_string(node->items.size() - 1) + "]";
    }
    node = &node->items[index];
    path += part;
  }
  *node = setting.value;
  return "";
}

}  // namespace

void apply_sets(DeckNode& root, const std::vector<std::string>& sets, Faults& faults) {
  std::vector<Setting> settings;
  for (const std::string& text : sets) {
    Setting setting;
    if (read_setting(text, setting, faults)) settings.push_back(std::move(setting));
  }
  if (settings.empty()) return;
  if (root.kind == DeckNode::Kind::null) root.kind = DeckNode::Kind::mapping;
  DeckNode after = root;
  for (const Setting& setting : settings) {
    const std::string fault = apply(after, setting);
    if (!fault.empty()) faults.add({place, 0, 0}, setting.path, fault);
  }
  const DeckNode before = root;
  drop_stale_keys(root, before, after);
  for (const Setting& setting : settings) apply(root, setting);
}

}  // namespace tailrace
