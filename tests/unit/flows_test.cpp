// SPDX-License-Identifier: Apache-2.0
// Tests the flow list: pairs of groups, merging into connections, messages and their order.
#include "models/workload/flows.hpp"

#include <gtest/gtest.h>

#include <cstdint>
#include <map>
#include <set>
#include <utility>
#include <vector>

#include "solver/base/errors.hpp"

namespace tailrace {
namespace {

using Pair = std::pair<std::int32_t, std::int32_t>;

EndpointRef one(std::int32_t node) { return {-1, NodeId{node}}; }
EndpointRef group(std::int32_t index) { return {index, NodeId{}}; }

FlowEntry entry(EndpointRef from, EndpointRef to, double bytes, double start_ns = 0) {
  FlowEntry result;
  result.from = from;
  result.to = to;
  result.bytes = bytes;
  result.start_ns = start_ns;
  return result;
}

std::vector<Pair> pairs_of(const Workload& workload) {
  std::vector<Pair> pairs;
  for (std::int64_t f = 0; f < workload.flow_count(); ++f) {
    const FlowSpec flow = workload.flow(FlowId{f});
    pairs.emplace_back(flow.source.value, flow.target.value);
  }
  return pairs;
}

std::vector<MessageSpec> messages_of(const Workload& workload, std::int64_t flow) {
  std::vector<MessageSpec> messages;
  workload.messages(FlowId{flow}, messages);
  return messages;
}

// Group 0: nodes 0, 1, 2; group 1: nodes 3, 4.
FlowList list_of(std::vector<FlowEntry> entries) {
  return {{{NodeId{0}, NodeId{1}, NodeId{2}}, {NodeId{3}, NodeId{4}}}, std::move(entries)};
}

TEST(Flows, OneEntryIsOneFlow) {
  const auto workload = make_flows({{}, {entry(one(0), one(1), 100, 5)}});
  ASSERT_EQ(workload->flow_count(), 1);
  EXPECT_EQ(pairs_of(*workload), (std::vector<Pair>{{0, 1}}));
  const auto messages = messages_of(*workload, 0);
  ASSERT_EQ(messages.size(), 1U);
  EXPECT_DOUBLE_EQ(messages[0].bytes, 100);
  EXPECT_DOUBLE_EQ(messages[0].start_ns, 5);
  EXPECT_EQ(messages[0].group, -1);
}

TEST(Flows, GroupsStandForAllPairs) {
  const auto workload = make_flows(list_of({entry(group(0), group(1), 1)}));
  EXPECT_EQ(pairs_of(*workload),
            (std::vector<Pair>{{0, 3}, {0, 4}, {1, 3}, {1, 4}, {2, 3}, {2, 4}}));
}

TEST(Flows, AGroupToItselfLeavesOutThePairsWithItself) {
  const auto workload = make_flows(list_of({entry(group(0), group(0), 1)}));
  EXPECT_EQ(pairs_of(*workload),
            (std::vector<Pair>{{0, 1}, {0, 2}, {1, 0}, {1, 2}, {2, 0}, {2, 1}}));
}

TEST(Flows, AMemberAndItsGroupLeaveOutThePairWithItself) {
  EXPECT_EQ(pairs_of(*make_flows(list_of({entry(one(1), group(0), 1)}))),
            (std::vector<Pair>{{1, 0}, {1, 2}}));
  EXPECT_EQ(pairs_of(*make_flows(list_of({entry(group(0), one(1), 1)}))),
            (std::vector<Pair>{{0, 1}, {2, 1}}));
}

TEST(Flows, EntriesOfOnePairAreMessagesOfOneFlowByStartTime) {
  const auto workload = make_flows({{},
                                    {entry(one(0), one(1), 10, 900), entry(one(0), one(2), 20, 0),
                                     entry(one(0), one(1), 30, 100)}});
  EXPECT_EQ(pairs_of(*workload), (std::vector<Pair>{{0, 1}, {0, 2}}));
  const auto messages = messages_of(*workload, 0);
  ASSERT_EQ(messages.size(), 2U);
  EXPECT_DOUBLE_EQ(messages[0].bytes, 30);
  EXPECT_DOUBLE_EQ(messages[1].bytes, 10);
}

TEST(Flows, EqualStartsKeepTheOrderOfTheList) {
  const auto workload =
      make_flows({{}, {entry(one(0), one(1), 10, 7), entry(one(0), one(1), 20, 7)}});
  const auto messages = messages_of(*workload, 0);
  ASSERT_EQ(messages.size(), 2U);
  EXPECT_DOUBLE_EQ(messages[0].bytes, 10);
  EXPECT_DOUBLE_EQ(messages[1].bytes, 20);
}

TEST(Flows, ClassesAndWayPointsMakeConnectionsOfTheirOwn) {
  FlowEntry other_class = entry(one(0), one(1), 2);
  other_class.traffic_class = 1;
  FlowEntry other_way = entry(one(0), one(1), 3);
  other_way.via = {NodeId{9}};
  const auto workload =
      make_flows({{}, {entry(one(0), one(1), 1), other_class, other_way, other_way}});
  ASSERT_EQ(workload->flow_count(), 3);
  EXPECT_EQ(workload->flow(FlowId{1}).traffic_class, 1);
  EXPECT_NE(workload->flow(FlowId{1}).hash_key, workload->flow(FlowId{0}).hash_key);
  EXPECT_EQ(workload->flow(FlowId{2}).via, (std::vector<NodeId>{NodeId{9}}));
  EXPECT_EQ(messages_of(*workload, 2).size(), 2U);
}

// start 50, repeat 3, period 100: messages at 50, 150, 250.
TEST(Flows, RepeatsAreMessages) {
  FlowEntry periodic = entry(one(0), one(1), 5, 50);
  periodic.repeat = 3;
  periodic.period_ns = 100;
  const auto workload = make_flows({{}, {periodic}});
  const auto messages = messages_of(*workload, 0);
  ASSERT_EQ(messages.size(), 3U);
  EXPECT_DOUBLE_EQ(messages[2].start_ns, 250);
  EXPECT_EQ(workload->size().messages, 3);
  EXPECT_DOUBLE_EQ(workload->size().payload_bytes, 15);
}

TEST(Flows, LabelsAreGroupsOfMessages) {
  FlowEntry first = entry(one(0), one(1), 5);
  first.group = "bulk";
  FlowEntry second = entry(one(1), one(0), 5);
  second.group = "small";
  FlowEntry third = entry(one(1), one(0), 6, 10);
  third.group = "bulk";
  const auto workload = make_flows({{}, {first, second, third}});
  EXPECT_EQ(workload->groups(), (std::vector<std::string>{"bulk", "small"}));
  EXPECT_EQ(messages_of(*workload, 1)[0].group, 1);
  EXPECT_EQ(messages_of(*workload, 1)[1].group, 0);
}

// Whatever the overlap, each pair is one flow, with a message from each entry that covers it.
TEST(Flows, OverlappingEntriesMerge) {
  const auto workload = make_flows(list_of(
      {entry(group(0), group(0), 1), entry(one(1), one(2), 2, 10), entry(one(1), group(0), 3, 20),
       entry(group(0), one(2), 4, 30), entry(one(0), one(3), 5)}));
  std::map<Pair, std::vector<double>> bytes;
  for (std::int64_t f = 0; f < workload->flow_count(); ++f) {
    const FlowSpec flow = workload->flow(FlowId{f});
    auto& list = bytes[{flow.source.value, flow.target.value}];
    EXPECT_TRUE(list.empty()) << "two flows for one pair";
    for (const MessageSpec& m : messages_of(*workload, f)) list.push_back(m.bytes);
  }
  EXPECT_EQ(bytes.size(), 7U);
  EXPECT_EQ((bytes[{0, 1}]), (std::vector<double>{1}));
  EXPECT_EQ((bytes[{0, 2}]), (std::vector<double>{1, 4}));
  EXPECT_EQ((bytes[{1, 0}]), (std::vector<double>{1, 3}));
  EXPECT_EQ((bytes[{1, 2}]), (std::vector<double>{1, 2, 3, 4}));
  EXPECT_EQ((bytes[{2, 0}]), (std::vector<double>{1}));
  EXPECT_EQ((bytes[{0, 3}]), (std::vector<double>{5}));
}

// 20,000 endpoints, all pairs: 399,980,000 flows from one entry.
TEST(Flows, LargeGroupsAreNotExpanded) {
  FlowList list;
  list.groups.resize(1);
  for (std::int32_t i = 0; i < 20000; ++i) list.groups[0].push_back(NodeId{i});
  list.entries = {entry(group(0), group(0), 8), entry(group(0), group(0), 8, 10)};
  const auto workload = make_flows(std::move(list));
  EXPECT_EQ(workload->flow_count(), 399980000);
  const FlowSpec last = workload->flow(FlowId{399979999});
  EXPECT_EQ(last.source, NodeId{19999});
  EXPECT_EQ(last.target, NodeId{19998});
  EXPECT_EQ(messages_of(*workload, 399979999).size(), 2U);
}

TEST(Flows, RefusesOverlapsThatDoNotFit) {
  FlowList list;
  list.groups.resize(1);
  for (std::int32_t i = 0; i < 20000; ++i) list.groups[0].push_back(NodeId{i});
  list.entries = {entry(group(0), group(0), 8), entry(one(0), one(1), 8)};
  EXPECT_THROW(make_flows(std::move(list)), InputError);
}

TEST(Flows, RefusesAListWithoutFlows) { EXPECT_THROW(make_flows({}), InputError); }

TEST(Flows, RefusesUnknownNumbers) {
  const auto workload = make_flows({{}, {entry(one(0), one(1), 1)}});
  EXPECT_THROW(workload->flow(FlowId{1}), TailraceError);
  EXPECT_THROW(workload->flow(FlowId{-1}), TailraceError);
}

}  // namespace
}  // namespace tailrace
