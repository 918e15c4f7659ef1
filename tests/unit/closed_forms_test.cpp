// SPDX-License-Identifier: Apache-2.0
// Tests the closed forms of collectives and nccl-tests' factors against numbers worked by hand.
#include "models/collectives/closed_forms.hpp"

#include <gtest/gtest.h>

namespace tailrace {
namespace {

// The 10,000-GPU all-reduce: S = 2^30 B, B = 25 B/ns * 4096/4160 = 24.6154 B/ns, one hop 1.2 us or
// more: S/(n B) = 4362 ns > L, so 2 (n-1) S/(n B) = 19998 * 4362.07 ns = 87.233 ms.
TEST(ClosedForms, RingAllReduceBoundByBandwidth) {
  const double rate = 25.0 * 4096 / 4160;
  EXPECT_NEAR(ring_all_reduce_ns(1073741824.0, 10000, rate, 1200, 3600), 87.2326e6 + 3600, 1e3);
}

// n = 4, S = 4000 B, B = 10 B/ns: shares take 100 ns. With L = 1000 ns the six steps begin 1000 ns
// apart; the last leaves in 100 ns and arrives 700 ns later: 5 * 1000 + 100 + 700.
TEST(ClosedForms, RingAllReduceBoundByLatency) {
  EXPECT_DOUBLE_EQ(ring_all_reduce_ns(4000, 4, 10, 1000, 700), 5800);
}

// Both bounds meet where L = S/(n B): 6 * 100 + 50.
TEST(ClosedForms, RingBoundsMeet) {
  EXPECT_DOUBLE_EQ(ring_all_reduce_ns(4000, 4, 10, 100, 50), 650);
  EXPECT_DOUBLE_EQ(ring_all_reduce_ns(4000, 4, 10, 0, 50), 650);
}

// n-1 = 3 steps of 100 ns and 50 ns.
TEST(ClosedForms, RingAllGather) { EXPECT_DOUBLE_EQ(ring_all_gather_ns(4000, 4, 10, 0, 50), 350); }

// (n-1)/n S/B = 3/4 * 4000 / 10 = 300 ns, and 50.
TEST(ClosedForms, AllToAll) { EXPECT_DOUBLE_EQ(all_to_all_ns(4000, 4, 10, 50), 350); }

TEST(ClosedForms, SendRecv) { EXPECT_DOUBLE_EQ(send_recv_ns(4000, 10, 50), 450); }

// nccl-tests doc/PERFORMANCE.md, 8 ranks: 14/8, 7/8, 1.
TEST(ClosedForms, BusBandwidthFactors) {
  EXPECT_DOUBLE_EQ(busbw_factor("all_reduce", 8), 1.75);
  EXPECT_DOUBLE_EQ(busbw_factor("all_gather", 8), 0.875);
  EXPECT_DOUBLE_EQ(busbw_factor("reduce_scatter", 8), 0.875);
  EXPECT_DOUBLE_EQ(busbw_factor("all_to_all", 8), 0.875);
  EXPECT_DOUBLE_EQ(busbw_factor("broadcast", 8), 1);
  EXPECT_DOUBLE_EQ(busbw_factor("reduce", 8), 1);
  EXPECT_DOUBLE_EQ(busbw_factor("send_recv", 8), 1);
  EXPECT_THROW(busbw_factor("scan", 8), TailraceError);
}

// 1e9 B in 50 ms: 20 GB/s; busbw of an all-reduce over 8: 35 GB/s.
TEST(ClosedForms, Bandwidths) {
  EXPECT_DOUBLE_EQ(algbw_gb_per_s(1e9, 50e6), 20);
  EXPECT_DOUBLE_EQ(busbw_gb_per_s("all_reduce", 8, 1e9, 50e6), 35);
}

}  // namespace
}  // namespace tailrace
