// SPDX-License-Identifier: Apache-2.0
// Tests how a link is shared: among traffic classes, and at a NIC among its flows.
#include <gtest/gtest.h>

#include "tests/run_deck.hpp"

namespace tailrace {
namespace {

using testing_support::RecordedRun;

/// S0 sends in class bulk, S1 in class control, over one link of 200G.
const std::string two_classes = R"(
fabric:
  topology:
    kind: graph
    endpoints: {S: 2, R: 1}
    switches: [T]
    links: [{between: [S0, T], capacity: 200 Gbps}, [S1, T], [T, R]]
  link: {capacity: 200 Gbps, latency: 1 us}
  switch: {flow_control: credit, buffer: 128 KiB}
  classes: [{name: bulk, weight: 3}, {name: control, weight: 1}]
endpoint: {header: 0 B}
workload:
  kind: flows
  flows:
    - {from: S0, to: R, bytes: 10 MB, class: bulk}
    - {from: S1, to: R, bytes: 10 MB, class: control}
run: {time_limit: 10 ms}
output: {interval: 10 us, flows: all}
)";

const std::string pauses =
    "fabric.switch={flow_control: pfc, arbitration: round_robin, shared_buffer: 12 MB, pfc: {xoff: "
    "100 kB, xon: 80 kB}}";

// Weights 3 : 1 while both send: 150 and 50 Gb/s, within 1 %. Bulk is through after
// 10 MB / 18.75 B/ns = 533 us, and the link is full to the end: 20 MB / 25 B/ns + 2 us = 802 us.
TEST(Classes, ShareByWeight) {
  for (const auto& sets : {std::vector<std::string>{}, std::vector<std::string>{pauses}}) {
    const RecordedRun run(two_classes, sets);
    EXPECT_NEAR(run.mean(run.flow_rate_gbps(0), 1e5, 5e5), 150, 1.5);
    EXPECT_NEAR(run.mean(run.flow_rate_gbps(1), 1e5, 5e5), 50, 0.5);
    ASSERT_EQ(run.finish_ns.size(), 2U);
    EXPECT_NEAR(run.finish_ns[0], 1e7 / 18.75 + 2000, 0.01 * 535e3);
    EXPECT_NEAR(run.finish_ns[1], 802000, 1);
  }
}

// What a class cannot use goes to the others: S0's cable carries 80 Gb/s, less than its share of
// 150, so control gets 120 instead of 50.
TEST(Classes, LeaveWhatTheyDoNotUse) {
  const RecordedRun run(two_classes, {"fabric.topology.links[0].capacity=80 Gbps"});
  EXPECT_NEAR(run.mean(run.flow_rate_gbps(0), 1e5, 5e5), 80, 0.8);
  EXPECT_NEAR(run.mean(run.flow_rate_gbps(1), 1e5, 5e5), 120, 1.2);
}

// Strict: bulk, the first of the list, has the link for itself until it is through:
// 10 MB / 25 + 2 us = 402 us; then control, 802 us.
TEST(Classes, StrictServesTheFirstFirst) {
  const RecordedRun run(two_classes, {"fabric.class_arbitration=strict",
                                      "fabric.classes=[{name: bulk}, {name: control}]"});
  EXPECT_NEAR(run.mean(run.flow_rate_gbps(0), 1e5, 3e5), 200, 0.1);
  EXPECT_NEAR(run.mean(run.flow_rate_gbps(1), 1e5, 3e5), 0, 0.1);
  ASSERT_EQ(run.finish_ns.size(), 2U);
  EXPECT_NEAR(run.finish_ns[0], 402000, 1);
  EXPECT_NEAR(run.finish_ns[1], 802000, 1);
}

// Strict with a first class that needs 80 of 200 Gb/s: the second has 120.
TEST(Classes, StrictLeavesTheRest) {
  const RecordedRun run(
      two_classes, {"fabric.topology.links[0].capacity=80 Gbps", "fabric.class_arbitration=strict",
                    "fabric.classes=[{name: bulk}, {name: control}]"});
  EXPECT_NEAR(run.mean(run.flow_rate_gbps(0), 1e5, 5e5), 80, 0.8);
  EXPECT_NEAR(run.mean(run.flow_rate_gbps(1), 1e5, 5e5), 120, 1.2);
}

/// A sends 1, 2 and 3 MB to three receivers over its one port of 200G.
const std::string three_flows = R"(
fabric:
  topology:
    kind: graph
    endpoints: {A: 1, B: 3}
    switches: [T]
    links: [[A, T], [T, B]]
  link: {capacity: 200 Gbps, latency: 1 us}
  switch: {flow_control: credit, buffer: 128 KiB}
endpoint: {header: 0 B}
workload:
  kind: flows
  flows:
    - {from: A, to: B0, bytes: 1 MB}
    - {from: A, to: B1, bytes: 2 MB}
    - {from: A, to: B2, bytes: 3 MB}
run: {time_limit: 10 ms}
output: {interval: none}
)";

// A NIC serves its flows in turns: three at C/3 until the first ends after 3 MB / C = 120 us, two
// at C/2 until the second ends 2 MB / C later, 200 us, and the third at 6 MB / C = 240 us; plus 2
// us.
TEST(Nic, ServesItsFlowsInTurns) {
  for (const auto& sets :
       {std::vector<std::string>{},
        std::vector<std::string>{"fabric.switch={flow_control: pfc, arbitration: "
                                 "fifo, shared_buffer: 12 MB, pfc: {xoff: 100 "
                                 "kB, xon: 80 kB}}"}}) {
    const RecordedRun run(three_flows, sets);
    ASSERT_EQ(run.finish_ns.size(), 3U);
    // Where a flow ends within a step (1 us), the others' new share begins with the next.
    EXPECT_NEAR(run.finish_ns[0], 122000, 1);
    EXPECT_NEAR(run.finish_ns[1], 202000, 1);
    EXPECT_NEAR(run.finish_ns[2], 242000, 1);
  }
}

// Messages of one flow go one after the other: 1 MB and 1 MB at 0 end at 42 and 82 us when alone; a
// second flow beside them counts once, whatever the number of messages.
TEST(Nic, ServesTheMessagesOfAFlowInOrder) {
  const RecordedRun run(three_flows,
                        {"workload.flows=[{from: A, to: B0, bytes: 1 MB, repeat: 2, period: 1 ns}, "
                         "{from: A, to: B1, bytes: 2 MB}]"});
  ASSERT_EQ(run.finish_ns.size(), 3U);
  EXPECT_NEAR(run.finish_ns[0], 82000, 1);   // 1 MB at C/2
  EXPECT_NEAR(run.finish_ns[1], 162000, 1);  // 2 MB at C/2
  EXPECT_NEAR(run.finish_ns[2], 162000, 1);
}

}  // namespace
}  // namespace tailrace
