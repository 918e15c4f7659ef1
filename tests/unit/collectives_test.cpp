// SPDX-License-Identifier: Apache-2.0
// Tests the flows of the collectives: totals, head starts, pipelines, and what is refused.
#include <gtest/gtest.h>

#include <cmath>
#include <cstdint>
#include <set>
#include <string>
#include <vector>

#include "models/collectives/collective.hpp"
#include "solver/base/errors.hpp"

namespace tailrace {
namespace {

CollectiveInput input_of(std::int32_t ranks, std::int64_t bytes) {
  CollectiveInput input;
  for (std::int32_t r = 0; r < ranks; ++r) input.ranks.push_back(NodeId{r});
  input.bytes = bytes;
  return input;
}

double payload(const Workload& workload, std::int64_t flow) {
  std::vector<MessageSpec> messages;
  workload.messages(FlowId{flow}, messages);
  EXPECT_EQ(messages.size(), 1U);
  return messages.at(0).bytes;
}

std::string refusal(const std::string& operation, const std::string& algorithm,
                    CollectiveInput input) {
  try {
    make_collective(operation, algorithm, std::move(input));
  } catch (const InputError& error) {
    return error.what();
  }
  return "";
}

TEST(Collectives, SharesAddUpAndDifferByOneByteAtMost) {
  for (const std::int64_t bytes : {1, 7, 8, 1000003}) {
    for (const std::int64_t ranks : {2, 3, 8, 64}) {
      std::int64_t sum = 0;
      for (std::int64_t j = 0; j < ranks; ++j) {
        const std::int64_t share = share_bytes(bytes, ranks, j);
        EXPECT_GE(share, bytes / ranks);
        EXPECT_LE(share, bytes / ranks + 1);
        sum += share;
      }
      EXPECT_EQ(sum, bytes);
    }
  }
}

TEST(Collectives, SharesDoNotOverflow) {
  // 2^62 bytes over 3 ranks: 2^62 = 3 * 1537228672809129301 + 1, so the extra byte is in one share.
  const std::int64_t bytes = std::int64_t{1} << 62;
  EXPECT_EQ(share_bytes(bytes, 3, 0), 1537228672809129301);
  EXPECT_EQ(share_bytes(bytes, 3, 2), 1537228672809129302);
}

// Ring all-reduce: each of n flows carries 2 (n-1)/n S, starts with S/n, and forwards the flow
// before it. n = 4, S = 4000: 6000 B each, head start 1000 B.
TEST(Collectives, RingAllReduce) {
  const auto ring = make_collective("all_reduce", "ring", input_of(4, 4000));
  ASSERT_EQ(ring->flow_count(), 4);
  for (std::int32_t i = 0; i < 4; ++i) {
    const FlowSpec flow = ring->flow(FlowId{i});
    EXPECT_EQ(flow.source, NodeId{i});
    EXPECT_EQ(flow.target, NodeId{(i + 1) % 4});
    EXPECT_EQ(flow.upstream, FlowId{(i + 3) % 4});
    EXPECT_DOUBLE_EQ(flow.head_start_bytes, 1000);
    EXPECT_DOUBLE_EQ(payload(*ring, i), 6000);
  }
}

// Ring all-gather and reduce-scatter: (n-1)/n S each, head start S/n.
TEST(Collectives, RingAllGatherAndReduceScatter) {
  for (const char* operation : {"all_gather", "reduce_scatter"}) {
    const auto ring = make_collective(operation, "", input_of(5, 5000));
    ASSERT_EQ(ring->flow_count(), 5);
    for (std::int32_t i = 0; i < 5; ++i) {
      EXPECT_DOUBLE_EQ(payload(*ring, i), 4000);
      EXPECT_DOUBLE_EQ(ring->flow(FlowId{i}).head_start_bytes, 1000);
      EXPECT_EQ(ring->flow(FlowId{i}).upstream, FlowId{(i + 4) % 5});
    }
  }
}

// A ring moves whole bytes even when n does not divide S, and each flow can be completed with what
// it has and what comes in: payload(i) <= head start(i) + payload(i-1). All flows together carry
// 2 (n-1) S for all_reduce and (n-1) S for all_gather.
TEST(Collectives, RingOfAnySizeCanComplete) {
  for (const char* operation : {"all_reduce", "all_gather"}) {
    for (const std::int32_t n : {2, 3, 7, 64}) {
      for (const std::int64_t bytes : {1, 2, 64, 65, 1000003}) {
        const bool is_all_reduce = std::string(operation) == "all_reduce";
        if (!is_all_reduce && bytes < n) continue;
        const auto ring = make_collective(operation, "ring", input_of(n, bytes));
        double total = 0;
        double head_starts = 0;
        for (std::int32_t i = 0; i < n; ++i) {
          const double mine = payload(*ring, i);
          EXPECT_GE(mine, 1);
          EXPECT_EQ(mine, std::floor(mine));
          const double head_start = ring->flow(FlowId{i}).head_start_bytes;
          EXPECT_LE(mine, head_start + payload(*ring, (i + n - 1) % n));
          total += mine;
          head_starts += head_start;
        }
        EXPECT_DOUBLE_EQ(head_starts, static_cast<double>(bytes));
        EXPECT_DOUBLE_EQ(total, (is_all_reduce ? 2.0 : 1.0) * (n - 1) * static_cast<double>(bytes));
        EXPECT_DOUBLE_EQ(ring->size().payload_bytes, total);
      }
    }
  }
}

// All-to-all: n (n-1) flows of S/n, each ordered pair once, a source's flows rotated.
TEST(Collectives, AllToAll) {
  const auto workload = make_collective("all_to_all", "pairwise", input_of(4, 400));
  ASSERT_EQ(workload->flow_count(), 12);
  std::set<std::pair<NodeId, NodeId>> pairs;
  for (std::int64_t f = 0; f < 12; ++f) {
    const FlowSpec flow = workload->flow(FlowId{f});
    EXPECT_NE(flow.source, flow.target);
    EXPECT_FALSE(flow.upstream.valid());
    EXPECT_DOUBLE_EQ(payload(*workload, f), 100);
    pairs.insert({flow.source, flow.target});
  }
  EXPECT_EQ(pairs.size(), 12U);
  EXPECT_EQ(workload->flow(FlowId{6}).source, NodeId{2});
  EXPECT_EQ(workload->flow(FlowId{6}).target, NodeId{3});
  EXPECT_EQ(workload->flow(FlowId{7}).target, NodeId{0});
}

// Every rank receives what the others hold for it: share(t) from each of n-1 others, uneven too.
TEST(Collectives, AllToAllSharesGoByTarget) {
  const auto workload = make_collective("all_to_all", "", input_of(3, 10));  // shares 3, 3, 4
  double total = 0;
  for (std::int64_t f = 0; f < 6; ++f) {
    const std::int32_t target = workload->flow(FlowId{f}).target.value;
    EXPECT_DOUBLE_EQ(payload(*workload, f), target == 2 ? 4 : 3);
    total += payload(*workload, f);
  }
  EXPECT_DOUBLE_EQ(total, workload->size().payload_bytes);
}

TEST(Collectives, SendRecvIsAShiftWithoutPipeline) {
  const auto workload = make_collective("send_recv", "", input_of(3, 17));
  ASSERT_EQ(workload->flow_count(), 3);
  for (std::int32_t i = 0; i < 3; ++i) {
    const FlowSpec flow = workload->flow(FlowId{i});
    EXPECT_EQ(flow.target, NodeId{(i + 1) % 3});
    EXPECT_FALSE(flow.upstream.valid());
    EXPECT_DOUBLE_EQ(payload(*workload, i), 17);
  }
}

TEST(Collectives, RanksKeepTheirOrderAndStartAndClassAreTaken) {
  CollectiveInput input = input_of(0, 100);
  input.ranks = {NodeId{9}, NodeId{2}, NodeId{5}};
  input.start_ns = 500;
  input.traffic_class = 3;
  for (const char* operation :
       {"all_reduce", "all_gather", "reduce_scatter", "all_to_all", "send_recv"}) {
    const auto workload = make_collective(operation, "", input);
    EXPECT_EQ(workload->flow(FlowId{0}).source, NodeId{9});
    EXPECT_EQ(workload->flow(FlowId{0}).target, NodeId{2});
    EXPECT_EQ(workload->flow(FlowId{workload->flow_count() - 1}).source, NodeId{5});
    EXPECT_EQ(workload->flow(FlowId{0}).traffic_class, 3);
    std::vector<MessageSpec> messages;
    workload->messages(FlowId{1}, messages);
    EXPECT_DOUBLE_EQ(messages.at(0).start_ns, 500);
  }
}

TEST(Collectives, DescribesItself) {
  const std::vector<CollectiveSpec> all =
      make_collective("reduce_scatter", "", input_of(6, 600))->collectives();
  ASSERT_EQ(all.size(), 1U);
  EXPECT_EQ(all[0].name, "reduce_scatter");
  EXPECT_EQ(all[0].operation, "reduce_scatter");
  EXPECT_EQ(all[0].algorithm, "ring");
  EXPECT_DOUBLE_EQ(all[0].bytes, 600);
  EXPECT_EQ(all[0].ranks, 6);
  EXPECT_EQ(all[0].first_flow, 0);
  EXPECT_EQ(all[0].flow_count, 6);
}

TEST(Collectives, RefusesFewerThanTwoRanks) {
  EXPECT_NE(refusal("all_reduce", "ring", input_of(1, 100)).find("at least 2"), std::string::npos);
}

TEST(Collectives, RefusesRanksWithoutAByte) {
  EXPECT_NE(refusal("all_gather", "", input_of(8, 7)).find("at least 8 B"), std::string::npos);
  EXPECT_EQ(refusal("all_gather", "", input_of(8, 8)), "");
  EXPECT_NE(refusal("all_reduce", "", input_of(8, 0)).find("at least 1 B"), std::string::npos);
  EXPECT_EQ(refusal("all_reduce", "", input_of(8, 1)), "");
}

TEST(Collectives, RefusesAnAlgorithmThatTheOperationLacks) {
  EXPECT_NE(refusal("all_to_all", "ring", input_of(4, 100)).find("allowed: pairwise"),
            std::string::npos);
  EXPECT_NE(refusal("all_reduce", "pairwise", input_of(4, 100)).find("allowed: ring"),
            std::string::npos);
}

TEST(Collectives, RefusesAnUnknownOperation) {
  EXPECT_NE(refusal("scan", "", input_of(4, 100)).find("allowed: all_reduce"), std::string::npos);
}

// 10,000 ranks: 1e8 flows, none of them stored.
TEST(Collectives, LargeAllToAllIsComputed) {
  const auto workload = make_collective("all_to_all", "", input_of(10000, 1000000));
  EXPECT_EQ(workload->flow_count(), 99990000);
  EXPECT_EQ(workload->flow(FlowId{99989999}).source, NodeId{9999});
  EXPECT_EQ(workload->flow(FlowId{99989999}).target, NodeId{9998});
  EXPECT_DOUBLE_EQ(workload->size().payload_bytes, 9999e6);
}

}  // namespace
}  // namespace tailrace
