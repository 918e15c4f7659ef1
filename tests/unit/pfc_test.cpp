// SPDX-License-Identifier: Apache-2.0
// Tests the receiver's pause signal and the headroom.
#include "models/pfc.hpp"

#include <gtest/gtest.h>

namespace tailrace {
namespace {

constexpr double xoff = 100, xon = 60;

void expect_signal(const PfcSignal& signal, double open_frac, bool paused) {
  EXPECT_DOUBLE_EQ(signal.open_frac, open_frac);
  EXPECT_EQ(signal.paused, paused);
}

TEST(PfcSignal, StaysOpenUpToXoff) {
  expect_signal(pfc_signal(false, 0, 99, xoff, xon), 1, false);
  expect_signal(pfc_signal(false, 0, 100, xoff, xon), 1, false);
}

// From 80 to 120 the threshold of 100 is passed in the middle of the step.
TEST(PfcSignal, ClosesWhereTheOccupancyPassesXoff) {
  expect_signal(pfc_signal(false, 80, 120, xoff, xon), 0.5, true);
  expect_signal(pfc_signal(false, 90, 130, xoff, xon), 0.25, true);
}

TEST(PfcSignal, ClosesAtOnceWhenItStartsAtXoff) {
  expect_signal(pfc_signal(false, 100, 120, xoff, xon), 0, true);
}

TEST(PfcSignal, StaysPausedDownToXon) {
  expect_signal(pfc_signal(true, 120, 90, xoff, xon), 0, true);
  expect_signal(pfc_signal(true, 90, 60, xoff, xon), 0, true);
}

// From 80 to 40 XON at 60 is passed in the middle; from 100 to 50 after 4/5.
TEST(PfcSignal, OpensWhereTheOccupancyPassesXon) {
  expect_signal(pfc_signal(true, 80, 40, xoff, xon), 0.5, false);
  expect_signal(pfc_signal(true, 100, 50, xoff, xon), 0.2, false);
}

TEST(PfcSignal, OpensAtOnceWhenItStartsAtXon) {
  expect_signal(pfc_signal(true, 60, 40, xoff, xon), 1, false);
}

// Between the thresholds the state stays what it was: hysteresis.
TEST(PfcSignal, RemembersBetweenTheThresholds) {
  expect_signal(pfc_signal(false, 70, 80, xoff, xon), 1, false);
  expect_signal(pfc_signal(true, 80, 70, xoff, xon), 0, true);
}

TEST(PfcSignal, WithoutHysteresisXonIsXoff) {
  expect_signal(pfc_signal(false, 90, 110, 100, 100), 0.5, true);
  expect_signal(pfc_signal(true, 110, 90, 100, 100), 0.5, false);
}

// C (2 latency + response) + 2 packets: 5 B/ns * (2 us + 0.5 us) + 2 * 4160 B = 20,820 B.
TEST(PfcHeadroom, IsALoopAndTwoPackets) {
  EXPECT_DOUBLE_EQ(pfc_headroom_bytes(5, 1000, 500, 4160), 20820);
}

// The published 22.4 KB of headroom at 40G (24.47 KB of XOFF on a 12 MB switch) is a loop of
// (22,400 - 2 * 1500 B) / 5 B/ns = 3.88 us with packets of 1500 B.
TEST(PfcHeadroom, OfThePublishedSwitch) {
  EXPECT_DOUBLE_EQ(pfc_headroom_bytes(5, 1500, 880, 1500), 22400);
}

}  // namespace
}  // namespace tailrace
