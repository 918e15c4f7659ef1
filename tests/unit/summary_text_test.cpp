// SPDX-License-Identifier: Apache-2.0
// The summary's text, from figures set by hand: what must be in it, and that it fits a page.
#include "solver/app/summary_text.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <sstream>

#include "solver/app/text_table.hpp"

namespace tailrace {
namespace {

const SummaryContext context = {"ring.yaml", "ring.h5", "Tailrace 0.1.0 (abc)"};

CompletionStatistics completion(std::int64_t count, double median_ns) {
  CompletionStatistics statistics;
  statistics.count = count;
  statistics.min_ns = 0.9 * median_ns;
  statistics.median_ns = median_ns;
  statistics.mean_ns = 1.1 * median_ns;
  statistics.p99_ns = 2 * median_ns;
  statistics.max_ns = 3 * median_ns;
  statistics.ideal_median_ns = 0.8 * median_ns;
  statistics.slowdown_median = 1.25;
  statistics.slowdown_p99 = 2.5;
  statistics.slowdown_max = 3.75;
  return statistics;
}

// A ring of 10,000 as issue and decks have it: 87.23 ms, 25 GB/s less headers.
RunSummary ring() {
  RunSummary summary;
  summary.endpoints = 10000;
  summary.switches = 1250;
  summary.links = 60000;
  summary.flows = summary.messages = 10000;
  summary.hops = 55000;
  summary.payload_bytes = 2.147e13;
  summary.wire_bytes = 2.181e13;
  summary.dt_ns = 600;
  summary.simulated_ns = 87.2312e6;
  summary.steps = 145386;
  summary.hop_updates = 7996230000;
  summary.setup_wall_s = 0.5;
  summary.solve_wall_s = 61;
  summary.output_wall_s = 1.5;
  summary.wall_s = 63;
  summary.hop_updates_per_s = 131e6;
  summary.memory_bytes_per_rank_max = 123e6;
  summary.bytes_per_hop = 96.4;
  summary.ranks = 2;
  summary.threads = 1;
  summary.messages_sent_per_step = 2;
  summary.bytes_sent_per_step = 4096;
  summary.backend = "OpenMP";
  summary.completion = completion(10000, 87.2312e6);
  summary.collectives = {
      {"all_reduce", "all_reduce", "ring", 1073741824, 10000, 0, 87.2312e6, 12.31, 24.62}};
  TierResult tier;
  tier.name = "endpoint-leaf";
  tier.links = 10000;
  tier.capacity_gbps = 200;
  tier.bytes = 2.181e13;
  tier.utilisation_mean_frac = 0.999;
  tier.backlog_peak_bytes = 15000;
  tier.backlog_peak_lane = "e17->leaf0";
  tier.occupancy_peak_bytes = 30000;
  summary.tiers = {tier};
  summary.injected_bytes = summary.delivered_bytes = 2.181e13;
  summary.conservation_error_bytes = 1.2e-3;
  return summary;
}

void expect_fits_page(const std::string& text) {
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);) {
    EXPECT_LE(character_count(line), page_columns) << line;
    EXPECT_TRUE(line.empty() || line.back() != ' ') << line;
  }
}

