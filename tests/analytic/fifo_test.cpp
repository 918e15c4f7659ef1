// SPDX-License-Identifier: Apache-2.0
// Tests that what enters a backlog of W bytes leaves exactly W/C later, in order and not smeared.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include "tests/run_deck.hpp"

namespace tailrace {
namespace {

using testing_support::RecordedRun;

/// One lane of 25 B/ns at T, filled by S0 (1 MB) and S1 (100 kB), each at 50 B/ns by a lane of its
/// own: with `fifo` the lane as a whole is first in, first out.
const std::string two_ingresses = R"(
fabric:
  topology:
    kind: graph
    endpoints: {S: 2, R: 1}
    switches: [T]
    links: [[S, T], {between: [T, R], capacity: 200 Gbps}]
  link: {capacity: 400 Gbps, latency: 1 us}
  switch: {flow_control: pfc, arbitration: fifo, shared_buffer: 64 MB, pfc: {xoff: 2 MB, xon: 1 MB}}
endpoint: {header: 0 B}
workload:
  kind: flows
  flows:
    - {from: S0, to: R, bytes: 1 MB}
    - {from: S1, to: R, bytes: 100 kB, start: 5 us}
run: {time_limit: 100 us, dt: 500 ns}
output: {interval: 500 ns, lanes: all, flows: all}
)";

/// One queue of 12.5 B/ns at U, which S0 and S1 fill through one lane at 25 B/ns each: first in,
/// first out within the queue, whatever the arbitration among queues.
const std::string one_ingress = R"(
fabric:
  topology:
    kind: graph
    endpoints: {S: 2, R: 1}
    switches: [T, U]
    links: [{between: [S, T], capacity: 200 Gbps}, [T, U], {between: [U, R], capacity: 100 Gbps}]
  link: {capacity: 400 Gbps, latency: 1 us}
  switch: {flow_control: pfc, arbitration: round_robin, shared_buffer: 64 MB, pfc: {xoff: 2 MB, xon: 1 MB}}
endpoint: {header: 0 B}
workload:
  kind: flows
  flows:
    - {from: S0, to: R, bytes: 1 MB}
    - {from: S1, to: R, bytes: 100 kB, start: 5 us}
run: {time_limit: 200 us, dt: 500 ns}
output: {interval: 500 ns, lanes: all, flows: all}
)";

/// Rate of flow 1 in each sample: `rate_gbps` between the two times (multiples of the interval),
/// nothing before and after.
void expect_block(const RecordedRun& run, double begin_ns, double end_ns, double rate_gbps) {
  const auto rate = run.flow_rate_gbps(1);
  for (std::size_t i = 0; i < rate.size(); ++i) {
    const double t = run.time_ns[i];
    EXPECT_NEAR(rate[i], t > begin_ns && t <= end_ns ? rate_gbps : 0, 1e-3) << t;
  }
}

// S0's bytes reach T from 1 us on at 50 B/ns, S1's from 6 to 8 us.
// First byte of S1: W = (50 - 25) B/ns * 5 us = 125 kB, leaves at 6 us + 125 kB / 25 = 11 us.
// Last byte: W = 25 B/ns * 7 us + 100 kB = 275 kB, leaves at 8 us + 11 us = 19 us, arrives at 20
// us. In between both came alike, so S1 has half the lane, 12.5 B/ns = 100 Gb/s, and nothing before
// or after. All is out after 1.1 MB / 25 = 44 us: S0 ends at 1 + 44 + 1 us.
TEST(Fifo, LeavesABacklogOfWAfterWOverCAcrossIngresses) {
  const RecordedRun run(two_ingresses);
  ASSERT_EQ(run.finish_ns.size(), 2U);
  EXPECT_NEAR(run.finish_ns[1], 20000, 1e-3);
  EXPECT_NEAR(run.finish_ns[0], 46000, 1e-3);
  expect_block(run, 11000, 19000, 100);
}

// S0's bytes reach U from 2 us on at 25 B/ns, S1's from 7 to 11 us at 25 B/ns beside them.
// First byte of S1: W = 12.5 * 5 us = 62.5 kB, leaves at 7 us + 5 us = 12 us. Last byte:
// W = 12.5 * 9 us + 100 kB = 212.5 kB, leaves at 11 us + 17 us = 28 us, arrives at 29 us. Half the
// lane in between: 50 Gb/s. All is out after 1.1 MB / 12.5 = 88 us: S0 ends at 2 + 88 + 1 us.
TEST(Fifo, LeavesABacklogOfWAfterWOverCWithinAQueue) {
  const RecordedRun run(one_ingress);
  ASSERT_EQ(run.finish_ns.size(), 2U);
  EXPECT_NEAR(run.finish_ns[1], 29000, 1e-3);
  EXPECT_NEAR(run.finish_ns[0], 91000, 1e-3);
  expect_block(run, 12000, 28000, 50);
}

// With one queue a lane's order is the queue's: fifo and round robin say the same.
TEST(Fifo, ArbitrationDoesNotMatterToOneQueue) {
  const RecordedRun run(one_ingress, {"fabric.switch.arbitration=fifo"});
  EXPECT_NEAR(run.finish_ns.at(1), 29000, 1e-3);
  EXPECT_NEAR(run.finish_ns.at(0), 91000, 1e-3);
  expect_block(run, 12000, 28000, 50);
}

// Round robin over the two ingresses of the first deck is not first in, first out: from 6 us on S1
// has half of T's lane at once, 12.5 B/ns, so it ends at 6 us + 100 kB / 12.5 + 1 us = 15 us.
TEST(Fifo, RoundRobinServesIngressesAlike) {
  const RecordedRun run(two_ingresses, {"fabric.switch.arbitration=round_robin"});
  EXPECT_NEAR(run.finish_ns.at(1), 15000, 1e-3);
  EXPECT_NEAR(run.finish_ns.at(0), 46000, 1e-3);
  expect_block(run, 6000, 14000, 100);
}

// Starts within a step: S1 at t ends at e + W(e)/C + 1 us with e = t + 3 us and
// W(e) = 25 (e - 1 us) + 100 kB, so at 2 t + 10 us. What is known of a step is its two ends, so
// S1's last byte counts as come with the end of the step in which it came: behind what S0 brought
// in the rest of it, 50 B/ns for less than dt. Late by less than 2 dt, and never early.
TEST(Fifo, StartsWithinAStepAreOffByLessThanAStepsArrivals) {
  for (const int dt : {500, 100}) {
    for (const double part : {0.1, 0.4, 0.5, 0.6, 0.9}) {
      const double start = 5000 + part * dt;
      const RecordedRun run(two_ingresses,
                            {fmt::format("workload.flows[1].start={} ns", start),
                             fmt::format("run.dt={} ns", dt), "output.interval=none"});
      const double late = run.finish_ns.at(1) - (2 * start + 10000);
      EXPECT_GE(late, -1e-3) << start << ' ' << dt;
      EXPECT_LE(late, 2 * dt * (1 - part) + 1e-3) << start << ' ' << dt;
      EXPECT_NEAR(run.finish_ns.at(0), 46000, 1e-3) << start << ' ' << dt;
    }
  }
}

}  // namespace
}  // namespace tailrace
