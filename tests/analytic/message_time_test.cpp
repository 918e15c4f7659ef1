// SPDX-License-Identifier: Apache-2.0
// Tests that a message alone takes its wire time plus the latencies, whatever the step does.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cmath>

#include "tests/run_deck.hpp"

namespace tailrace {
namespace {

using testing_support::RecordedRun;

/// A, T, U, V, B in a row, each link with its own latency; 400G.
std::string chain(const std::string& flow) {
  return fmt::format(R"(
fabric:
  topology:
    kind: graph
    endpoints: [A, B]
    switches: [T, U, V]
    links:
      - {{between: [A, T], latency: 300 ns}}
      - {{between: [T, U], latency: 2.1 us}}
      - {{between: [U, V], latency: 1.5 us}}
      - {{between: [V, B], latency: 600 ns}}
  link: {{capacity: 400 Gbps, latency: 300 ns}}
  switch: {{flow_control: pfc, shared_buffer: 64 MB, pfc: {{xoff: 2 MB, xon: 1 MB}}}}
endpoint: {{header: 0 B}}
workload:
  kind: flows
  flows: [{{from: A, to: B, {}}}]
run: {{time_limit: 10 ms}}
output: {{interval: none}}
)",
                     flow);
}

// 1 MB / 50 B/ns + 0.3 + 2.1 + 1.5 + 0.6 us = 24.5 us: long links are delay lines of 7, 5 and 2
// steps of 300 ns.
TEST(MessageTime, IsWireTimePlusTheSumOfLatencies) {
  const RecordedRun run(chain("bytes: 1 MB"));
  EXPECT_DOUBLE_EQ(run.summary.dt_ns, 300);
  EXPECT_NEAR(run.finish_ns.at(0), 24500, 1e-3);
}

// The same with steps of a third, and of a length that divides all latencies but differently.
TEST(MessageTime, DoesNotDependOnTheTimeStep) {
  for (const std::string dt : {"300 ns", "150 ns", "100 ns", "60 ns", "20 ns"}) {
    const RecordedRun run(chain("bytes: 1 MB"), {"run.dt=" + dt});
    EXPECT_NEAR(run.finish_ns.at(0), 24500, 1e-3) << dt;
  }
}

// With credits the loop of the longest link, 4.2 us * 50 B/ns = 210 kB, exceeds 128 KiB: it carries
// 131,072 B / 4.2 us = 31.2 B/ns. At a tenth of the rate all loops fit and the time is exact again.
TEST(MessageTime, WithCreditsThatSuffice) {
  const RecordedRun run(
      chain("bytes: 1 MB"),
      {"fabric.switch={flow_control: credit, buffer: 128 KiB}", "fabric.link.capacity=40 Gbps"});
  EXPECT_NEAR(run.finish_ns.at(0), 1e6 / 5 + 4500, 1e-3);
}

// Starts at any place within a step of 300 ns: 60 messages of 100 kB (2 us), one every 10.037 us,
// so the place moves by 137 ns from one to the next. Each takes 2 us + 4.5 us.
TEST(MessageTime, DoesNotDependOnWhereInAStepItStarts) {
  const RecordedRun run(chain("bytes: 100 kB, repeat: 60, period: 10.037 us, start: 41 ns"));
  ASSERT_EQ(run.finish_ns.size(), 60U);
  for (std::size_t m = 0; m < run.finish_ns.size(); ++m) {
    EXPECT_NEAR(run.finish_ns[m] - run.start_ns[m], 6500, 1e-3) << run.start_ns[m];
  }
}

// Messages shorter than a step (15,000 B), down to one byte: bytes / 50 B/ns + 4.5 us.
TEST(MessageTime, OfMessagesShorterThanAStep) {
  for (const int bytes : {1, 64, 1000, 4096, 12000, 15000, 20000, 29000}) {
    const RecordedRun run(
        chain(fmt::format("bytes: {} B, repeat: 40, period: 10.037 us, start: 41 ns", bytes)));
    ASSERT_EQ(run.finish_ns.size(), 40U);
    for (std::size_t m = 0; m < run.finish_ns.size(); ++m) {
      EXPECT_NEAR(run.finish_ns[m] - run.start_ns[m], bytes / 50.0 + 4500, 1e-3)
          << bytes << " B at " << run.start_ns[m];
    }
  }
}

// Messages that follow one another without a gap end one wire time apart.
TEST(MessageTime, OfMessagesInARow) {
  const RecordedRun run(chain("bytes: 7000 B, repeat: 50, period: 1 ns"));
  ASSERT_EQ(run.finish_ns.size(), 50U);
  for (std::size_t m = 0; m < run.finish_ns.size(); ++m) {
    EXPECT_NEAR(run.finish_ns[m], 140.0 * static_cast<double>(m + 1) + 4500, 1e-3) << m;
  }
}

// The narrowest link decides: T-U at 100G carries 12.5 B/ns: 80 us + 4.5 us.
TEST(MessageTime, IsThatOfTheNarrowestLink) {
  const RecordedRun run(chain("bytes: 1 MB, start: 77 ns"),
                        {"fabric.topology.links[1].capacity=100 Gbps"});
  EXPECT_NEAR(run.finish_ns.at(0) - 77, 84500, 1e-3);
}

}  // namespace
}  // namespace tailrace
