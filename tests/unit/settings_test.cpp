// SPDX-License-Identifier: Apache-2.0
// Tests the choice of the time step and latencies in whole steps.
#include "solver/settings.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "solver/base/errors.hpp"
#include "tests/unit/deck_text.hpp"
#include "topology/fabric.hpp"

namespace tailrace {
namespace {

RunSettings settings_of(const std::string& text, const std::vector<std::string>& sets = {}) {
  const Deck deck = testing_decks::load(text, sets);
  return read_settings(deck, build_fabric(deck));
}

TEST(TimeStep, IsTheOneLatency) { EXPECT_DOUBLE_EQ(choose_time_step({600}, 600), 600); }

TEST(TimeStep, IsTheSmallestWhenAllAreMultiples) {
  EXPECT_DOUBLE_EQ(choose_time_step({300, 600, 1500, 2100}, 300), 300);
}

// 600 and 900: halves of 600. 600 and 1000: thirds (200).
TEST(TimeStep, DividesTheSmallestUntilAllFit) {
  EXPECT_DOUBLE_EQ(choose_time_step({600, 900}, 600), 300);
  EXPECT_DOUBLE_EQ(choose_time_step({600, 1000}, 600), 200);
}

// 1000.5 is one step of 1000 but for 0.05 %, which is good enough; 1250.5 is 5.002 steps of 250
// (thirds, 4 of 333, are 6.6 % off).
TEST(TimeStep, AcceptsATenthOfAPercentOfRounding) {
  EXPECT_DOUBLE_EQ(choose_time_step({1000, 1000.5}, 1000), 1000);
  EXPECT_DOUBLE_EQ(choose_time_step({1000, 1250.5}, 1000), 250);
}

// 1033 is 1.033 k steps of 1000/k: off by 3.2 % for k up to 15, and by 2.9 % for 16 (16.53 as 17).
TEST(TimeStep, TakesTheBestWhenNoneFits) {
  EXPECT_DOUBLE_EQ(choose_time_step({1000, 1033}, 1000), 1000.0 / 16);
}

// The step divides the smallest latency, for any set: fixed cases of all kinds.
TEST(TimeStep, IsAPartOfTheSmallest) {
  for (const double other : {101.0, 133.3, 157.0, 199.9, 250.0, 314.159, 1234.5}) {
    const double parts = 100 / choose_time_step({100, other}, 100);
    EXPECT_NEAR(parts, std::round(parts), 1e-9) << other;
    EXPECT_LE(parts, 16) << other;
  }
}

TEST(LatencySteps, AreWholeAndAtLeastOne) {
  EXPECT_EQ(latency_steps(600, 600), 1);
  EXPECT_EQ(latency_steps(2100, 300), 7);
  EXPECT_EQ(latency_steps(0.1 + 0.2, 0.1), 3);
  EXPECT_EQ(latency_steps(10, 600), 1);
  EXPECT_EQ(latency_steps(1033, 1000.0 / 16), 17);
}

TEST(Settings, AutoTakesTheLatencyOfTheFabric) {
  EXPECT_DOUBLE_EQ(settings_of(testing_decks::credit_deck).dt_ns, 600);
}

// The forwarding delay of rings is kept in whole steps, so it has a say: 600 and 900 ns.
TEST(Settings, AutoLooksAtTheForwardDelay) {
  EXPECT_DOUBLE_EQ(settings_of(testing_decks::credit_deck, {"endpoint.forward_delay=900 ns"}).dt_ns,
                   300);
}

TEST(Settings, GivenStepIsTaken) {
  EXPECT_DOUBLE_EQ(settings_of(testing_decks::credit_deck, {"run.dt=150 ns"}).dt_ns, 150);
}

TEST(Settings, StepAboveTheSmallestLatencyIsRefused) {
  try {
    settings_of(testing_decks::credit_deck, {"run.dt=601 ns"});
    FAIL() << "accepted";
  } catch (const InputError& error) {
    const std::string text = error.what();
    EXPECT_NE(text.find("run.dt"), std::string::npos) << text;
    EXPECT_NE(text.find("600 ns"), std::string::npos) << text;
  }
}

// 600 ns in steps of 370: two steps, 740 ns, 23 % off.
TEST(Settings, CoarseRoundingIsAWarning) {
  const RunSettings settings = settings_of(testing_decks::credit_deck, {"run.dt=370 ns"});
  ASSERT_EQ(settings.warnings.size(), 1U);
  EXPECT_NE(settings.warnings[0].find("23.3 %"), std::string::npos) << settings.warnings[0];
}

TEST(Settings, BufferBelowOnePacketIsRefused) {
  EXPECT_THROW(settings_of(testing_decks::credit_deck, {"fabric.switch.buffer=4096 B"}),
               InputError);
}

TEST(Settings, BufferAboveWhatCanBeAdvertisedIsAWarning) {
  const RunSettings settings =
      settings_of(testing_decks::credit_deck, {"fabric.switch.buffer=256 KiB"});
  EXPECT_DOUBLE_EQ(settings.credit_buffer_bytes, 131072);
  ASSERT_EQ(settings.warnings.size(), 1U);
  EXPECT_NE(settings.warnings[0].find("128 KiB"), std::string::npos);
}

TEST(Settings, PfcOfTheDeck) {
  const RunSettings settings = settings_of(testing_decks::pfc_deck);
  EXPECT_EQ(settings.flow_control, FlowControl::pfc);
  EXPECT_EQ(settings.arbitration, Arbitration::fifo);
  EXPECT_DOUBLE_EQ(settings.xoff_bytes, 24470);
  EXPECT_DOUBLE_EQ(settings.xon_bytes, 21470);
  EXPECT_LT(settings.headroom_bytes, 0) << "auto";
  EXPECT_DOUBLE_EQ(
      settings_of(testing_decks::pfc_deck, {"fabric.switch.pfc.headroom=9 kB"}).headroom_bytes,
      9000);
}

}  // namespace
}  // namespace tailrace
