// SPDX-License-Identifier: Apache-2.0
// Builds trees of DeckNode from the events of yaml-cpp's parser.
#include "solver/base/yaml_read.hpp"

#include <fmt/format.h>
#include <yaml-cpp/eventhandler.h>
#include <yaml-cpp/exceptions.h>
#include <yaml-cpp/mark.h>
#include <yaml-cpp/parser.h>

#include <algorithm>
#include <memory>
#include <sstream>
#include <unordered_map>
#include <unordered_set>
#include <utility>
#include <vector>

#include "solver/base/numbers.hpp"

namespace tailrace {

namespace {

// What ends the reading of a file; the parser passes it through.
struct Unreadable {
  Mark mark;
  std::string message;
};

Unreadable too_many_values(const Mark& mark) {
  return {mark, fmt::format("more than {} values", most_deck_nodes)};
}

struct Anchored {
  DeckNode node;
  std::size_t nodes = 0;
  int depth = 0;
};

// Receives the parser's events in the order of the text and keeps the open collections in a stack.
class TreeBuilder : public YAML::EventHandler {
 public:
  TreeBuilder(std::string file, Faults& faults) : file_(std::move(file)), faults_(faults) {}

  DeckNode take_root() { return std::move(root_); }

  void OnDocumentStart(const YAML::Mark& mark) override {
    if (++documents_ > 1) {
      throw Unreadable{place(mark), "a second document starts here; a deck is one document"};
    }
  }
  void OnDocumentEnd() override {}

  void OnNull(const YAML::Mark& mark, YAML::anchor_t anchor) override {
    DeckNode node;
    node.mark = place(mark);
    count_node(node.mark);
    finish(std::move(node), anchor, 1, 1);
  }

  void OnAlias(const YAML::Mark& mark, YAML::anchor_t anchor) override {
    const auto found = anchors_.find(anchor);
    if (found == anchors_.end()) {
      throw Unreadable{place(mark), "this alias stands inside what it stands for"};
    }
    count_alias(found->second.nodes, place(mark));
    finish(found->second.node, 0, found->second.nodes, found->second.depth);
  }

  void OnScalar(const YAML::Mark& mark, const std::string& tag, YAML::anchor_t anchor,
                const std::string& value) override {
    check_tag(mark, tag);
    DeckNode node;
    node.kind = DeckNode::Kind::scalar;
    node.mark = place(mark);
    node.scalar = value;
    node.quoted = tag == "!";  // yaml-cpp's mark of a scalar in quotes
    count_node(node.mark);
    finish(std::move(node), anchor, 1, 1);
  }

  void OnSequenceStart(const YAML::Mark& mark, const std::string& tag, YAML::anchor_t anchor,
                       YAML::EmitterStyle::value) override {
    open(mark, tag, anchor, DeckNode::Kind::sequence);
  }
  void OnMapStart(const YAML::Mark& mark, const std::string& tag, YAML::anchor_t anchor,
                  YAML::EmitterStyle::value) override {
    open(mark, tag, anchor, DeckNode::Kind::mapping);
  }
  void OnSequenceEnd() override { close(); }
  void OnMapEnd() override { close(); }

 private:
  struct Open {
    DeckNode node;
    YAML::anchor_t anchor = 0;
    std::size_t nodes = 1;
    int depth = 1;         // of the deepest child, plus 1
    bool has_key = false;  // of a mapping: the next node is a value
    bool keep_value = true;
    std::string key;
    Mark key_mark;
    std::unordered_set<std::string> keys;
  };

  Mark place(const YAML::Mark& mark) const { return {file_, mark.line + 1, mark.column + 1}; }

  void check_tag(const YAML::Mark& mark, const std::string& tag) {
    if (tag.empty() || tag == "?" || tag == "!") return;
    faults_.add(place(mark), "", "the tag " + quoted(tag) + " has no meaning in a deck; remove it");
  }

  void open(const YAML::Mark& mark, const std::string& tag, YAML::anchor_t anchor,
            DeckNode::Kind kind) {
    check_tag(mark, tag);
    Open opened;
    opened.node.kind = kind;
    opened.node.mark = place(mark);
    opened.anchor = anchor;
    count_node(opened.node.mark);
    stack_.push_back(std::move(opened));
    check_depth(static_cast<int>(stack_.size()), stack_.back().node.mark);
  }

  void close() {
    Open closed = std::move(stack_.back());
    stack_.pop_back();
    finish(std::move(closed.node), closed.anchor, closed.nodes, closed.depth);
  }

  static void check_depth(int depth, const Mark& mark) {
    if (depth <= most_deck_depth) return;
    throw Unreadable{mark, fmt::format("nested deeper than {} levels", most_deck_depth)};
  }

  // A node with everything below it is complete: it becomes a key, a value, an element or the root.
  void finish(DeckNode node, YAML::anchor_t anchor, std::size_t nodes, int depth) {
    check_depth(static_cast<int>(stack_.size()) + depth, node.mark);
    if (anchor != 0) anchors_[anchor] = {node, nodes, depth};
    if (stack_.empty()) {
      root_ = std::move(node);
      return;
    }
    Open& parent = stack_.back();
    parent.nodes += nodes;
    parent.depth = std::max(parent.depth, depth + 1);
    if (parent.node.kind == DeckNode::Kind::sequence) {
      parent.node.items.push_back(std::move(node));
    } else if (!parent.has_key) {
      take_key(parent, node);
    } else {
      take_value(parent, std::move(node));
    }
  }

