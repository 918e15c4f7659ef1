// SPDX-License-Identifier: Apache-2.0
// Tests how a deck's workload is read: names, defaults, and one refusal per rule, with its place.
#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <vector>

#include "models/workload/workload.hpp"
#include "solver/base/deck_load.hpp"
#include "solver/base/errors.hpp"
#include "topology/fabric.hpp"

namespace tailrace {
namespace {

// Nine lines; the workload begins on line 10.
const std::string graph_fabric =
    "fabric:\n"
    "  topology:\n"
    "    kind: graph\n"
    "    endpoints: {S: 4, R: 1}\n"
    "    switches: [T, U]\n"
    "    links: [[S, T], [T, U], [U, R]]\n"
    "  link: {capacity: 400 Gbps, latency: 1 us}\n"
    "  switch: {flow_control: credit, buffer: 128 KiB}\n"
    "run: {time_limit: 1 ms}\n";

// The same nine lines with a fat-tree of 16 endpoints.
const std::string tree_fabric =
    "fabric:\n"
    "  topology:\n"
    "    kind: fat_tree\n"
    "    radix: 8\n"
    "    endpoints: 16\n"
    "  classes: [{name: bulk}, {name: control}]\n"
    "  link: {capacity: 400 Gbps, latency: 1 us}\n"
    "  switch: {flow_control: credit, buffer: 128 KiB}\n"
    "run: {time_limit: 1 ms}\n";

std::unique_ptr<Workload> read(const std::string& fabric, const std::string& workload) {
  const Deck deck = load_deck_text(fabric + workload, "deck.yaml");
  const Graph graph = build_fabric(deck);
  return make_workload(deck, graph);
}

std::string refusal(const std::string& fabric, const std::string& workload) {
  try {
    read(fabric, workload);
  } catch (const InputError& error) {
    return error.what();
  }
  return "accepted";
}

std::unique_ptr<Workload> read_flow_list(const std::string& entries) {
  return read(graph_fabric, "workload: {kind: flows, flows: [" + entries + "]}\n");
}

std::string flow_refusal(const std::string& entries) {
  return refusal(graph_fabric, "workload: {kind: flows, flows: [" + entries + "]}\n");
}

std::unique_ptr<Workload> read_tree(const std::string& members) {
  return read(tree_fabric, "workload: {" + members + "}\n");
}

std::string tree_refusal(const std::string& members) {
  return refusal(tree_fabric, "workload: {" + members + "}\n");
}

void expect_says(const std::string& message, const std::vector<std::string>& parts) {
  for (const std::string& part : parts) {
    EXPECT_NE(message.find(part), std::string::npos) << "'" << part << "' is not in: " << message;
  }
}

std::vector<MessageSpec> messages_of(const Workload& workload, std::int64_t flow) {
  std::vector<MessageSpec> messages;
  workload.messages(FlowId{flow}, messages);
  return messages;
}

// --- flows --------------------------------------------------------------------------------------

TEST(WorkloadDeck, AGroupSendsToAnother) {
  const auto workload = read_flow_list("{from: S, to: R, bytes: 4 MB}");
  ASSERT_EQ(workload->flow_count(), 4);
  EXPECT_EQ(workload->flow(FlowId{3}).source, NodeId{3});
  EXPECT_EQ(workload->flow(FlowId{3}).target, NodeId{4});
  EXPECT_DOUBLE_EQ(messages_of(*workload, 3).at(0).bytes, 4e6);
  EXPECT_DOUBLE_EQ(messages_of(*workload, 3).at(0).start_ns, 0);
}

TEST(WorkloadDeck, AllKeysOfAnEntryCount) {
  const auto workload = read(tree_fabric,
                             "workload: {kind: flows, flows: [{from: e0, to: e9, bytes: 1 KiB, "
                             "start: 5 us, class: control, "
                             "via: [spine1], group: probes, repeat: 4, period: 2 us}]}\n");
  ASSERT_EQ(workload->flow_count(), 1);
  const FlowSpec flow = workload->flow(FlowId{0});
  EXPECT_EQ(flow.traffic_class, 1);
  ASSERT_EQ(flow.via.size(), 1U);
  EXPECT_EQ(workload->groups(), (std::vector<std::string>{"probes"}));
  const auto messages = messages_of(*workload, 0);
  ASSERT_EQ(messages.size(), 4U);
  EXPECT_DOUBLE_EQ(messages[3].start_ns, 11000);
  EXPECT_DOUBLE_EQ(messages[3].bytes, 1024);
  EXPECT_EQ(messages[3].group, 0);
}

TEST(WorkloadDeck, InABuiltFabricEStandsForAllEndpoints) {
  const auto workload =
      read(tree_fabric, "workload: {kind: flows, flows: [{from: e, to: e3, bytes: 1 MB}]}\n");
  EXPECT_EQ(workload->flow_count(), 15);
}

TEST(WorkloadDeck, RefusesAnUnknownEndpointAndNamesTheNearest) {
  expect_says(flow_refusal("{from: S9, to: R0, bytes: 1 MB}"),
              {"deck.yaml:10:", "workload.flows[0].from", "'S9'", "nearest is 'S"});
}

TEST(WorkloadDeck, RefusesASwitchAsAnEnd) {
  expect_says(flow_refusal("{from: S0, to: U, bytes: 1 MB}"), {"flows[0].to", "is a switch"});
}

TEST(WorkloadDeck, RefusesAFlowToItself) {
  expect_says(flow_refusal("{from: S0, to: S0, bytes: 1 MB}"), {"flows[0].to", "to itself"});
  expect_says(flow_refusal("{from: R, to: R0, bytes: 1 MB}"), {"flows[0].to", "to itself"});
}

TEST(WorkloadDeck, RefusesZeroAndPartsOfBytes) {
  expect_says(flow_refusal("{from: S0, to: R0, bytes: 0 B}"), {"flows[0].bytes", "1"});
  expect_says(flow_refusal("{from: S0, to: R0, bytes: 0.5 B}"), {"flows[0].bytes", "whole bytes"});
  expect_says(flow_refusal("{from: S0, to: R0, bytes: 1e30 B}"), {"flows[0].bytes"});
}

TEST(WorkloadDeck, RefusesAStartAfterTheEnd) {
  expect_says(flow_refusal("{from: S0, to: R0, bytes: 1 MB, start: 1 ms}"),
              {"flows[0].start", "run.time_limit"});
}

// start 0, 11 messages 100 us apart: the last at 1 ms, the end of the run; 10 still fit.
TEST(WorkloadDeck, RefusesRepeatsAfterTheEnd) {
  expect_says(flow_refusal("{from: S0, to: R0, bytes: 1 MB, repeat: 11, period: 100 us}"),
              {"flows[0].repeat", "run.time_limit"});
  EXPECT_EQ(flow_refusal("{from: S0, to: R0, bytes: 1 MB, repeat: 10, period: 100 us}"),
            "accepted");
}

TEST(WorkloadDeck, RefusesRepeatWithoutPeriodAndPeriodWithoutRepeat) {
  expect_says(flow_refusal("{from: S0, to: R0, bytes: 1 MB, repeat: 3}"),
              {"flows[0].repeat", "period"});
  expect_says(flow_refusal("{from: S0, to: R0, bytes: 1 MB, period: 1 us}"),
              {"flows[0].period", "no effect"});
}

TEST(WorkloadDeck, RefusesWayPointsThatAreNoSwitches) {
  expect_says(flow_refusal("{from: S0, to: R0, bytes: 1 MB, via: [S1]}"),
              {"flows[0].via", "is an endpoint"});
  expect_says(flow_refusal("{from: S0, to: R0, bytes: 1 MB, via: [V]}"),
              {"flows[0].via", "no node or group is called 'V'"});
  expect_says(flow_refusal("{from: S0, to: R0, bytes: 1 MB, via: [S]}"),
              {"flows[0].via", "is a group"});
}

// Every route comes to T before U.
TEST(WorkloadDeck, RefusesARouteThatDoesNotExist) {
  expect_says(flow_refusal("{from: S0, to: R, bytes: 1 MB, via: [U, T]}"),
              {"deck.yaml:10:", "flows[0].via", "no up-down route from S0 to R"});
}

TEST(WorkloadDeck, RefusesAnUnknownClass) {
  expect_says(flow_refusal("{from: S0, to: R0, bytes: 1 MB, class: gold}"),
              {"flows[0].class", "'gold'", "default"});
}

TEST(WorkloadDeck, ReportsAllFaultsAtOnce) {
  expect_says(
      flow_refusal("{from: X, to: R0, bytes: 1 MB}, {from: S0, to: S0, bytes: 1 B, class: x}"),
      {"flows[0].from", "flows[1].to", "flows[1].class"});
}

// --- patterns -----------------------------------------------------------------------------------

TEST(WorkloadDeck, PermutationFollowsItsSeed) {
  const auto targets = [](const std::string& seed) {
    const auto workload =
        read_tree("kind: pattern, pattern: permutation, bytes: 1 MB, class: control" + seed);
    std::vector<std::int32_t> list;
    for (std::int64_t f = 0; f < 16; ++f) {
      list.push_back(workload->flow(FlowId{f}).target.value);
      EXPECT_EQ(workload->flow(FlowId{f}).traffic_class, 1);
    }
    return list;
  };
  EXPECT_EQ(targets(", seed: 1"), targets(""));
  EXPECT_NE(targets(", seed: 2"), targets(", seed: 1"));
}

TEST(WorkloadDeck, Incast) {
  const auto workload =
      read_tree("kind: pattern, pattern: incast, senders: 3, target: e14, bytes: 1 MB");
  ASSERT_EQ(workload->flow_count(), 3);
  EXPECT_EQ(workload->flow(FlowId{0}).source, NodeId{15});
  EXPECT_EQ(workload->flow(FlowId{1}).source, NodeId{0});
  EXPECT_EQ(workload->flow(FlowId{1}).target, NodeId{14});
  EXPECT_EQ(
      read_tree("kind: pattern, pattern: incast, senders: 3, bytes: 1 B")->flow(FlowId{0}).target,
      NodeId{0});
}

TEST(WorkloadDeck, IncastRefusals) {
  expect_says(tree_refusal("kind: pattern, pattern: incast, senders: 16, bytes: 1 MB"),
              {"workload.senders", "at most 15"});
  expect_says(tree_refusal("kind: pattern, pattern: incast, senders: 3, target: e16, bytes: 1 MB"),
              {"workload.target", "'e16'"});
  expect_says(tree_refusal("kind: pattern, pattern: incast, senders: 3, target: e, bytes: 1 MB"),
              {"workload.target", "one receiver"});
}

TEST(WorkloadDeck, ShiftCountsRoundInBothDirections) {
  EXPECT_EQ(
      read_tree("kind: pattern, pattern: shift, distance: 17, bytes: 1 MB")->flow(FlowId{3}).target,
      NodeId{4});
  EXPECT_EQ(
      read_tree("kind: pattern, pattern: shift, distance: -4, bytes: 1 MB")->flow(FlowId{3}).target,
      NodeId{15});
  expect_says(tree_refusal("kind: pattern, pattern: shift, distance: 32, bytes: 1 MB"),
              {"workload.distance", "to itself"});
}

TEST(WorkloadDeck, AllToAllGroups) {
  EXPECT_EQ(read_tree("kind: pattern, pattern: all_to_all, bytes: 1 MB")->flow_count(), 240);
  const auto workload =
      read_tree("kind: pattern, pattern: all_to_all, group_size: 4, group_stride: 4, bytes: 1 MB");
  ASSERT_EQ(workload->flow_count(), 48);
  EXPECT_EQ(workload->flow(FlowId{0}).target, NodeId{4});
  expect_says(tree_refusal("kind: pattern, pattern: all_to_all, group_size: 5, bytes: 1 MB"),
              {"workload.group_size", "must divide 16"});
  expect_says(tree_refusal("kind: pattern, pattern: all_to_all, group_stride: 16, bytes: 1 MB"),
              {"workload.group_size", "at least 2"});
}

// Load 0.5 of 50 B/ns; a message of 1,000 B is 1,064 B on the wire: one every 42.56 ns on average.
// 16 endpoints in 500 us: 187,970 messages, standard deviation 434.
TEST(WorkloadDeck, UniformOffersItsLoadOnTheWire) {
  const auto workload =
      read_tree("kind: pattern, pattern: uniform, load: 0.5, duration: 500 us, bytes: 1 KB");
  EXPECT_NEAR(static_cast<double>(workload->size().messages), 187970, 5 * 434);
  EXPECT_EQ(workload->flow_count(), 240);
  EXPECT_EQ(read_tree("kind: pattern, pattern: uniform, load: 0.5, duration: 500 us, bytes: 1 KB, "
                      "peers: 3")
                ->flow_count(),
            48);
}

TEST(WorkloadDeck, UniformRefusals) {
  expect_says(
      tree_refusal("kind: pattern, pattern: uniform, load: 0.5, duration: 2 ms, bytes: 1 KB"),
      {"workload.duration", "run.time_limit"});
  expect_says(
      tree_refusal("kind: pattern, pattern: uniform, load: 0.5, duration: 1 us, bytes: 1 KB, "
                   "peers: 16"),
      {"workload.peers", "only 15 others"});
  expect_says(
      tree_refusal("kind: pattern, pattern: uniform, load: 0.5, duration: 1 us, bytes: 100 GB"),
      {"deck.yaml:10:", "not one message"});
}

TEST(WorkloadDeck, APatternNeedsTwoEndpoints) {
  const std::string fabric =
      "fabric:\n"
      "  topology: {kind: fat_tree, radix: 4, endpoints: 1}\n"
      "  link: {capacity: 1 Gbps, latency: 1 us}\n"
      "  switch: {flow_control: credit, buffer: 64 KiB}\n"
      "run: {time_limit: 1 ms}\n";
  expect_says(refusal(fabric, "workload: {kind: pattern, pattern: shift, bytes: 1 B}\n"),
              {"workload.pattern", "needs two"});
}

TEST(WorkloadDeck, PatternsRefuseZeroBytesAndLateStarts) {
  expect_says(tree_refusal("kind: pattern, pattern: permutation, bytes: 0 B"), {"workload.bytes"});
  expect_says(tree_refusal("kind: pattern, pattern: permutation, bytes: 1.5 B"),
              {"workload.bytes", "whole bytes"});
  expect_says(tree_refusal("kind: pattern, pattern: permutation, bytes: 1 B, start: 2 ms"),
              {"workload.start", "run.time_limit"});
}

// --- collectives --------------------------------------------------------------------------------

TEST(WorkloadDeck, CollectiveTakesAllEndpointsUnlessTold) {
  EXPECT_EQ(read_tree("kind: collective, operation: all_reduce, bytes: 1 GiB")->flow_count(), 16);
  EXPECT_EQ(
      read_tree("kind: collective, operation: all_reduce, algorithm: ring, ranks: 5, bytes: 1 GiB")
          ->flow_count(),
      5);
  const auto listed =
      read_tree("kind: collective, operation: send_recv, ranks: [e7, e3, e9], bytes: 1 GiB");
  ASSERT_EQ(listed->flow_count(), 3);
  EXPECT_EQ(listed->flow(FlowId{0}).source, NodeId{7});
  EXPECT_EQ(listed->flow(FlowId{0}).target, NodeId{3});
  EXPECT_EQ(read(graph_fabric,
                 "workload: {kind: collective, operation: all_to_all, ranks: [S], bytes: 1 MB}\n")
                ->flow_count(),
            12);
}

TEST(WorkloadDeck, CollectiveRefusals) {
  expect_says(tree_refusal("kind: collective, operation: all_reduce, ranks: 17, bytes: 1 MB"),
              {"workload.ranks", "16 endpoints"});
  expect_says(
      tree_refusal("kind: collective, operation: all_reduce, ranks: [e0, e1, e0], bytes: 1 MB"),
      {"workload.ranks", "'e0' is there twice"});
  expect_says(
      tree_refusal("kind: collective, operation: all_reduce, ranks: [e0, leaf0], bytes: 1 MB"),
      {"workload.ranks", "is a switch"});
  expect_says(refusal(graph_fabric,
                      "workload: {kind: collective, operation: all_reduce, ranks: [S0, S1, T, Q], "
                      "bytes: 1 MB}\n"),
              {"'T' is a switch", "'Q'"});
  expect_says(tree_refusal("kind: collective, operation: all_gather, bytes: 15 B"),
              {"deck.yaml:10:", "workload.bytes", "at least 16 B"});
  expect_says(tree_refusal("kind: collective, operation: all_gather, bytes: 16 B, start: 1 s"),
              {"workload.start"});
}

TEST(WorkloadDeck, ACollectiveNeedsTwoRanks) {
  expect_says(tree_refusal("kind: collective, operation: all_reduce, ranks: 1, bytes: 1 MB"),
              {"deck.yaml:10:", "workload.ranks", "2"});
  expect_says(tree_refusal("kind: collective, operation: all_reduce, ranks: [e4], bytes: 1 MB"),
              {"deck.yaml:10:", "workload.ranks", "at least 2"});
}

}  // namespace
}  // namespace tailrace
