// SPDX-License-Identifier: Apache-2.0
// Tests bytes on the wire and ideal message times.
#include "models/wire.hpp"

#include <gtest/gtest.h>

namespace tailrace {
namespace {

// wire = payload + ceil(payload / mtu) * header, mtu 4096 B, header 64 B.
TEST(Wire, MessageBelowOnePacketHasOneHeader) {
  EXPECT_DOUBLE_EQ(wire_bytes(1, 4096, 64), 65);
  EXPECT_DOUBLE_EQ(wire_bytes(4095, 4096, 64), 4095 + 64);
}

TEST(Wire, ExactlyOnePacketHasOneHeader) { EXPECT_DOUBLE_EQ(wire_bytes(4096, 4096, 64), 4160); }

TEST(Wire, OneByteMoreIsASecondPacket) {
  EXPECT_DOUBLE_EQ(wire_bytes(4097, 4096, 64), 4097 + 2 * 64);
}

TEST(Wire, LargeMessageApproachesTheRatioOfFullPackets) {
  // 1 GiB = 262,144 packets of 4096 B exactly: 262144 * 4160 B.
  EXPECT_DOUBLE_EQ(wire_bytes(1073741824.0, 4096, 64), 262144.0 * 4160.0);
}

TEST(Wire, WithoutHeaderTheWireCarriesThePayload) {
  EXPECT_DOUBLE_EQ(wire_bytes(12345, 1000, 0), 12345);
}

TEST(Wire, IdealTimeIsSerialisationPlusLatency) {
  // 10 MB at 400 Gbps = 50 B/ns: 2442 packets (10e6 / 4096 = 2441.4), so
  // (10,000,000 + 2442 * 64) / 50 = 203,125.76 ns; 6 hops of 1 us: 209,125.76 ns.
  EXPECT_NEAR(ideal_message_ns(1e7, 4096, 64, 50, 6000), 209125.76, 1e-6);
}

}  // namespace
}  // namespace tailrace
