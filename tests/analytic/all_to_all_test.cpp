// SPDX-License-Identifier: Apache-2.0
// Tests collectives without forwarding: all-to-all and send-receive.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include "tests/run_deck.hpp"

namespace tailrace {
namespace {

using testing_support::run_deck;

constexpr double bytes_per_ns = 25.0 * 4096 / 4160;

CollectiveResult collective(const std::string& operation, const std::string& topology,
                            const std::string& switches, const std::string& bytes) {
  const RunSummary summary = run_deck(fmt::format(R"(
fabric:
  topology: {{kind: fat_tree, {}}}
  link: {{capacity: 200 Gbps, latency: 600 ns}}
  switch: {{{}}}
  routing: {{kind: dmodk}}
workload: {{kind: collective, operation: {}, bytes: {}}}
run: {{time_limit: 1 s}}
output: {{interval: none}}
)",
                                                  topology, switches, operation, bytes));
  EXPECT_EQ(summary.collectives.size(), 1U);
  return summary.collectives.at(0);
}

const std::string credits = "flow_control: credit, buffer: 128 KiB";
const std::string pauses =
    "flow_control: pfc, shared_buffer: 64 MB, pfc: {xoff: 200 kB, xon: 150 kB}";

// Every rank sends S/n to each of n-1 others, all at once; the ports are full from the first byte
// to the last: (n-1)/n S/B + latency, within 1 %.
TEST(AllToAll, FillsThePortsOfOneSwitch) {
  for (const std::string& switches : {credits, pauses}) {
    for (const int n : {2, 4, 16}) {
      const auto result =
          collective("all_to_all", fmt::format("tiers: 1, radix: 16, endpoints: {}", n), switches,
                     fmt::format("{} KiB", 512 * n));
      const double expected = (n - 1) * 524288 / bytes_per_ns + 1200;
      EXPECT_NEAR(result.finish_ns, expected, 0.01 * expected) << n << ' ' << switches;
    }
  }
}

// The same on two tiers without oversubscription: d-mod-k gives each target its own spine, so all
// uplinks carry alike. Latency 4 * 600 ns.
TEST(AllToAll, FillsAFatTree) {
  const auto result =
      collective("all_to_all", "tiers: 2, radix: 8, endpoints: 32", credits, "8 MiB");
  const double expected = 31 * 262144 / bytes_per_ns + 2400;
  EXPECT_NEAR(result.finish_ns, expected, 0.01 * expected);
  // busbw is nccl-tests' (n-1)/n S/t: B, but for the latency.
  EXPECT_NEAR(result.busbw_GBps, bytes_per_ns, 0.01 * bytes_per_ns);
}

// Send-receive: S/B + latency around one switch, whatever n.
TEST(SendReceive, TakesTheTimeOfOneMessage) {
  for (const int n : {2, 5, 16}) {
    const auto result = collective(
        "send_recv", fmt::format("tiers: 1, radix: 16, endpoints: {}", n), credits, "4 MiB");
    const double expected = 4194304 / bytes_per_ns + 1200;
    EXPECT_NEAR(result.finish_ns, expected, 1e-6 * expected) << n;
  }
}

}  // namespace
}  // namespace tailrace
