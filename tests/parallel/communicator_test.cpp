// SPDX-License-Identifier: Apache-2.0
// The communicator on however many ranks the test is started with.
#include "solver/comm/communicator.hpp"

#include <gtest/gtest.h>

#include <cstddef>
#include <string>
#include <vector>

#include "solver/base/errors.hpp"
#include "solver/comm/attempt.hpp"

namespace tailrace {
namespace {

// `count` bytes that tell who sent them to whom.
std::vector<std::byte> marked_bytes(Rank from, Rank to, std::size_t count) {
  std::vector<std::byte> bytes(count);
  for (std::size_t i = 0; i < count; ++i) {
    bytes[i] = static_cast<std::byte>(
        (31U * i + 7U * static_cast<unsigned>(from) + static_cast<unsigned>(to)) & 255U);
  }
  return bytes;
}

// Sum of 1..n is n (n + 1) / 2.
TEST(Communicator, ReducesOverAllRanks) {
  const auto world = Communicator::world();
  const std::int64_t n = world.size();
  const std::int64_t mine = world.rank() + 1;
  EXPECT_EQ(world.sum(mine), n * (n + 1) / 2);
  EXPECT_EQ(world.max(mine), n);
  EXPECT_EQ(world.min(mine), 1);
  const double mine_real = 0.5 * static_cast<double>(mine);
  EXPECT_EQ(world.sum(mine_real), 0.25 * static_cast<double>(n * (n + 1)));
  EXPECT_EQ(world.max(mine_real), 0.5 * static_cast<double>(n));
  EXPECT_EQ(world.min(mine_real), 0.5);
  std::vector<std::int64_t> counts{mine, 1, 0};
  world.sum_in_place(counts);
  EXPECT_EQ(counts, (std::vector<std::int64_t>{n * (n + 1) / 2, n, 0}));
  std::vector<double> peaks{mine_real, -mine_real};
  world.max_in_place(peaks);
  EXPECT_EQ(peaks, (std::vector<double>{0.5 * static_cast<double>(n), -0.5}));
  EXPECT_EQ(world.exclusive_scan_sum(mine), world.rank() * (world.rank() + 1) / 2);
  EXPECT_TRUE(world.any(world.rank() == world.size() - 1));
  EXPECT_FALSE(world.any(false));
}

TEST(Communicator, BroadcastsTextOfAnyLength) {
  const auto world = Communicator::world();
  const Rank last = world.size() - 1;
  const std::string text = std::string(100000, 'a') + '\0' + "end";
  EXPECT_EQ(world.broadcast(world.rank() == last ? text : "other", last), text);
  EXPECT_EQ(world.broadcast(world.is_root() ? "" : "not empty"), "");
}

// Rank r gives r * 1000 bytes: rank 0 gives none.
TEST(Communicator, GathersByRank) {
  const auto world = Communicator::world();
  const auto length = [](Rank r) { return static_cast<std::size_t>(r) * 1000; };
  const auto mine = marked_bytes(world.rank(), 0, length(world.rank()));
  std::vector<std::byte> expected;
  for (Rank r = 0; r < world.size(); ++r) {
    const auto part = marked_bytes(r, 0, length(r));
    expected.insert(expected.end(), part.begin(), part.end());
  }
  std::vector<std::int64_t> counts;
  EXPECT_EQ(world.all_gather(mine, counts), expected);
  ASSERT_EQ(counts.size(), static_cast<std::size_t>(world.size()));
  for (Rank r = 0; r < world.size(); ++r) {
    EXPECT_EQ(counts[static_cast<std::size_t>(r)], static_cast<std::int64_t>(length(r)));
  }
  const Rank last = world.size() - 1;
  const auto at_last = world.gather(mine, last);
  if (world.rank() != last) {
    EXPECT_TRUE(at_last.empty());
    return;
  }
  ASSERT_EQ(at_last.size(), static_cast<std::size_t>(world.size()));
  for (Rank r = 0; r < world.size(); ++r) {
    EXPECT_EQ(at_last[static_cast<std::size_t>(r)], marked_bytes(r, 0, length(r)));
  }
}

// Rank r sends (r + 2 t) mod 3 * 50,000 bytes to rank t: some pairs exchange nothing, some messages
// are too long to be sent before they are received.
TEST(Communicator, ExchangesAllToAll) {
  const auto world = Communicator::world();
  const auto length = [](Rank from, Rank to) {
    return static_cast<std::size_t>((from + 2 * to) % 3) * 50000;
  };
  std::vector<std::vector<std::byte>> send;
  for (Rank to = 0; to < world.size(); ++to) {
    send.push_back(marked_bytes(world.rank(), to, length(world.rank(), to)));
  }
  const auto received = world.all_to_all(send);
  ASSERT_EQ(received.size(), static_cast<std::size_t>(world.size()));
  for (Rank from = 0; from < world.size(); ++from) {
    EXPECT_EQ(received[static_cast<std::size_t>(from)],
              marked_bytes(from, world.rank(), length(from, world.rank())));
  }
}

TEST(Communicator, FirstErrorIsThatOfTheLowestRank) {
  const auto world = Communicator::world();
  const Rank last = world.size() - 1;
  EXPECT_EQ(world.first_error(""), "");
  EXPECT_EQ(world.first_error(world.rank() == last ? "last" : ""), "last");
  EXPECT_EQ(world.first_error("rank " + std::to_string(world.rank())), "rank 0");
}

TEST(Attempt, OneRanksFailureIsThrownOnAllWithItsKind) {
  const auto world = Communicator::world();
  const Rank last = world.size() - 1;
  const auto message = [&](auto&& fail) -> std::string {
    try {
      agree(world, [&] {
        if (world.rank() == last) fail();
      });
    } catch (const InputError& error) {
      return std::string("input: ") + error.what();
    } catch (const TailraceError& error) {
      return std::string("machine: ") + error.what();
    }
    return "";
  };
  EXPECT_EQ(message([] {}), "");
  EXPECT_EQ(message([] { throw InputError("bad deck"); }), "input: bad deck");
  EXPECT_EQ(message([] { throw TailraceError("bad disk"); }), "machine: bad disk");
  EXPECT_EQ(message([] { throw std::bad_alloc(); }), "machine: out of memory");
}

TEST(Attempt, LeavesOutWhatFollowsAFailure) {
  Attempt attempt;
  int reached = 0;
  attempt.run([&] { ++reached; });
  attempt.run([] { throw TailraceError("first"); });
  attempt.run([&] { ++reached; });
  EXPECT_EQ(reached, 1);
  EXPECT_TRUE(attempt.failed());
}

}  // namespace
}  // namespace tailrace
