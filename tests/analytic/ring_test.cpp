// SPDX-License-Identifier: Apache-2.0
// Tests ring collectives on one switch against the time of a fluid pipeline.
//
// n ranks, S bytes, shares of S/n that take a = S/(n B) on the wire, B = C * mtu / (mtu + header).
// A ring hop takes L = two links' latency + forward_delay; the last hop is not forwarded: l.
// k steps (2(n-1) of an all-reduce, n-1 of an all-gather or reduce-scatter) of one share each:
//   a >= L  every rank always has something to send:       t = k a + l
//   a <  L  share j+1 of a rank leaves when the share that it forwards comes, L after the one
//           before; the last one starts at (k-1) L, takes a, and arrives:
//                                                           t = (k-1) L + a + l
// together t = (k-1) max(a, L) + a + l. The rough k max(a, L) + l is the same where a >= L; where
// a < L it is longer by L - a.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "tests/run_deck.hpp"

namespace tailrace {
namespace {

using testing_support::input_deck;
using testing_support::run_deck;

constexpr double latency_ns = 600;
constexpr double bytes_per_ns = 25.0 * 4096 / 4160;
constexpr double packet_ns = 4160 / 25.0;  // 166.4 ns

/// Time of a ring in which a share is `packets` packets of 4096 B.
double ring_time(const std::string& operation, int ranks, int packets, double forward_ns,
                 const std::string& dt, double start_ns = 0) {
  const std::string deck =
      fmt::format(R"(
fabric:
  topology: {{kind: fat_tree, tiers: 1, radix: 64, endpoints: {}}}
  link: {{capacity: 200 Gbps, latency: 600 ns}}
  switch: {{flow_control: credit, buffer: 128 KiB}}
endpoint: {{forward_delay: {} ns}}
workload: {{kind: collective, operation: {}, algorithm: ring, bytes: {} B, start: {} ns}}
run: {{time_limit: 1 s, dt: {}}}
output: {{interval: none}}
)",
                  ranks, forward_ns, operation, 4096 * packets * ranks, start_ns, dt);
  const RunSummary summary = run_deck(deck);
  EXPECT_EQ(summary.collectives.size(), 1U);
  return summary.collectives.at(0).finish_ns - start_ns;
}

double exact(int steps, double share_ns, double hop_ns) {
  return (steps - 1) * std::max(share_ns, hop_ns) + share_ns + 2 * latency_ns;
}

double rough(int steps, double share_ns, double hop_ns) {
  return steps * std::max(share_ns, hop_ns) + 2 * latency_ns;
}

const int sizes[] = {2, 3, 4, 8, 16, 32, 64};

// a = 15 packets = 2.496 us against L = 1.2 us: both forms say 2(n-1) a + l.
TEST(Ring, AllReduceBoundByBandwidth) {
  const double share = 15 * packet_ns;
  for (const int n : sizes) {
    const double time = ring_time("all_reduce", n, 15, 0, "auto");
    EXPECT_NEAR(time, exact(2 * (n - 1), share, 1200), 0.005 * time) << n;
    EXPECT_NEAR(time, rough(2 * (n - 1), share, 1200), 0.005 * time) << n;
  }
}

// a = 5 packets = 832 ns < L = 1.2 us. The rough form is longer by L - a = 368 ns: within 0.5 % of
// 2 (n-1) 1.2 us from n = 32 on.
TEST(Ring, AllReduceBoundByLatency) {
  const double share = 5 * packet_ns;
  for (const int n : sizes) {
    const double time = ring_time("all_reduce", n, 5, 0, "auto");
    EXPECT_NEAR(time, exact(2 * (n - 1), share, 1200), 0.005 * time) << n;
    if (n >= 32) {
      EXPECT_NEAR(time, rough(2 * (n - 1), share, 1200), 0.005 * time) << n;
    }
  }
}

// The crossing itself, one packet (14 % of L) to either side: 7 packets are 1,164.8 ns < L = 1.2
// us, 8 are 1,331.2 ns > L. Here the rough form is within 0.5 % for n >= 4 on the latency side as
// well (35.2 ns of 8.4 us).
TEST(Ring, AllReduceNextToTheCrossing) {
  for (const int n : sizes) {
    for (const int packets : {7, 8}) {
      const double share = packets * packet_ns;
      const double time = ring_time("all_reduce", n, packets, 0, "auto");
      EXPECT_NEAR(time, exact(2 * (n - 1), share, 1200), 0.005 * time) << n << ' ' << packets;
      if (n >= 4 || packets == 8) {
        EXPECT_NEAR(time, rough(2 * (n - 1), share, 1200), 0.005 * time) << n << ' ' << packets;
      }
    }
  }
}

// Forwarding delays each hop but the last: L = 1.2 + 3 us, l = 1.2 us. a = 5 packets is bound by
// latency, a = 30 packets (4.992 us) by bandwidth.
TEST(Ring, ForwardDelayCountsOnAllHopsButTheLast) {
  for (const int n : sizes) {
    for (const int packets : {5, 30}) {
      const double share = packets * packet_ns;
      const double time = ring_time("all_reduce", n, packets, 3000, "auto");
      EXPECT_NEAR(time, exact(2 * (n - 1), share, 4200), 0.005 * time) << n << ' ' << packets;
    }
  }
}

// One pass around instead of two: n-1 steps.
TEST(Ring, AllGatherAndReduceScatterTakeHalfTheSteps) {
  for (const std::string operation : {"all_gather", "reduce_scatter"}) {
    for (const int n : sizes) {
      for (const int packets : {5, 15}) {
        const double share = packets * packet_ns;
        const double time = ring_time(operation, n, packets, 0, "auto");
        EXPECT_NEAR(time, exact(n - 1, share, 1200), 0.005 * time)
            << operation << ' ' << n << ' ' << packets;
      }
    }
  }
}

// A finer step says the same, and so does a start within a step: 15 packets (2.496 us) bound by
// bandwidth, 5 (832 ns) and 2 (332.8 ns, less than a step of 600) by latency.
TEST(Ring, DoesNotDependOnTheTimeStep) {
  for (const int n : {2, 8}) {
    for (const int packets : {15, 5, 2}) {
      const double expected = exact(2 * (n - 1), packets * packet_ns, 1200);
      for (const std::string dt : {"600 ns", "300 ns", "50 ns"}) {
        for (const double start : {0.0, 123.0, 450.0}) {
          EXPECT_NEAR(ring_time("all_reduce", n, packets, 0, dt, start), expected, 0.005 * expected)
              << n << " ranks, " << packets << " packets, dt " << dt << ", start " << start;
        }
      }
    }
  }
}

// Shares that are no whole number of bytes: 1,000,003 B over 7 ranks. The longest flow carries
// 2 S - 2 floor(S/7) bytes, within a byte per share of 2 * 6/7 S; packets 4160 to 4096.
TEST(Ring, UnevenShares) {
  const RunSummary summary = run_deck(R"(
fabric:
  topology: {kind: fat_tree, tiers: 1, radix: 8, endpoints: 7}
  link: {capacity: 200 Gbps, latency: 600 ns}
  switch: {flow_control: credit, buffer: 128 KiB}
workload: {kind: collective, operation: all_reduce, algorithm: ring, bytes: 1000003 B}
run: {time_limit: 1 s}
output: {interval: none}
)");
  const double expected = 2 * 6.0 / 7 * 1000003 / bytes_per_ns + 2 * latency_ns;
  EXPECT_NEAR(summary.collectives.at(0).finish_ns, expected, 0.005 * expected);
}

// One cable of the ring at half its speed halves the ring: e3->leaf0 at 100G.
TEST(Ring, SlowestLinkSetsThePace) {
  const RunSummary summary = run_deck(R"(
fabric:
  topology:
    kind: graph
    endpoints: {E: 7, F: 1}
    switches: [T]
    links: [[E, T], {between: [F, T], capacity: 100 Gbps}]
  link: {capacity: 200 Gbps, latency: 600 ns}
  switch: {flow_control: credit, buffer: 128 KiB}
workload: {kind: collective, operation: all_reduce, algorithm: ring, bytes: 8 MiB}
run: {time_limit: 1 s}
output: {interval: none}
)");
  // Shares of 1 MiB at 12.5 B/ns on the wire: 14 * 85.2 us.
  const double expected = 14 * 1048576.0 * 4160 / 4096 / 12.5 + 2 * latency_ns;
  EXPECT_NEAR(summary.collectives.at(0).finish_ns, expected, 0.005 * expected);
}

// The decks to start from say their closed forms in their comments.
TEST(Ring, DecksToStartFrom) {
  const RunSummary latency_bound = run_deck(input_deck("collectives/ring_8_latency_bound.yaml"));
  const double expected = 13 * 11200 + 8192 / bytes_per_ns + 1200;
  EXPECT_NEAR(latency_bound.collectives.at(0).finish_ns, expected, 0.005 * expected);
}

}  // namespace
}  // namespace tailrace
