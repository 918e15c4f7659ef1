// SPDX-License-Identifier: Apache-2.0
// Values of a deck by path: what stands in it, or the parameter table's default.
#include "solver/base/deck.hpp"

#include <algorithm>
#include <charconv>

#include "solver/base/numbers.hpp"
#include "solver/base/parameters.hpp"

namespace tailrace {

namespace {

// The child that the next part of a path ("key", ".key", "[3]") names; moves `at` behind it.
const DeckNode* next_node(const DeckNode& node, const std::string& path, std::size_t& at) {
  if (path[at] == '[') {
    const std::size_t close = path.find(']', at);
    if (close == std::string::npos || node.kind != DeckNode::Kind::sequence) return nullptr;
    const auto index = read_integer(std::string_view(path).substr(at + 1, close - at - 1));
    at = close + 1;
    if (!index || *index < 0 || *index >= static_cast<std::int64_t>(node.items.size())) {
      return nullptr;
    }
    return &node.items[static_cast<std::size_t>(*index)];
  }
  if (path[at] == '.') ++at;
  const std::size_t end = std::min(path.find_first_of(".[", at), path.size());
  const std::string key = path.substr(at, end - at);
  at = end;
  return node.find(key);
}

struct Value {
  std::string text;
  const Parameter* row;
};

// Text and row of a single value; anything else is a mistake of the caller.
Value value_at(const DeckNode& root, const std::string& path) {
  const PathEntry* entry = find_entry(path);
  const Parameter* row = entry ? value_row(*entry, root) : nullptr;
  TAILRACE_REQUIRE(row, "the parameter table has no value " + path);
  const DeckNode* node = root.find_path(path);
  if (!node || node->kind == DeckNode::Kind::null) {
    TAILRACE_REQUIRE(!row->default_text.empty(),
                     "the deck has no " + path + ", nor has it a default");
    return {row->default_text, row};
  }
  TAILRACE_REQUIRE(node->kind == DeckNode::Kind::scalar, path + " is no single value in this deck");
  return {node->scalar, row};
}

}  // namespace

const DeckNode* DeckNode::find(const std::string& key) const {
  for (const auto& [name, value] : members) {
    if (name == key) return &value;
  }
  return nullptr;
}

const DeckNode* DeckNode::find_path(const std::string& dotted) const {
  const DeckNode* node = this;
  std::size_t at = 0;
  while (node && at < dotted.size()) node = next_node(*node, dotted, at);
  return node;
}

Deck::Deck(std::shared_ptr<const DeckNode> root, std::string source_text)
    : root_(std::move(root)), source_text_(std::move(source_text)) {}

bool Deck::given(const std::string& path) const {
  const DeckNode* found = root_->find_path(path);
  return found && found->kind != DeckNode::Kind::null;
}

double Deck::number(const std::string& path) const {
  const auto [text, row] = value_at(*root_, path);
  TAILRACE_REQUIRE(!row->is_word(text), path + " is the word " + text + ", not a number");
  return parse_quantity(text, dimension_of(row->type));
}

std::int64_t Deck::integer(const std::string& path) const {
  const auto value = read_integer(value_at(*root_, path).text);
  TAILRACE_REQUIRE(value, path + " is not a whole number");
  return *value;
}

bool Deck::boolean(const std::string& path) const { return value_at(*root_, path).text == "true"; }

std::string Deck::text(const std::string& path) const { return value_at(*root_, path).text; }

const DeckNode* Deck::node(const std::string& path) const { return root_->find_path(path); }

Mark Deck::mark(const std::string& path) const {
  const DeckNode* node = root_.get();
  Mark found = node->mark;
  std::size_t at = 0;
  while (at < path.size()) {
    node = next_node(*node, path, at);
    if (!node) break;
    found = node->mark;
  }
  return found;
}

}  // namespace tailrace
