// SPDX-License-Identifier: Apache-2.0
// The summary as JSON: names, nesting, numbers that JSON does not have.
#include "solver/app/summary_json.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <nlohmann/json.hpp>

namespace tailrace {
namespace {

TEST(SummaryJson, KeepsNamesNestingAndFullPrecision) {
  RunSummary summary;
  summary.steps = 9007199254740993;  // 2^53 + 1: no double
  summary.simulated_ns = 0.1 + 0.2;
  summary.completion.count = 3;
  summary.groups = {{"a", {}}, {"b", {}}};
  summary.collectives = {{"ring", "all_reduce", "ring", 8, 2, 0, 4, 2, 2}};
  summary.tiers.resize(2);
  summary.warnings = {"say \"this\"\n"};
  const auto json = nlohmann::json::parse(summary_json(summary, "tailrace run 'a b.yaml'"));
  EXPECT_EQ(json["command"], "tailrace run 'a b.yaml'");
  EXPECT_FALSE(json["tailrace_version"].get<std::string>().empty());
  EXPECT_EQ(json["steps"].get<std::int64_t>(), 9007199254740993);
  EXPECT_EQ(json["simulated_ns"].get<double>(), 0.1 + 0.2);
  EXPECT_EQ(json["completion"]["count"], 3);
  ASSERT_EQ(json["groups"].size(), 2U);
  EXPECT_EQ(json["groups"][1]["name"], "b");
  EXPECT_EQ(json["groups"][1]["completion"]["unfinished"], 0);
  EXPECT_EQ(json["collectives"][0]["busbw_GBps"], 2);
  EXPECT_EQ(json["tiers"].size(), 2U);
  EXPECT_EQ(json["warnings"][0], "say \"this\"\n");
}

TEST(SummaryJson, EmptyListsStayLists) {
  const auto json = nlohmann::json::parse(summary_json({}, ""));
  EXPECT_TRUE(json["groups"].is_array());
  EXPECT_TRUE(json["collectives"].is_array());
  EXPECT_TRUE(json["warnings"].is_array());
}

TEST(SummaryJson, WhatIsNoNumberBecomesNull) {
  RunSummary summary;
  summary.collectives.resize(1);
  summary.collectives[0].finish_ns = std::nan("");
  summary.hop_updates_per_s = std::numeric_limits<double>::infinity();
  const auto json = nlohmann::json::parse(summary_json(summary, ""));
  EXPECT_TRUE(json["collectives"][0]["finish_ns"].is_null());
  EXPECT_TRUE(json["hop_updates_per_s"].is_null());
}

TEST(SummaryJson, TextThatIsNoUtf8DoesNotFail) {
  RunSummary summary;
  summary.warnings = {"bad \xff byte"};
  EXPECT_EQ(nlohmann::json::parse(summary_json(summary, ""))["warnings"][0], "bad  byte");
}

}  // namespace
}  // namespace tailrace
