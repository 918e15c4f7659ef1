// SPDX-License-Identifier: Apache-2.0
// What --dry-run prints, from figures set by hand.
#include "solver/app/estimate_text.hpp"

#include <gtest/gtest.h>

namespace tailrace {
namespace {

Estimate estimate() {
  Estimate result;
  result.endpoints = 128;
  result.switches = 1;
  result.links = 256;
  result.flows = 16;
  result.messages = 32;
  result.hops = 48;
  result.lanes = 256;
  result.payload_bytes = 16e6;
  result.dt_ns = 600;
  result.max_steps = 1000;
  result.memory_bytes_by_rank = {1e6, 3e6, 2e6};
  result.output_bytes_max = 5e6;
  return result;
}

bool contains(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

TEST(EstimateText, HasEveryFigure) {
  const std::string text = estimate_text(estimate(), {"a.yaml", "a.h5", "Tailrace"});
  for (const char* part :
       {"a.yaml (dry run", "128 endpoints, 1 switch, 256 links", "32 messages on 16 flows",
        "16.00 MB", "48 hops in 256 lanes", "of 600 ns; at most 1,000 to the time limit, 600.0 us",
        "1.000 MB to 3.000 MB on each of 3 ranks, 6.000 MB in all (most on rank 1)",
        "a.h5, at most 5.000 MB"}) {
    EXPECT_TRUE(contains(text, part)) << part << " is not in\n" << text;
  }
  EXPECT_FALSE(contains(text, "Warnings"));
}

TEST(EstimateText, OneRankWithoutFileButWithWarnings) {
  Estimate alone = estimate();
  alone.memory_bytes_by_rank = {2e6};
  alone.warnings = {"latencies are rounded"};
  const std::string text = estimate_text(alone, {"a.yaml", "", "Tailrace"});
  EXPECT_TRUE(contains(text, "2.000 MB on 1 rank"));
  EXPECT_TRUE(contains(text, "no file"));
  EXPECT_TRUE(contains(text, "* latencies are rounded"));
}

}  // namespace
}  // namespace tailrace