bool contains(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

TEST(SummaryText, HasEveryFigureOfARing) {
  const std::string text = summary_text(ring(), context);
  expect_fits_page(text);
  for (const char* part : {"ring.yaml",
                           "Tailrace 0.1.0 (abc)",
                           "10,000 endpoints",
                           "1,250 switches",
                           "60,000 links",
                           "10,000 messages on 10,000 flows",
                           "87.23 ms in 145,386 steps of 600 ns",
                           "set-up 0.50 s",
                           "2 ranks x 1 thread",
                           "131 million per second",
                           "123.0 MB on the largest rank",
                           "96 B",
                           "ring.h5",
                           "endpoint-leaf",
                           "200 Gbps",
                           "99.9 %",
                           "15.00 kB",
                           "e17->leaf0",
                           "1.074 GB",
                           "12.31 GB/s",
                           "24.62 GB/s",
                           "p99 2.500, max 3.750"}) {
    EXPECT_TRUE(contains(text, part)) << part << " is not in\n" << text;
  }
  EXPECT_FALSE(contains(text, "Warnings")) << text;
  EXPECT_FALSE(contains(text, "unfinished")) << text;
}

TEST(SummaryText, SaysThatNothingWasHeldBack) {
  RunSummary summary = ring();
  EXPECT_TRUE(contains(summary_text(summary, context), "No lane was paused"));
  summary.tiers[0].pauses = 12;
  summary.tiers[0].paused_mean_frac = 0.25;
  const std::string text = summary_text(summary, context);
  EXPECT_FALSE(contains(text, "No lane was paused"));
  EXPECT_TRUE(contains(text, "25.0 %"));
  EXPECT_FALSE(contains(text, "waiting for credits"));
}

TEST(SummaryText, OneCollectiveWithoutFileOrMessages) {
  RunSummary summary;
  summary.endpoints = 1;
  const std::string text = summary_text(summary, {"empty.yaml", "", "Tailrace"});
  expect_fits_page(text);
  EXPECT_TRUE(contains(text, "There were no messages."));
  EXPECT_TRUE(contains(text, "no file"));
  EXPECT_TRUE(contains(text, "1 endpoint, 0 switches"));
  EXPECT_FALSE(contains(text, "Collectives"));
  EXPECT_FALSE(contains(text, "nan"));
}

// First of all, before any figure, and by the run's own warnings at the end.
TEST(SummaryText, UnfinishedMessagesAreSaidLoudly) {
  RunSummary summary = ring();
  summary.time_limit_reached = true;
  summary.completion.count = 9877;
  summary.completion.unfinished = 123;
  summary.collectives[0].finish_ns = std::nan("");
  summary.warnings = {"raise run.time_limit"};
  const std::string text = summary_text(summary, context);
  expect_fits_page(text);
  EXPECT_TRUE(contains(text, "\nNOT FINISHED: 123 of 10,000 messages had not arrived")) << text;
  EXPECT_TRUE(contains(text, "arrived whole at the time limit, 87.23 ms"));
  EXPECT_LT(text.find("NOT FINISHED"), text.find("Fabric"));
  EXPECT_TRUE(contains(text, "Warnings\n  * raise run.time_limit"));
  EXPECT_TRUE(contains(text, "all      10,000         123"));
  EXPECT_TRUE(contains(text, "ring       10,000  1.074 GB   0 ns  unfinished      -      -"));
  EXPECT_FALSE(contains(text, "mean  "));
  EXPECT_FALSE(contains(text, "nan"));
}

TEST(SummaryText, NothingFinishedShowsNoTimes) {
  RunSummary summary = ring();
  summary.messages = 7;
  summary.completion = {};
  summary.completion.unfinished = 7;
  const std::string text = summary_text(summary, context);
  EXPECT_TRUE(contains(text, "NOT FINISHED: 7 of 7 messages"));
  EXPECT_TRUE(contains(text, "all           7           7    -"));
}

// Of 500 groups the 20 longest are listed, in their own order, and the rest is said to be left out.
TEST(SummaryText, ManyGroupsAreCutWithANote) {
  RunSummary summary = ring();
  for (int i = 0; i < 500; ++i) {
    summary.groups.push_back({"group" + std::to_string(i), completion(20, 1e6 * (i + 1))});
  }
  summary.groups[3].completion.unfinished = 1;
  const std::string text = summary_text(summary, context);
  expect_fits_page(text);
  EXPECT_TRUE(contains(text, "group499 "));
  EXPECT_TRUE(contains(text, "group481 "));
  EXPECT_FALSE(contains(text, "group480 "));
  EXPECT_TRUE(contains(text, "group3 ")) << "an unfinished group counts as the longest";
  EXPECT_TRUE(contains(text, "of 500 groups"));
  EXPECT_LT(text.find("group3 "), text.find("group499 "));
}

TEST(SummaryText, ManyCollectivesAreCutWithANote) {
  RunSummary summary = ring();
  for (int i = 0; i < 30; ++i) summary.collectives.push_back(summary.collectives[0]);
  EXPECT_TRUE(contains(summary_text(summary, context), "of 31 collectives"));
}

TEST(SummaryText, LongNamesAndLargeFiguresFitThePage) {
  RunSummary summary = ring();
  const std::string name(80, 'n');
  summary.completion = completion(123456789, 999.9e6);
  summary.completion.unfinished = 12345678;
  summary.groups = {{name, summary.completion}, {name, summary.completion}};
  summary.collectives[0].name = name;
  summary.collectives[0].start_ns = 123.4e6;
  summary.tiers[0].name = name;
  summary.tiers[0].backlog_peak_lane = name + "->" + name;
  summary.tiers[0].pauses = 123456789;
  summary.tiers[0].paused_mean_frac = 0.123;
  summary.tiers[0].credit_stalled_mean_frac = 0.456;
  summary.warnings = {name + " " + name + " " + name};
  expect_fits_page(summary_text(summary, context));
}

}  // namespace
}  // namespace tailrace
