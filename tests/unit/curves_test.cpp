// SPDX-License-Identifier: Apache-2.0
// Tests the histories of curves: lines merge, the past is forgotten, full ones grow.
#include "solver/curves.hpp"

#include <gtest/gtest.h>

#include <vector>

namespace tailrace {
namespace {

/// One curve in a pool of `curves`, with `capacity` points.
class Curves : public testing::Test {
 protected:
  void make(std::int64_t curves, std::uint16_t capacity) {
    pool_.allocate(curves, capacity);
    view_ = pool_.view();
  }
  void grow() {
    if (pool_.grow_full()) view_ = pool_.view();
  }
  int points(std::int32_t c) const { return view_.count[c]; }

  CurvePool pool_;
  CurvePoolView view_{};
};

TEST_F(Curves, PointsOnALineAreOne) {
  make(1, 8);
  view_.push(0, 0, 0);
  for (int n = 1; n <= 1000; ++n) view_.append(0, n, 7.5 * n);
  EXPECT_EQ(points(0), 2);
  EXPECT_DOUBLE_EQ(view_.value_at(0, 400.5), 7.5 * 400.5);
}

// 0 to 100 in 10 steps, 0 per step for 10, 20 per step from there: four points.
TEST_F(Curves, BendsAreKept) {
  make(1, 8);
  view_.push(0, 0, 0);
  for (int n = 1; n <= 10; ++n) view_.append(0, n, 10.0 * n);
  for (int n = 11; n <= 20; ++n) view_.append(0, n, 100);
  for (int n = 21; n <= 30; ++n) view_.append(0, n, 100 + 20.0 * (n - 20));
  EXPECT_EQ(points(0), 4);
  EXPECT_DOUBLE_EQ(view_.value_at(0, 4.25), 42.5);
  EXPECT_DOUBLE_EQ(view_.value_at(0, 10), 100);
  EXPECT_DOUBLE_EQ(view_.value_at(0, 15), 100);
  EXPECT_DOUBLE_EQ(view_.value_at(0, 29), 280);
}

// Below the tolerance a bend is none; above it is one.
TEST_F(Curves, MergesWithinTheToleranceOnly) {
  make(2, 8);
  for (const std::int32_t c : {0, 1}) {
    view_.push(c, 0, 0);
    view_.append(c, 1, 10);
  }
  view_.append(0, 2, 20 + 0.5 * merge_tolerance_bytes);
  view_.append(1, 2, 20 + 2 * merge_tolerance_bytes);
  EXPECT_EQ(points(0), 2);
  EXPECT_EQ(points(1), 3);
}

// The last point is the curve's value whatever was merged before it: drift does not add up.
TEST_F(Curves, EndIsExactAfterMerging) {
  make(1, 8);
  view_.push(0, 0, 0);
  double value = 0;
  for (int n = 1; n <= 1000; ++n) {
    value += 10 + (n % 2 == 0 ? 0.4 : -0.4) * merge_tolerance_bytes;
    view_.append(0, n, value);
  }
  EXPECT_DOUBLE_EQ(view_.value_at(0, 1000), value);
}

TEST_F(Curves, ReadingForgetsWhatLiesBefore) {
  make(1, 8);
  view_.push(0, 0, 0);
  view_.push(0, 10, 10);
  view_.push(0, 20, 40);
  view_.push(0, 30, 40);
  EXPECT_DOUBLE_EQ(view_.value_at(0, 5), 5);
  EXPECT_EQ(points(0), 4);
  EXPECT_DOUBLE_EQ(view_.value_at(0, 20), 40);
  EXPECT_EQ(points(0), 2);
  EXPECT_DOUBLE_EQ(view_.value_at(0, 25), 40);
}

TEST_F(Curves, TimeIsTheInverseOfValue) {
  make(1, 8);
  view_.push(0, 100, 0);
  view_.push(0, 110, 50);
  view_.push(0, 120, 70);
  EXPECT_DOUBLE_EQ(view_.time_of(0, 10), 102);
  EXPECT_DOUBLE_EQ(view_.time_of(0, 50), 110);
  EXPECT_DOUBLE_EQ(view_.time_of(0, 60), 115);
  EXPECT_EQ(points(0), 2);
}

// A flat stretch holds no bytes: the time of its value is its end, so that nothing waits in it.
TEST_F(Curves, TimeOnAFlatStretchIsItsEnd) {
  make(1, 8);
  view_.push(0, 0, 0);
  view_.push(0, 10, 100);
  view_.push(0, 20, 100);
  view_.push(0, 30, 200);
  EXPECT_DOUBLE_EQ(view_.time_of(0, 99), 9.9);
  EXPECT_DOUBLE_EQ(view_.time_of(0, 100), 20);
  EXPECT_DOUBLE_EQ(view_.time_of(0, 150), 25);
}

TEST_F(Curves, BeyondTheEndIsTheEnd) {
  make(1, 8);
  view_.push(0, 3, 30);
  EXPECT_DOUBLE_EQ(view_.value_at(0, 5), 30);
  EXPECT_DOUBLE_EQ(view_.time_of(0, 99), 3);
  view_.push(0, 4, 40);
  EXPECT_DOUBLE_EQ(view_.value_at(0, 9), 40);
  EXPECT_DOUBLE_EQ(view_.time_of(0, 99), 4);
}

TEST_F(Curves, RingGoesRoundWithoutGrowing) {
  make(1, 4);
  const std::int64_t bytes = pool_.bytes();
  view_.push(0, 0, 0);
  double value = 0;
  for (int n = 1; n <= 1000; ++n) {  // a bend in every step, read two steps later
    value += n % 2 == 0 ? 10 : 20;
    view_.append(0, n, value);
    grow();
    EXPECT_GE(view_.value_at(0, n - 1), 0);
  }
  EXPECT_EQ(pool_.bytes(), bytes);
  EXPECT_DOUBLE_EQ(view_.value_at(0, 1000), value);
}

// Squares bend in every step: nothing merges, the ring doubles again and again and loses nothing,
// though its oldest point was somewhere in its middle; its neighbours stay as they were.
TEST_F(Curves, GrowsWithoutLoss) {
  make(3, 4);
  for (const std::int32_t c : {0, 1, 2}) view_.push(c, 0, 0);
  view_.append(0, 1, 5);
  view_.append(2, 1, 6);
  for (int n = 1; n <= 3; ++n) {
    view_.append(1, n, n * n);
    grow();
  }
  EXPECT_DOUBLE_EQ(view_.value_at(1, 2), 4);  // forgets two points
  for (int n = 4; n <= 500; ++n) {
    view_.append(1, n, static_cast<double>(n) * n);
    grow();
  }
  EXPECT_EQ(points(1), 499);
  for (int n = 2; n < 500; ++n) {
    EXPECT_DOUBLE_EQ(view_.value_at(1, n), static_cast<double>(n) * n);
    EXPECT_DOUBLE_EQ(view_.value_at(1, n + 0.5), n * n + n + 0.5);
  }
  EXPECT_DOUBLE_EQ(view_.value_at(0, 1), 5);
  EXPECT_DOUBLE_EQ(view_.value_at(2, 1), 6);
}

// Two that fill up in one step get places of their own.
TEST_F(Curves, SeveralGrowTogether) {
  make(4, 2);
  for (int n = 0; n < 40; ++n) {
    for (const std::int32_t c : {1, 3}) view_.push(c, n, c * n * n);
    grow();
  }
  for (const std::int32_t c : {1, 3}) {
    EXPECT_EQ(points(c), 40);
    for (int n = 0; n < 40; ++n) EXPECT_DOUBLE_EQ(view_.value_at(c, n), c * n * n);
  }
  EXPECT_EQ(points(0), 0);
}

TEST_F(Curves, ClearedIsEmpty) {
  make(1, 4);
  view_.push(0, 0, 1);
  view_.push(0, 1, 2);
  view_.clear(0);
  EXPECT_EQ(points(0), 0);
  view_.push(0, 7, 3);
  EXPECT_DOUBLE_EQ(view_.value_at(0, 7), 3);
}

}  // namespace
}  // namespace tailrace
