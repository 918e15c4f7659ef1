// SPDX-License-Identifier: Apache-2.0
// Tables of the summary: alignment, the width of a page, names that are too long for it.
#include "solver/app/text_table.hpp"

#include <gtest/gtest.h>

#include <sstream>

#include "solver/base/errors.hpp"

namespace tailrace {
namespace {

using Align = TextTable::Align;

std::size_t widest_line(const std::string& text) {
  std::size_t widest = 0;
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);) {
    widest = std::max(widest, character_count(line));
  }
  return widest;
}

TEST(TextTable, AlignsNamesLeftAndNumbersRight) {
  TextTable table({{"name", Align::left}, {"size"}});
  table.add_row({"a", "1"});
  table.add_row({"long name", "1,000"});
  EXPECT_EQ(table.text(), "  name        size\n  a              1\n  long name  1,000\n");
}

TEST(TextTable, CountsCharactersNotBytes) {
  TextTable table({{"name", Align::left}, {"size"}});
  table.add_row({"\xc3\xa9\xc3\xa9\xc3\xa9\xc3\xa9", "1"});  // four letters, eight bytes
  EXPECT_EQ(table.text(0), "name  size\n\xc3\xa9\xc3\xa9\xc3\xa9\xc3\xa9     1\n");
}

TEST(TextTable, CutsLongNamesToThePage) {
  TextTable table({{"name", Align::left, true}, {"number"}, {"lane", Align::left, true}});
  table.add_row({std::string(200, 'n'), "123,456", std::string(90, 'l')});
  const std::string text = table.text();
  EXPECT_EQ(widest_line(text), page_columns);
  EXPECT_NE(text.find("123,456"), std::string::npos);
  EXPECT_NE(text.find("n...n"), std::string::npos);
  EXPECT_NE(text.find("l...l"), std::string::npos);
}

TEST(TextTable, DropsAColumnOnlyIfItSaysNothing) {
  TextTable table({{"name", Align::left}, {"pauses"}, {"drops"}});
  table.add_row({"a", "0", "0"});
  table.add_row({"b", "3", "0"});
  table.drop_if_blank("pauses", {"0"});
  table.drop_if_blank("drops", {"0"});
  EXPECT_EQ(table.text(0), "name  pauses\na          0\nb          3\n");
}

TEST(TextTable, RefusesARowOfAnotherLength) {
  TextTable table({{"name"}, {"size"}});
  EXPECT_THROW(table.add_row({"a"}), TailraceError);
  EXPECT_THROW(table.drop_if_blank("colour", {"-"}), TailraceError);
}

TEST(Shortened, KeepsBothEnds) {
  EXPECT_EQ(shortened("leaf3->spine0", 13), "leaf3->spine0");
  EXPECT_EQ(shortened("leaf3->spine0", 9), "lea...ne0");
  EXPECT_EQ(shortened("abcdef", 3), "abc");
  EXPECT_EQ(shortened("\xc3\xa9\xc3\xa9\xc3\xa9\xc3\xa9\xc3\xa9\xc3\xa9", 5),
            "\xc3\xa9...\xc3\xa9");
}

TEST(Wrapped, BreaksAtBlanksAndIndents) {
  std::string words;
  for (int i = 0; i < 60; ++i) words += "word ";
  const std::string text = wrapped("  * ", words);
  EXPECT_LE(widest_line(text), page_columns);
  EXPECT_EQ(text.find("  * word word"), 0U);
  EXPECT_NE(text.find("\n    word"), std::string::npos);
  EXPECT_EQ(wrapped("- ", std::string(150, 'x')), "- " + std::string(150, 'x') + "\n");
  EXPECT_EQ(wrapped("- ", ""), "- \n");
}

}  // namespace
}  // namespace tailrace
