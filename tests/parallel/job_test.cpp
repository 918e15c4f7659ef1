// SPDX-License-Identifier: Apache-2.0
// How a job ends: ranks that fail alike leave together, and the message is printed once.
// (A rank that fails alone ends the whole job; tests/cli/test_failures.py tries that.)
#include "solver/comm/job.hpp"

#include <gtest/gtest.h>

#include <string>

namespace tailrace {
namespace {

TEST(JobEnd, AllLeaveWithTheCodeAndTheMessageOfRankZero) {
  const Communicator world = Communicator::world();
  const JobEnd end;
  testing::internal::CaptureStderr();
  const std::string message = "fault of rank " + std::to_string(world.rank()) + "\nsecond line";
  const int code = end.leave(message, world.is_root() ? 2 : 1);
  const std::string printed = testing::internal::GetCapturedStderr();
  EXPECT_EQ(code, 2);
  EXPECT_EQ(printed, world.is_root() ? "tailrace: fault of rank 0\ntailrace: second line\n" : "");
}

// Rank 0 comes late, and the others wait for it.
TEST(JobEnd, WaitsForThoseThatAreLate) {
  const Communicator world = Communicator::world();
  const JobEnd end;
  volatile double work = 0;
  for (int i = 0; world.is_root() && i < 20'000'000; ++i) work = work + 1;
  testing::internal::CaptureStderr();
  EXPECT_EQ(end.leave("late", 1, 60), 1);
  EXPECT_EQ(testing::internal::GetCapturedStderr(), world.is_root() ? "tailrace: late\n" : "");
}

TEST(Job, SharesTheProcessorsAmongItsRanks) {
  const int threads = default_thread_count();
  EXPECT_GE(threads, 1);
  EXPECT_LE(threads, 4096);
}

TEST(Job, NamesTheMpiLibraryOnOneLine) {
  const std::string version = mpi_library_version();
  EXPECT_FALSE(version.empty());
  EXPECT_EQ(version.find_first_of(",\n"), std::string::npos);
}

}  // namespace
}  // namespace tailrace
