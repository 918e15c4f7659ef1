// SPDX-License-Identifier: Apache-2.0
// Tests the patterns: who sends to whom, how often, and that the same seed gives the same again.
#include "models/workload/patterns.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <cstdint>
#include <map>
#include <set>
#include <utility>
#include <vector>

#include "solver/base/errors.hpp"

namespace tailrace {
namespace {

PatternInput input_of(std::int32_t endpoints, double bytes = 1000) {
  PatternInput input;
  input.endpoint_count = endpoints;
  input.bytes = bytes;
  return input;
}

std::vector<std::pair<std::int32_t, std::int32_t>> pairs_of(const Workload& workload) {
  std::vector<std::pair<std::int32_t, std::int32_t>> pairs;
  for (std::int64_t f = 0; f < workload.flow_count(); ++f) {
    const FlowSpec flow = workload.flow(FlowId{f});
    pairs.emplace_back(flow.source.value, flow.target.value);
  }
  return pairs;
}

TEST(Patterns, PermutationSendsAndReceivesOnceAndNeverToItself) {
  for (const std::int32_t n : {2, 3, 64, 1001}) {
    for (const std::uint64_t seed : {1U, 2U, 3U}) {
      const auto workload = make_permutation(input_of(n), seed);
      ASSERT_EQ(workload->flow_count(), n);
      std::set<std::int32_t> targets;
      for (const auto& [source, target] : pairs_of(*workload)) {
        EXPECT_NE(source, target);
        targets.insert(target);
      }
      EXPECT_EQ(targets.size(), static_cast<std::size_t>(n));
    }
  }
}

TEST(Patterns, PermutationFollowsItsSeed) {
  EXPECT_EQ(random_derangement(100, 5), random_derangement(100, 5));
  EXPECT_NE(random_derangement(100, 5), random_derangement(100, 6));
}

// Four endpoints have 9 derangements; 9,000 seeds: 1,000 each, standard deviation
// sqrt(9000 * 8/81) = 29.8, five of them 149.
TEST(Patterns, DerangementsAreEquallyLikely) {
  std::map<std::vector<std::int32_t>, int> count;
  for (std::uint64_t seed = 0; seed < 9000; ++seed) ++count[random_derangement(4, seed)];
  EXPECT_EQ(count.size(), 9U);
  for (const auto& [derangement, times] : count) EXPECT_NEAR(times, 1000, 149);
}

TEST(Patterns, IncastTakesTheEndpointsAfterTheTarget) {
  const auto workload = make_incast(input_of(5), NodeId{3}, 3);
  EXPECT_EQ(pairs_of(*workload),
            (std::vector<std::pair<std::int32_t, std::int32_t>>{{4, 3}, {0, 3}, {1, 3}}));
}

TEST(Patterns, ShiftGoesAroundTheEnd) {
  const auto workload = make_shift(input_of(4), 3);
  EXPECT_EQ(pairs_of(*workload),
            (std::vector<std::pair<std::int32_t, std::int32_t>>{{0, 3}, {1, 0}, {2, 1}, {3, 2}}));
}

// 12 endpoints, groups of 3, stride 2: blocks of 6; group 0 of block 0 is 0, 2, 4; group 1 is
// 1, 3, 5; block 1 the same from 6 on.
TEST(Patterns, AllToAllGroupsTileTheEndpoints) {
  const auto workload = make_group_all_to_all(input_of(12), 3, 2);
  const auto pairs = pairs_of(*workload);
  ASSERT_EQ(pairs.size(), 24U);
  const std::set<std::pair<std::int32_t, std::int32_t>> distinct(pairs.begin(), pairs.end());
  EXPECT_EQ(distinct.size(), 24U);
  for (const auto& [source, target] : pairs) {
    EXPECT_NE(source, target);
    EXPECT_EQ(source / 6, target / 6);
    EXPECT_EQ(source % 2, target % 2);
  }
  // Endpoint 9 is member 1 of group 1 of block 1 (7, 9, 11): first to 11, then to 7.
  EXPECT_EQ(pairs[18], (std::pair<std::int32_t, std::int32_t>{9, 11}));
  EXPECT_EQ(pairs[19], (std::pair<std::int32_t, std::int32_t>{9, 7}));
}

// 8,192 endpoints in 128 groups of 64: member m of group g is endpoint g + 128 m; 516,096 flows.
TEST(Patterns, AllToAllOf8192) {
  const auto workload = make_group_all_to_all(input_of(8192, 1e6), 64, 128);
  ASSERT_EQ(workload->flow_count(), 516096);
  const FlowSpec flow = workload->flow(FlowId{5 * 63 + 2});
  EXPECT_EQ(flow.source, NodeId{5});
  EXPECT_EQ(flow.target, NodeId{5 + 3 * 128});
  EXPECT_DOUBLE_EQ(workload->size().payload_bytes, 516096e6);
}

TEST(Patterns, MessagesCarryStartAndClass) {
  PatternInput input = input_of(4, 77);
  input.start_ns = 12;
  input.traffic_class = 2;
  const auto workload = make_shift(input, 1);
  std::vector<MessageSpec> messages;
  workload->messages(FlowId{3}, messages);
  ASSERT_EQ(messages.size(), 1U);
  EXPECT_DOUBLE_EQ(messages[0].bytes, 77);
  EXPECT_DOUBLE_EQ(messages[0].start_ns, 12);
  EXPECT_EQ(workload->flow(FlowId{3}).traffic_class, 2);
}

UniformInput uniform_of(std::int32_t endpoints, double mean_gap_ns, double duration_ns) {
  UniformInput uniform;
  uniform.duration_ns = duration_ns;
  uniform.mean_gap_ns.assign(static_cast<std::size_t>(endpoints), mean_gap_ns);
  return uniform;
}

// Poisson: 200 endpoints, mean gap 100 ns, 10 us: 20,000 messages, standard deviation 141.
TEST(Patterns, UniformHasTheOfferedNumberOfMessages) {
  const auto workload = make_uniform(input_of(200), uniform_of(200, 100, 10000));
  EXPECT_NEAR(static_cast<double>(workload->size().messages), 20000, 5 * 141);
  std::int64_t messages = 0;
  std::vector<MessageSpec> list;
  for (std::int64_t f = 0; f < workload->flow_count(); ++f) {
    workload->messages(FlowId{f}, list);
    ASSERT_FALSE(list.empty());
    for (std::size_t i = 0; i < list.size(); ++i) {
      EXPECT_GE(list[i].start_ns, i > 0 ? list[i - 1].start_ns : 0);
      EXPECT_LT(list[i].start_ns, 10000);
    }
    messages += static_cast<std::int64_t>(list.size());
  }
  EXPECT_EQ(messages, workload->size().messages);
  EXPECT_EQ(static_cast<const Workload&>(*workload).Workload::size().messages, messages);
}

TEST(Patterns, UniformPairsAreDistinctAndNotWithItself) {
  const auto workload = make_uniform(input_of(50), uniform_of(50, 100, 5000));
  const auto pairs = pairs_of(*workload);
  const std::set<std::pair<std::int32_t, std::int32_t>> distinct(pairs.begin(), pairs.end());
  EXPECT_EQ(distinct.size(), pairs.size());
  for (const auto& [source, target] : pairs) EXPECT_NE(source, target);
}

// Each of 20 endpoints draws from 19 others: 20,000 messages, 1,000 received by each on average,
// standard deviation 32.
TEST(Patterns, UniformTargetsAreUniform) {
  const auto workload = make_uniform(input_of(20), uniform_of(20, 10, 10000));
  std::vector<std::int64_t> received(20, 0);
  std::vector<MessageSpec> list;
  for (std::int64_t f = 0; f < workload->flow_count(); ++f) {
    workload->messages(FlowId{f}, list);
    received.at(static_cast<std::size_t>(workload->flow(FlowId{f}).target.value)) +=
        static_cast<std::int64_t>(list.size());
  }
  for (const std::int64_t r : received) EXPECT_NEAR(static_cast<double>(r), 1000, 5 * 32);
}

TEST(Patterns, UniformPeersLimitThePairs) {
  UniformInput uniform = uniform_of(100, 10, 10000);
  uniform.peers = 4;
  const auto workload = make_uniform(input_of(100), uniform);
  EXPECT_EQ(workload->flow_count(), 400);  // 250 messages on each pair: none stays empty
  std::map<std::int32_t, std::set<std::int32_t>> peers;
  std::set<std::int32_t> all;
  for (const auto& [source, target] : pairs_of(*workload)) {
    EXPECT_NE(source, target);
    peers[source].insert(target);
    all.insert(target);
  }
  for (const auto& [source, targets] : peers) EXPECT_EQ(targets.size(), 4U);
  EXPECT_GT(all.size(), 90U);  // 100 (1 - e^-4) = 98 are somebody's peer
}

TEST(Patterns, UniformGivesTheSameInAnyOrderOfAsking) {
  const auto one = make_uniform(input_of(30), uniform_of(30, 50, 2000));
  const auto two = make_uniform(input_of(30), uniform_of(30, 50, 2000));
  ASSERT_EQ(one->flow_count(), two->flow_count());
  std::vector<MessageSpec> a;
  std::vector<MessageSpec> b;
  for (std::int64_t f = 0; f < one->flow_count(); ++f) {
    const FlowId id{(f * 17) % one->flow_count()};
    one->messages(id, a);
    two->messages(FlowId{0}, b);
    two->messages(id, b);
    EXPECT_EQ(one->flow(id).target, two->flow(id).target);
    ASSERT_EQ(a.size(), b.size());
    for (std::size_t i = 0; i < a.size(); ++i) EXPECT_EQ(a[i].start_ns, b[i].start_ns);
  }
}

TEST(Patterns, UniformRefusesToSendNothing) {
  EXPECT_THROW(make_uniform(input_of(4), uniform_of(4, 1e12, 1)), InputError);
}

}  // namespace
}  // namespace tailrace
