// SPDX-License-Identifier: Apache-2.0
// Tests queues that fill and drain against their closed forms: one queue, and two in tandem.
#include <gtest/gtest.h>

#include <algorithm>

#include "tests/run_deck.hpp"

namespace tailrace {
namespace {

using testing_support::input_deck;
using testing_support::RecordedRun;

/// Backlog at time t of a queue that fills at `fill` from `begin` to `full`, then drains at
/// `drain`.
double triangle(double t, double begin, double fill, double full, double drain) {
  const double rising = fill * (std::clamp(t, begin, full) - begin);
  return std::max(0.0, rising - drain * std::max(0.0, t - full));
}

/// A sends `bytes` at 50 B/ns, T passes 20 B/ns on; 1 us per link; thresholds far away.
const std::string one_queue = R"(
fabric:
  topology:
    kind: graph
    endpoints: [A, B]
    switches: [T]
    links: [[A, T], {between: [T, B], capacity: 160 Gbps}]
  link: {capacity: 400 Gbps, latency: 1 us}
  switch: {flow_control: pfc, shared_buffer: 64 MB, pfc: {xoff: 2 MB, xon: 1 MB}}
endpoint: {header: 0 B}
workload:
  kind: flows
  flows: [{from: A, to: B, bytes: 500 kB}]
run: {time_limit: 100 us, dt: 250 ns}
output: {interval: 250 ns, lanes: all}
)";

// The queue at T grows by (arrival - capacity) t = (50 - 20) B/ns * t while A sends, from 1 us to
// 1 us + 500 kB / 50 B/ns = 11 us (300 kB), then drains at 20 B/ns until 26 us. The message ends
// at 500 kB / 20 B/ns + 2 us = 27 us. Samples are as often as steps: the backlog is that of its
// time.
TEST(Queue, GrowsByArrivalLessCapacityAndDrains) {
  const RecordedRun run(one_queue);
  const auto backlog = run.lane("backlog_max_bytes", "T", "B");
  for (std::size_t i = 0; i < backlog.size(); ++i) {
    EXPECT_NEAR(backlog[i], triangle(run.time_ns[i], 1000, 30, 11000, 20), 1) << run.time_ns[i];
  }
  EXPECT_NEAR(*std::max_element(backlog.begin(), backlog.end()), 300000, 1);
  ASSERT_EQ(run.finish_ns.size(), 1U);
  EXPECT_NEAR(run.finish_ns[0], 27000, 1e-3);
}

// The same with packets: 500 kB are 123 packets of at most 4096 B, each with 64 B more:
// 507,872 B on the wire; the queue's top is 507,872 * (1 - 20/50), the end 25,393.6 ns + 2 us.
TEST(Queue, CountsBytesOnTheWire) {
  const RecordedRun run(one_queue, {"endpoint.header=64 B"});
  const auto backlog = run.lane("backlog_max_bytes", "T", "B");
  // The top lies within a step; the step's end misses it by the growth of a step at most.
  EXPECT_NEAR(*std::max_element(backlog.begin(), backlog.end()), 507872 * 0.6, 20 * 250);
  EXPECT_NEAR(run.finish_ns.at(0), 27393.6, 1e-3);
}

// Two bursts, the second while the first still waits: the queue never empties in between.
// A sends 500 kB at 0 and again at 20 us: W(21 us) = 300 kB - 20 B/ns * 10 us = 100 kB, from there
// +30 B/ns for 10 us: 400 kB at 31 us, empty at 51 us; the second message ends at 52 us.
TEST(Queue, SecondBurstGoesOnTop) {
  const RecordedRun run(one_queue,
                        {"workload.flows[0].repeat=2", "workload.flows[0].period=20 us"});
  const auto backlog = run.lane("backlog_max_bytes", "T", "B");
  for (std::size_t i = 0; i < backlog.size(); ++i) {
    const double t = run.time_ns[i];
    const double expected = t <= 21000
                                ? triangle(t, 1000, 30, 11000, 20)
                                : std::max(0.0, 100000 + 30 * (std::min(t, 31000.0) - 21000) -
                                                    20 * std::max(0.0, t - 31000));
    EXPECT_NEAR(backlog[i], expected, 1) << t;
  }
  ASSERT_EQ(run.finish_ns.size(), 2U);
  EXPECT_NEAR(run.finish_ns[0], 27000, 1e-3);
  EXPECT_NEAR(run.finish_ns[1], 52000, 1e-3);
}

// Tandem: 1 MB at 50 B/ns into 25 B/ns (at T) and then 12.5 B/ns (at U), 1 us per link.
// T: +25 B/ns from 1 to 21 us (500 kB), -25 B/ns to 41 us.
// U: +12.5 B/ns from 2 to 42 us (500 kB), -12.5 B/ns to 82 us. Last byte: 1 MB / 12.5 + 3 us = 83
// us.
TEST(Queue, TwoInTandem) {
  const RecordedRun run(
      input_deck("flow_control/tandem_queues.yaml", {"run.dt=500 ns", "output.interval=500 ns"}));
  const auto at_t = run.lane("backlog_max_bytes", "T", "U");
  const auto at_u = run.lane("backlog_max_bytes", "U", "B");
  for (std::size_t i = 0; i < at_t.size(); ++i) {
    const double t = run.time_ns[i];
    EXPECT_NEAR(at_t[i], triangle(t, 1000, 25, 21000, 25), 1) << t;
    EXPECT_NEAR(at_u[i], triangle(t, 2000, 12.5, 42000, 12.5), 1) << t;
  }
  EXPECT_NEAR(run.finish_ns.at(0), 83000, 1e-3);
}

}  // namespace
}  // namespace tailrace
