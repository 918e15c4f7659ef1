// SPDX-License-Identifier: Apache-2.0
// Nonsense of many kinds: each is refused or read, never a crash, and what is read is kept whole.
#include <gtest/gtest.h>

#include <random>
#include <string>
#include <vector>

#include "solver/base/yaml_read.hpp"
#include "tests/unit/deck_text.hpp"

namespace tailrace {
namespace {

using testing_decks::credit_deck;
using testing_decks::load;
using testing_decks::pfc_deck;

// Reads a text that may be wrong; anything but InputError ends the test.
void survive(const std::string& text) {
  try {
    const Deck deck = load(text);
    EXPECT_EQ(load(deck.source_text()).source_text(), deck.source_text());
  } catch (const InputError& error) {
    EXPECT_STRNE(error.what(), "");
  }
}

bool same(const DeckNode& a, const DeckNode& b) {
  if (a.kind != b.kind || a.scalar != b.scalar || a.items.size() != b.items.size() ||
      a.members.size() != b.members.size()) {
    return false;
  }
  for (std::size_t i = 0; i < a.items.size(); ++i) {
    if (!same(a.items[i], b.items[i])) return false;
  }
  for (std::size_t i = 0; i < a.members.size(); ++i) {
    if (a.members[i].first != b.members[i].first || !same(a.members[i].second, b.members[i].second))
      return false;
  }
  return true;
}

TEST(DeckFuzz, EveryBeginningOfADeck) {
  for (const std::string& deck : {credit_deck, pfc_deck}) {
    for (std::size_t length = 0; length <= deck.size(); ++length) survive(deck.substr(0, length));
  }
}

TEST(DeckFuzz, ChangedBytes) {
  std::mt19937 random(1);  // fixed: a failure repeats
  const std::string marks = "{}[]:,-#&*!|>'\"%@`?~\n\t ";
  for (int round = 0; round < 2000; ++round) {
    std::string text = round % 2 ? credit_deck : pfc_deck;
    for (int i = 0; i < 1 + round % 5; ++i) {
      const std::size_t at = random() % text.size();
      switch (random() % 4) {
        case 0:
          text[at] = marks[random() % marks.size()];
          break;
        case 1:
          text.insert(at, 1, marks[random() % marks.size()]);
          break;
        case 2:
          text.erase(at, 1 + random() % 5);
          break;
        default:
          text[at] = static_cast<char>(random() % 256);
      }
      if (text.empty()) text = "a";
    }
    SCOPED_TRACE(round);
    survive(text);
  }
}

TEST(DeckFuzz, RandomBytes) {
  std::mt19937 random(2);
  for (int round = 0; round < 300; ++round) {
    std::string text;
    for (std::size_t i = 0; i < 1 + random() % 400; ++i)
      text += static_cast<char>(random() % (round % 2 ? 256 : 128));
    survive(text);
  }
}

// Whatever YAML allows in a tree comes back from its own text.
TEST(DeckFuzz, WrittenTreesAreReadBack) {
  std::mt19937 random(3);
  const std::vector<std::string> pieces = {"a",
                                           "0",
                                           " ",
                                           ":",
                                           "#",
                                           "-",
                                           "'",
                                           "\"",
                                           "\\",
                                           "\n",
                                           "\t",
                                           "null",
                                           "~",
                                           "[",
                                           "{",
                                           "\xc3\xa4",
                                           "\xe2\x80\xa8",
                                           "\xc2\x85",
                                           "\xef\xbb\xbf",
                                           "%",
                                           "&",
                                           "*",
                                           "!",
                                           "|",
                                           ">",
                                           "?",
                                           ",",
                                           "\r"};
  const auto text = [&] {
    std::string result;
    for (std::size_t i = 0; i < random() % 4; ++i) result += pieces[random() % pieces.size()];
    return result;
  };
  const auto tree = [&](const auto& self, int depth) -> DeckNode {
    DeckNode node;
    const std::size_t kind = random() % (depth < 4 ? 4 : 2);
    node.kind = static_cast<DeckNode::Kind>(kind);
    if (kind == 1) node.scalar = text();
    for (std::size_t i = 0; kind == 2 && i < random() % 4; ++i)
      node.items.push_back(self(self, depth + 1));
    for (std::size_t i = 0; kind == 3 && i < random() % 4; ++i) {
      node.members.emplace_back(std::to_string(i) + text(), self(self, depth + 1));
      node.member_marks.emplace_back();
    }
    return node;
  };
  for (int round = 0; round < 2000; ++round) {
    const DeckNode node = tree(tree, 0);
    const std::string written = write_yaml(node);
    Faults faults;
    const auto read = read_yaml(written, "", faults);
    ASSERT_TRUE(read) << written << faults.text();
    EXPECT_TRUE(same(node, *read)) << written;
  }
}

TEST(DeckFuzz, LongNonsenseEndsSoon) {
  for (const std::string piece : {"x", "a: ", "- ", "[", "{a: ", "a\n", "\"", "&a ", "*a ", "? ",
                                  "!!a ", "| ", "a,", "[a, ", "- a\n", "#", "\n"}) {
    std::string text;
    while (text.size() < 100000) text += piece;
    survive(text);
  }
}

}  // namespace
}  // namespace tailrace
