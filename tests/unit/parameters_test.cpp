// SPDX-License-Identifier: Apache-2.0
// The parameter table itself: its rows make sense, and what is printed from it is current.
#include "solver/base/parameters.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <fstream>
#include <iterator>
#include <set>
#include <string>

#include "solver/base/errors.hpp"

namespace tailrace {
namespace {

TEST(Parameters, RowsMakeSense) {
  std::set<std::string> rows;
  for (const Parameter& row : parameter_table()) {
    SCOPED_TRACE(row.path);
    EXPECT_FALSE(row.help.empty());
    EXPECT_EQ(row.help.back(), '.');
    EXPECT_FALSE(row.is_required && !row.default_text.empty());
    EXPECT_LE(row.low, row.high);
    if (!row.default_text.empty()) {
      EXPECT_EQ(check_value(row, row.default_text), "");
    }
    std::string identity = row.path + (row.type == ValueType::list ? " list" : "");
    for (const Condition& condition : row.conditions) {
      const PathEntry* selector = find_entry(condition.key);
      ASSERT_NE(selector, nullptr);
      ASSERT_FALSE(selector->rows.empty());
      const Parameter& choices = *selector->rows.front();
      EXPECT_EQ(choices.type, ValueType::choice);
      identity += " " + condition.key;
      for (const std::string& value : condition.values) {
        identity += "=" + value;
        const bool is_later = std::count(choices.later.begin(), choices.later.end(), value) > 0;
        EXPECT_TRUE(choices.is_word(value) || is_later) << value;
      }
    }
    EXPECT_TRUE(rows.insert(identity).second) << "two rows for the same case";
  }
}

TEST(Parameters, EntriesByPath) {
  ASSERT_NE(find_entry("workload.flows[3].bytes"), nullptr);
  EXPECT_EQ(find_entry("workload.flows[3].bytes"), find_entry("workload.flows[].bytes"));
  EXPECT_EQ(find_entry("fabric.topology.endpoints.S")->path, "fabric.topology.endpoints.*");
  EXPECT_EQ(find_entry("fabric.link.colour"), nullptr);
  EXPECT_EQ(find_entry(""), &parameter_tree());
}

TEST(Parameters, NearestName) {
  EXPECT_EQ(nearest_name("capacty", {"latency", "capacity"}), "capacity");
  EXPECT_EQ(nearest_name("colour", {"latency", "capacity"}), "");
  EXPECT_EQ(nearest_name("xof", {"xon", "xoff"}), "xon");  // both one letter away: the first
  EXPECT_EQ(nearest_name("ab", {"cd"}), "");
  EXPECT_EQ(nearest_name(std::string(1000000, 'x'), {"xoff"}), "");
}

TEST(Parameters, TextOfAPart) {
  const std::string text = parameters_text("fabric.link.l");
  EXPECT_EQ(
      text.find("fabric.link.latency\n    a time such as 600 ns, from 0.1 ns to 1 s; required\n"),
      0u)
      << text;
  EXPECT_EQ(text.find("fabric.link.capacity"), std::string::npos);
  EXPECT_NE(parameters_text("").find("workload.flows[].bytes"), std::string::npos);
  try {
    parameters_text("fabric.link.latncy");
    FAIL() << "there is no such key";
  } catch (const InputError& error) {
    EXPECT_STREQ(
        error.what(),
        "no parameter begins with 'fabric.link.latncy'; did you mean fabric.link.latency?");
  }
}

// inputs/PARAMETERS.md is what `tailrace params --markdown` prints.
TEST(Parameters, PageIsCurrent) {
  const char* source = std::getenv("TAILRACE_SOURCE");
  if (!source) GTEST_SKIP() << "TAILRACE_SOURCE does not say where the source tree is";
  std::ifstream file(std::string(source) + "/inputs/PARAMETERS.md");
  const std::string page(std::istreambuf_iterator<char>(file), {});
  EXPECT_TRUE(page == parameters_markdown())
      << "inputs/PARAMETERS.md is not current; write it anew: tailrace params --markdown > "
         "inputs/PARAMETERS.md";
}

}  // namespace
}  // namespace tailrace
