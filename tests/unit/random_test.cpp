// SPDX-License-Identifier: Apache-2.0
// Tests the random numbers: published values, range, mean, and separate streams.
#include "models/random.hpp"

#include <gtest/gtest.h>

#include <array>
#include <cmath>

namespace tailrace {
namespace {

// First outputs of SplitMix64 from state 0, as published with the generator's reference code.
TEST(Random, MixIsSplitMix64) {
  EXPECT_EQ(mix64(0), 0xe220a8397b1dcdafULL);
  EXPECT_EQ(mix64(0x9e3779b97f4a7c15ULL), 0x6e789e6aa1b965f4ULL);
}

TEST(Random, SameSeedAndStreamGiveTheSameNumbers) {
  Random a(7, 3);
  Random b(7, 3);
  for (int i = 0; i < 100; ++i) EXPECT_EQ(a.next(), b.next());
}

TEST(Random, SeedsAndStreamsDiffer) {
  EXPECT_NE(Random(1, 2).next(), Random(2, 1).next());
  EXPECT_NE(Random(1, 0).next(), Random(1, 1).next());
  EXPECT_NE(Random(1, 0).next(), Random(2, 0).next());
}

TEST(Random, BelowIsUniform) {
  // 70,000 draws of 7 values: expected 10,000 each, standard deviation sqrt(70000 * 6/49) = 92.6;
  // 5 of them are 463.
  Random random(11);
  std::array<int, 7> count{};
  for (int i = 0; i < 70000; ++i) ++count.at(static_cast<std::size_t>(random.below(7)));
  for (const int c : count) EXPECT_NEAR(c, 10000, 463);
}

TEST(Random, BelowOneIsZero) {
  Random random(1);
  for (int i = 0; i < 10; ++i) EXPECT_EQ(random.below(1), 0U);
}

TEST(Random, ExponentialHasItsMeanAndVariance) {
  // 1e5 draws of mean 250: the mean's standard error is 250 / sqrt(1e5) = 0.79; the second moment
  // is 2 * 250^2 = 125,000 with standard error sqrt(20) * 250^2 / sqrt(1e5) = 884.
  Random random(5);
  double sum = 0;
  double squares = 0;
  for (int i = 0; i < 100000; ++i) {
    const double x = random.exponential(250);
    ASSERT_TRUE(std::isfinite(x));
    ASSERT_GE(x, 0);
    sum += x;
    squares += x * x;
  }
  EXPECT_NEAR(sum / 1e5, 250, 5 * 0.79);
  EXPECT_NEAR(squares / 1e5, 125000, 5 * 884);
}

}  // namespace
}  // namespace tailrace
