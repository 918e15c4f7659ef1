// SPDX-License-Identifier: Apache-2.0
// Tests InfiniBand's credits: usable bytes of a buffer, and what may still be sent.
#include "models/credit.hpp"

#include <gtest/gtest.h>

namespace tailrace {
namespace {

// 4160 B are 65 blocks of 64 B exactly: all of the buffer can be used.
TEST(Credit, PacketsOfWholeBlocksUseAll) {
  EXPECT_DOUBLE_EQ(credit_buffer_wire_bytes(65536, 4160), 65536);
}

// 1054 B take 17 blocks = 1088 B: 1024 blocks hold 65,536 * 1054 / 1088 B.
TEST(Credit, PartBlocksAreLost) {
  EXPECT_DOUBLE_EQ(credit_buffer_wire_bytes(65536, 1054), 65536.0 * 1054 / 1088);
}

// 64 B packets: one block; 65 B: two, so almost half is lost.
TEST(Credit, OneByteMoreThanABlock) {
  EXPECT_DOUBLE_EQ(credit_buffer_wire_bytes(6400, 64), 6400);
  EXPECT_DOUBLE_EQ(credit_buffer_wire_bytes(6400, 65), 6400.0 * 65 / 128);
}

TEST(Credit, BufferCountsInWholeBlocks) {
  EXPECT_DOUBLE_EQ(credit_buffer_wire_bytes(65536 + 63, 4160), 65536);
  EXPECT_DOUBLE_EQ(credit_buffer_wire_bytes(63, 64), 0);
}

// 12-bit credit limits over 64-byte blocks: 2048 blocks = 128 KiB.
TEST(Credit, AtMost128KiBAreAdvertised) {
  EXPECT_DOUBLE_EQ(credit_buffer_wire_bytes(131072, 4160), 131072);
  EXPECT_DOUBLE_EQ(credit_buffer_wire_bytes(1e9, 4160), 131072);
}

// S(n+1) <= R + B.
TEST(Credit, BudgetIsBufferLessWhatIsOut) {
  EXPECT_DOUBLE_EQ(credit_budget(0, 0, 1000), 1000);
  EXPECT_DOUBLE_EQ(credit_budget(5000, 4600, 1000), 600);
  EXPECT_DOUBLE_EQ(credit_budget(5000, 4000, 1000), 0);
}

TEST(Credit, BudgetIsNeverNegative) { EXPECT_DOUBLE_EQ(credit_budget(5000, 3999, 1000), 0); }

}  // namespace
}  // namespace tailrace