  void count_node(const Mark& mark) {
    if (++total_nodes_ <= most_deck_nodes) return;
    throw too_many_values(mark);
  }

  void count_alias(std::size_t nodes, const Mark& mark) {
    alias_nodes_ += nodes;
    if (alias_nodes_ <= most_alias_nodes) return;
    throw Unreadable{mark, fmt::format("aliases stand for more than {} values", most_alias_nodes)};
  }

  void take_key(Open& parent, const DeckNode& node) {
    parent.has_key = true;
    parent.key = node.scalar;
    parent.key_mark = node.mark;
    parent.keep_value = true;
    if (node.kind != DeckNode::Kind::scalar) {
      faults_.add(node.mark, "", "a key must be a name");
      parent.keep_value = false;
    } else if (!parent.keys.insert(node.scalar).second) {
      faults_.add(node.mark, printable(node.scalar), "stands twice in this mapping");
      parent.keep_value = false;
    }
  }

  static void take_value(Open& parent, DeckNode node) {
    parent.has_key = false;
    if (!parent.keep_value) return;
    parent.node.members.emplace_back(std::move(parent.key), std::move(node));
    parent.node.member_marks.push_back(parent.key_mark);
  }

  static std::string printable(const std::string& key) {
    const std::string in_quotes = quoted(key);
    return in_quotes.substr(1, in_quotes.size() - 2);
  }

  std::string file_;
  Faults& faults_;
  DeckNode root_;
  int documents_ = 0;
  std::size_t total_nodes_ = 0;
  std::size_t alias_nodes_ = 0;
  std::vector<Open> stack_;
  std::unordered_map<YAML::anchor_t, Anchored> anchors_;
};

// Number of bytes of the UTF-8 character that starts here; 0 when it is none, or a control
// character that no text has.
std::size_t character_bytes(const std::string& text, std::size_t at) {
  const auto byte = [&](std::size_t i) {
    return i < text.size() ? static_cast<unsigned char>(text[i]) : 0u;
  };
  const unsigned first = byte(at);
  if (first == '\t' || first == '\n' || first == '\r') return 1;
  if (first < 0x20 || first == 0x7f) return 0;
  if (first < 0x80) return 1;
  const std::size_t length = first >= 0xf0 ? 4 : first >= 0xe0 ? 3 : 2;
  if (first < 0xc2 || first > 0xf4) return 0;
  for (std::size_t i = 1; i < length; ++i) {
    if ((byte(at + i) & 0xc0u) != 0x80u) return 0;
  }
  return length;
}

// Refuses what is no UTF-8 text, for yaml-cpp would take some binary files for long words; and
// brackets and commas without end, for it keeps all tokens of the outermost bracket in memory
// before the limits of the tree can be seen. (Those inside words count too, but are never so many.)
void require_text(const std::string& text, const std::string& file) {
  Mark mark{file, 1, 1};
  std::int64_t open_brackets = 0;
  std::size_t values = 0;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t length = character_bytes(text, at);
    const char c = text[at];
    if (length == 0) {
      throw Unreadable{mark, fmt::format("not a text: byte 0x{:02x}; a deck is YAML in UTF-8",
                                         static_cast<unsigned char>(c))};
    }
    if (c == '[' || c == '{') ++open_brackets;
    if (c == ']' || c == '}') --open_brackets;
    if (c == ',' || c == '[' || c == '{') ++values;
    if (open_brackets > most_open_brackets) {
      throw Unreadable{mark, fmt::format("more than {} brackets are open", most_open_brackets)};
    }
    if (values > most_deck_nodes) throw too_many_values(mark);
    ++mark.column;
    if (c == '\n') mark = {file, mark.line + 1, 1};
    at += length;
  }
}

DeckNode parse(const std::string& text, const std::string& file, Faults& faults) {
  require_text(text, file);
  std::istringstream stream(text);
  YAML::Parser parser(stream);
  TreeBuilder builder(file, faults);
  while (parser.HandleNextDocument(builder)) {
  }
  DeckNode root = builder.take_root();
  if (root.mark.file.empty()) root.mark.file = file;  // nothing but comments
  return root;
}

std::string syntax_hint(const std::string& text, int line) {
  std::istringstream stream(text);
  std::string content;
  for (int i = 0; i <= line && std::getline(stream, content); ++i) {
  }
  const std::size_t start = content.find_first_not_of(" \t");
  if (start != std::string::npos && content.substr(0, start).find('\t') != std::string::npos) {
    return "; the line is indented with a tab, YAML wants spaces";
  }
  return "";
}

}  // namespace

std::optional<DeckNode> read_yaml(const std::string& text, const std::string& file,
                                  Faults& faults) {
  try {
    return parse(text, file, faults);
  } catch (const Unreadable& reason) {
    faults.add(reason.mark, "", reason.message);
  } catch (const YAML::Exception& error) {
    const Mark mark{file, error.mark.line + 1, error.mark.column + 1};
    faults.add(mark, "", "not valid YAML: " + error.msg + syntax_hint(text, error.mark.line));
  }
  return std::nullopt;
}

}  // namespace tailrace
