// SPDX-License-Identifier: Apache-2.0
// Tests max-min shares: levels, weights, conservation.
#include "models/fair_share.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <vector>

namespace tailrace {
namespace {

double level_of(const std::vector<double>& contents, double budget,
                const std::vector<double>& weights = {}) {
  return fair_level(
      static_cast<int>(contents.size()), budget,
      [&](int k) { return contents[static_cast<std::size_t>(k)]; },
      [&](int k) { return weights.empty() ? 1.0 : weights[static_cast<std::size_t>(k)]; });
}

// Three that want more than a third: a third each.
TEST(FairShare, EqualWhenAllWantMore) { EXPECT_DOUBLE_EQ(level_of({10, 20, 30}, 12), 4); }

// 1 is satisfied; the others share 12 - 1 = 11: 5.5 each, which satisfies neither.
TEST(FairShare, LeavesWhatTheSmallDoNotUse) { EXPECT_DOUBLE_EQ(level_of({1, 20, 30}, 12), 5.5); }

// 1, then 2 + 1, are set aside in turn: level 3.33, 4.5, then 7 for the last two (20 - 1 - 5 = 14).
TEST(FairShare, RisesUntilNobodyIsBelow) { EXPECT_DOUBLE_EQ(level_of({1, 5, 8, 9}, 20), 7); }

TEST(FairShare, AloneHasAll) { EXPECT_DOUBLE_EQ(level_of({100}, 12), 12); }

TEST(FairShare, EmptyQueuesTakeNoPart) { EXPECT_DOUBLE_EQ(level_of({0, 100, 0, 100}, 12), 6); }

TEST(FairShare, NoBudgetNoLevel) { EXPECT_DOUBLE_EQ(level_of({3, 4}, 0), 0); }

// Weights 3 and 1: 9 and 3 of 12, level 3.
TEST(FairShare, ByWeight) { EXPECT_DOUBLE_EQ(level_of({100, 100}, 12, {3, 1}), 3); }

// Weights 3 and 1, the first wants only 2 of its 9: the second has 10, level 10.
TEST(FairShare, WeightsLeaveTheUnused) { EXPECT_DOUBLE_EQ(level_of({2, 100}, 12, {3, 1}), 10); }

// sum of min(W_k, w_k s) = S, exactly the definition; nobody above the level has less than another
// above it by weight. 200 random cases, fixed seed.
TEST(FairShare, SharesAddUpToTheBudget) {
  std::mt19937 random(7);
  std::uniform_real_distribution<double> uniform(0.0, 1.0);
  for (int trial = 0; trial < 200; ++trial) {
    const std::size_t count = 1 + random() % 40;
    std::vector<double> contents(count), weights(count);
    double total = 0;
    for (std::size_t k = 0; k < count; ++k) {
      contents[k] = random() % 5 == 0 ? 0 : 1000 * uniform(random);
      weights[k] = 0.1 + 4 * uniform(random);
      total += contents[k];
    }
    const double budget = total * 0.999 * uniform(random);
    const double level = level_of(contents, budget, weights);
    double shared = 0;
    for (std::size_t k = 0; k < count; ++k) {
      shared += std::min(contents[k], weights[k] * level);
    }
    EXPECT_NEAR(shared, budget, 1e-9 * (1 + total)) << "trial " << trial;
  }
}

}  // namespace
}  // namespace tailrace
