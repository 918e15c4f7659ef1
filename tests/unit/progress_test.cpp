// SPDX-License-Identifier: Apache-2.0
// Progress: expected end, the rewritten line of a terminal, the log lines of a batch file.
#include "solver/app/progress.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <memory>
#include <string>

namespace tailrace {
namespace {

// A stream whose text can be read back.
class Tape {
 public:
  Tape() : file_(std::tmpfile(), &std::fclose) {}
  std::FILE* stream() const { return file_.get(); }
  std::string text() const {
    std::string result;
    std::rewind(file_.get());
    for (int c = std::fgetc(file_.get()); c != EOF; c = std::fgetc(file_.get())) {
      result += static_cast<char>(c);
    }
    return result;
  }

 private:
  std::unique_ptr<std::FILE, int (*)(std::FILE*)> file_;
};

Progress at(double wall_s, double payload_done_frac, double simulated_ns = 0) {
  Progress progress;
  progress.wall_s = wall_s;
  progress.payload_done_frac = payload_done_frac;
  progress.simulated_ns = simulated_ns;
  progress.time_limit_ns = 1e9;
  progress.steps_per_s = 1500;
  return progress;
}

constexpr std::time_t noon = 1700000000;

// A quarter in 10 s: three quarters in 30 s. The start's offset (set-up) does not count.
TEST(RemainingWallTime, FollowsThePayload) {
  EXPECT_NEAR(*remaining_wall_s(at(5, 0), at(15, 0.25)), 30, 1e-9);
  EXPECT_NEAR(*remaining_wall_s(at(5, 0.5), at(15, 0.75)), 10, 1e-9);
}

// Nothing more arrives, but half of the time limit passed in 10 s: at most 10 s are left.
TEST(RemainingWallTime, IsNoLongerThanTheTimeLimitLeaves) {
  EXPECT_NEAR(*remaining_wall_s(at(0, 0), at(10, 0.01, 0.5e9)), 10, 1e-9);
  EXPECT_NEAR(*remaining_wall_s(at(0, 0), at(10, 0, 0.5e9)), 10, 1e-9);
}

TEST(RemainingWallTime, IsUnknownAtFirst) {
  EXPECT_FALSE(remaining_wall_s(at(0, 0), at(0, 0)).has_value());
  EXPECT_FALSE(remaining_wall_s(at(0, 0), at(10, 0.0001)).has_value());
}

TEST(ProgressText, TellsShareTimeAndSpeed) {
  EXPECT_EQ(progress_text(at(10, 0.25, 12.5e6)),
            " 25.0 % delivered, 12.50 ms simulated, 1.50 thousand steps/s");
}

TEST(ProgressReporter, LogsAfter5SecondsAndThenEvery30) {
  const Tape tape;
  ProgressReporter reporter(tape.stream(), false);
  for (int i = 0; i <= 200; ++i) reporter.report(at(0.5 * i, 0.005 * i), noon + i / 2);
  reporter.finish();
  const std::string text = tape.text();  // at 5, 35, 65 and 95 s
  EXPECT_EQ(std::count(text.begin(), text.end(), '\n'), 4) << text;
  EXPECT_EQ(text.find('\r'), std::string::npos);
  EXPECT_NE(text.find("  5.0 % delivered"), std::string::npos) << text;
  EXPECT_NE(text.find("(in 95.0 s)"), std::string::npos) << text;
  EXPECT_NE(text.find("(in 5.00 s)"), std::string::npos) << text;
}

TEST(ProgressReporter, LogsLessOftenInLongRuns) {
  const Tape tape;
  ProgressReporter reporter(tape.stream(), false);
  for (int i = 0; i <= 720; ++i) reporter.report(at(10.0 * i, i / 1000.0), noon + 10 * i);
  const std::string text = tape.text();
  // Every 30 s in the first hour (from 10 s, the first report after 5 s, to 3610 s), then every
  // 300.
  EXPECT_EQ(std::count(text.begin(), text.end(), '\n'), 121 + 11) << text;
}

TEST(ProgressReporter, ShortRunsLogNothing) {
  const Tape tape;
  ProgressReporter reporter(tape.stream(), false);
  reporter.report(at(0, 0), noon);
  reporter.report(at(4.9, 0.9), noon + 5);
  reporter.finish();
  EXPECT_EQ(tape.text(), "");
}

TEST(ProgressReporter, RewritesOneLineOnATerminalAndClearsIt) {
  const Tape tape;
  ProgressReporter reporter(tape.stream(), true);
  reporter.report(at(0, 0), noon);
  reporter.report(at(10, 0.001, 12.5e6), noon + 10);
  reporter.report(at(20, 0.1, 12.5e6), noon + 20);
  reporter.finish();
  const std::string text = tape.text();
  EXPECT_EQ(text.find('\n'), std::string::npos);
  EXPECT_EQ(std::count(text.begin(), text.end(), '\r'), 4);
  EXPECT_NE(text.find("3 min 00 s left"), std::string::npos) << text;
  EXPECT_TRUE(text.ends_with("\r\x1b[K")) << text;
}

TEST(ProgressReporter, LinesFitATerminalOf80Columns) {
  const Tape tape;
  ProgressReporter reporter(tape.stream(), true);
  reporter.report(at(0, 0), noon);
  Progress slow = at(1e6, 0.01, 123.4e6);
  slow.steps_per_s = 123456;
  reporter.report(slow, noon);
  const std::string text = tape.text();
  EXPECT_LE(text.size() - text.rfind('\r') - 1 - 3, 79U) << text;
}

}  // namespace
}  // namespace tailrace
