// SPDX-License-Identifier: Apache-2.0
// Tests the throughput of a credit loop: min(C, B / RTT), B in whole blocks of 64 bytes.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "tests/run_deck.hpp"

namespace tailrace {
namespace {

using testing_support::input_deck;
using testing_support::RecordedRun;

/// Rate in B/ns of the second of two messages in a row, which the loop has carried from its start
/// to its end. The deck has A, T, U, B in a row, 400G and 2 us per link.
double loop_rate(const std::string& buffer, int mtu, int header, int bytes,
                 const std::vector<std::string>& more = {}) {
  std::vector<std::string> sets = {"fabric.switch.buffer=" + buffer,
                                   fmt::format("endpoint.mtu={} B", mtu),
                                   fmt::format("endpoint.header={} B", header),
                                   fmt::format("workload.flows[0].bytes={} B", bytes),
                                   "workload.flows[0].repeat=2",
                                   "workload.flows[0].period=1 ns",
                                   "run.time_limit=100 ms",
                                   "output.interval=none"};
  sets.insert(sets.end(), more.begin(), more.end());
  const RecordedRun run(input_deck("flow_control/credit_loop.yaml", sets));
  EXPECT_EQ(run.finish_ns.size(), 2U);
  const double wire = bytes + std::ceil(static_cast<double>(bytes) / mtu) * header;
  return wire / (run.finish_ns.at(1) - run.finish_ns.at(0));
}

constexpr double capacity = 50;         // B/ns
constexpr double round_trip_ns = 4000;  // 2 * 2 us

// Packets of 4096 + 64 B fill 65 blocks exactly, so B bytes on the wire fit: B / 4 us.
TEST(CreditLoop, CarriesBufferPerRoundTrip) {
  for (const int kibibytes : {8, 16, 32, 64, 96, 128}) {
    const double expected = std::min(capacity, kibibytes * 1024 / round_trip_ns);
    const double rate = loop_rate(fmt::format("{} KiB", kibibytes), 4096, 64, 4096000);
    EXPECT_NEAR(rate, expected, 0.01 * expected) << kibibytes << " KiB";
  }
}

// InfiniBand advertises at most 128 KiB: 131,072 B / 4 us = 32.768 B/ns, however large the buffer.
TEST(CreditLoop, AdvertisesAtMost128KiB) {
  for (const std::string buffer : {"129 KiB", "256 KiB", "1 MiB"}) {
    EXPECT_NEAR(loop_rate(buffer, 4096, 64, 4096000), 32.768, 0.01 * 32.768) << buffer;
  }
}

// A packet of p bytes occupies ceil(p / 64) blocks, so of a buffer of floor(B / 64) blocks
// floor(B / 64) * p / ceil(p / 64) bytes on the wire can be used.
TEST(CreditLoop, PacketsOccupyWholeBlocks) {
  const struct {
    int buffer, mtu, header;
    double usable;
  } cases[] = {
      {65536, 1024, 30, 1024.0 * 1054 / 17},  // 17 blocks of 64 B for 1054 B: 96.9 %
      {65536, 1024, 64, 65536},               // 1088 B are 17 blocks exactly
      {65536, 256, 1, 1024.0 * 257 / 5},      // 5 blocks for 257 B: 80.3 %
      {65599, 4096, 64, 65536},               // 1024.98 blocks: 1024
      {40000, 2048, 66, 625.0 * 2114 / 34},   // 34 blocks for 2114 B: 97.2 %
  };
  for (const auto& c : cases) {
    const double expected = c.usable / round_trip_ns;
    const double rate =
        loop_rate(fmt::format("{} B", c.buffer), c.mtu, c.header, c.mtu * (10000000 / c.mtu));
    EXPECT_NEAR(rate, expected, 0.01 * expected)
        << c.buffer << " B, packets of " << c.mtu << " + " << c.header << " B";
  }
}

// Where the loop is long enough for the buffer the link is full: 400G * 2 * 1 us = 100 kB < 128
// KiB.
TEST(CreditLoop, ShortLoopCarriesTheCapacity) {
  const double rate = loop_rate("128 KiB", 4096, 64, 4096000, {"fabric.link.latency=1 us"});
  EXPECT_NEAR(rate, capacity, 0.01 * capacity);
}

// The same rate at any time step that fits: 64 KiB / 4 us = 16.384 B/ns.
TEST(CreditLoop, DoesNotDependOnTheTimeStep) {
  for (const std::string dt : {"2 us", "1 us", "500 ns", "100 ns"}) {
    const double rate = loop_rate("64 KiB", 4096, 64, 4096000, {"run.dt=" + dt});
    EXPECT_NEAR(rate, 16.384, 0.01 * 16.384) << dt;
  }
}

// Only the longest loop counts: T-U with 3 us (6 us for 64 KiB: 10.92 B/ns) between links of 1 us.
TEST(CreditLoop, LongestLoopLimits) {
  const std::string deck = R"(
fabric:
  topology:
    kind: graph
    endpoints: [A, B]
    switches: [T, U]
    links: [[A, T], {between: [T, U], latency: 3 us}, [U, B]]
  link: {capacity: 400 Gbps, latency: 1 us}
  switch: {flow_control: credit, buffer: 64 KiB}
workload:
  kind: flows
  flows: [{from: A, to: B, bytes: 4096000 B, repeat: 2, period: 1 ns}]
run: {time_limit: 10 ms}
output: {interval: none}
)";
  const RecordedRun run(deck);
  ASSERT_EQ(run.finish_ns.size(), 2U);
  const double expected = 65536 / 6000.0;
  EXPECT_NEAR(4160000 / (run.finish_ns[1] - run.finish_ns[0]), expected, 0.01 * expected);
}

}  // namespace
}  // namespace tailrace
