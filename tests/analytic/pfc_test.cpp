// SPDX-License-Identifier: Apache-2.0
// Tests pauses: shares by ingress port, victims, the limit cycle, and headroom.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "tests/run_deck.hpp"

namespace tailrace {
namespace {

using testing_support::input_deck;
using testing_support::RecordedRun;
using testing_support::run_deck;

/// Mean rate of a flow from 1 to 5 ms: all flows of 40 MB still send (at 20 Gb/s until 16 ms).
double settled_gbps(const RecordedRun& run, std::size_t flow) {
  return run.mean(run.flow_rate_gbps(flow), 1e6, 5e6);
}

const std::vector<std::string> five_ms = {"run.time_limit=5 ms", "output.interval=100 us"};

// --- Shares ------------------------------------------------------------------------------------

// A congested output is shared equally among its busy ingress ports, whatever is behind each:
// T4 has two, so H4 gets 40 / 2 = 20 Gb/s and H1, H2, H3 share the other 20: 6.67 each. The
// ingresses' shares come about by equal thresholds (PFC) or by turns (credits).
// Source: Zhu et al., "Congestion control for large-scale RDMA deployments", SIGCOMM 2015,
// figure 3.
TEST(Shares, ParkingLotByPorts) {
  for (const std::string control : {"pfc", "credit"}) {
    const RecordedRun run(input_deck("flow_control/parking_lot_" + control + ".yaml", five_ms));
    for (const std::size_t flow : {0U, 1U, 2U}) {
      EXPECT_NEAR(settled_gbps(run, flow), 20.0 / 3, 0.02 * 20 / 3) << control << ' ' << flow;
    }
    EXPECT_NEAR(settled_gbps(run, 3), 20, 0.02 * 20) << control;
  }
}

// Two uplinks: H1, H2 come to T4 by one port, H3 by another, H4 by its own: 40 / 3 Gb/s per port.
TEST(Shares, ParkingLotWithTwoUplinks) {
  const std::string deck = R"(
fabric:
  topology:
    kind: graph
    endpoints: [H1, H2, H3, H4, R]
    switches: [T1, L1, L2, T4]
    links: [[H1, T1], [H2, T1], [H3, T1], [T1, L1], [T1, L2], [L1, T4], [L2, T4], [H4, T4], [T4, R]]
  link: {capacity: 40 Gbps, latency: 1 us}
  switch: {flow_control: pfc, shared_buffer: 12 MB, pfc: {xoff: 24470 B, xon: 21470 B}}
workload:
  kind: flows
  flows:
    - {from: H1, to: R, bytes: 40 MB, via: [L1]}
    - {from: H2, to: R, bytes: 40 MB, via: [L1]}
    - {from: H3, to: R, bytes: 40 MB, via: [L2]}
    - {from: H4, to: R, bytes: 40 MB}
run: {time_limit: 5 ms}
output: {interval: 100 us, flows: all}
)";
  const RecordedRun run(deck);
  EXPECT_NEAR(settled_gbps(run, 0), 40.0 / 6, 0.02 * 40 / 6);
  EXPECT_NEAR(settled_gbps(run, 1), 40.0 / 6, 0.02 * 40 / 6);
  EXPECT_NEAR(settled_gbps(run, 2), 40.0 / 3, 0.02 * 40 / 3);
  EXPECT_NEAR(settled_gbps(run, 3), 40.0 / 3, 0.02 * 40 / 3);
}

// The victim (figure 4 of the same paper): T4 slows its two ports to 20 Gb/s each, so L1 lets T1
// send 20, and H11, H12, VS share T1's uplink by ports. With v for VS and h for H11, H12 each:
// v = h = 20 / 2 (L1 holds T1 back until H11 and H12 together bring 20): 10 Gb/s, within 5 %.
TEST(Shares, VictimOfACongestionElsewhere) {
  const RecordedRun run(input_deck("flow_control/victim_pfc.yaml", five_ms));
  EXPECT_NEAR(settled_gbps(run, 4), 10, 0.05 * 10);
  for (const std::size_t flow : {0U, 1U, 2U, 3U}) {
    EXPECT_NEAR(settled_gbps(run, flow), 10, 0.05 * 10) << flow;
  }
}

// Two more senders to R under T3, one by L3 and one by L4: each of these now has two busy ports for
// the 20 Gb/s that T4 leaves it, so T1 may bring 10 by each uplink, and VS gets 5 like H11 and H12.
TEST(Shares, VictimSuffersFromSendersThatItNeverMeets) {
  const std::string links =
      "fabric.topology.links=[[H11,T1],[H12,T1],[H13,T1],[H14,T1],[VS,T1],[VR,T2],[R,T4],[T1,L1],"
      "[T1,L2],[T2,L1],[L1,S1],[L2,S2],[S1,L3],[S2,L4],[L3,T4],[L4,T4],[H31,T3],[H32,T3],[T3,L3],"
      "[T3,L4]]";
  const std::string flows =
      "workload.flows=[{from: H11, to: R, bytes: 40 MB, via: [L1]},"
      "{from: H12, to: R, bytes: 40 MB, via: [L1]},{from: H13, to: R, bytes: 40 MB, via: [L2]},"
      "{from: H14, to: R, bytes: 40 MB, via: [L2]},{from: VS, to: VR, bytes: 40 MB, via: [L1]},"
      "{from: H31, to: R, bytes: 40 MB, via: [L3]},{from: H32, to: R, bytes: 40 MB, via: [L4]}]";
  std::vector<std::string> sets = {"fabric.topology.endpoints=[H11,H12,H13,H14,VS,VR,R,H31,H32]",
                                   "fabric.topology.switches=[T1,T2,T3,T4,L1,L2,L3,L4,S1,S2]",
                                   links, flows};
  sets.insert(sets.end(), five_ms.begin(), five_ms.end());
  const RecordedRun run(input_deck("flow_control/victim_pfc.yaml", sets));
  EXPECT_NEAR(settled_gbps(run, 4), 5, 0.05 * 5);
  EXPECT_NEAR(settled_gbps(run, 5), 10, 0.05 * 10);
}

// --- The limit cycle ---------------------------------------------------------------------------

/// A fills T at 5 B/ns while it may, T drains at 2.5 B/ns: XOFF 24,470 B, XON 21,470 B, as at T4 of
/// the parking lot. `A->T` is the lane that is paused.
const std::string cycle_deck = R"(
fabric:
  topology:
    kind: graph
    endpoints: [A, B]
    switches: [T]
    links: [[A, T], {between: [T, B], capacity: 20 Gbps}]
  link: {capacity: 40 Gbps, latency: 1 us}
  switch: {flow_control: pfc, shared_buffer: 12 MB, pfc: {xoff: 24470 B, xon: 21470 B}}
workload:
  kind: flows
  flows: [{from: A, to: B, bytes: 40 MB}]
run: {time_limit: 2 ms}
output: {interval: none, lanes: {list: [A->T]}}
)";

/// What the closed form of the cycle says.
struct Cycle {
  double fill, drain, hysteresis, xoff, xon, loop_ns;
  double period_ns() const {
    return fill * (hysteresis + loop_ns * fill) / (drain * (fill - drain));
  }
  double open_frac() const { return drain / fill; }
  double top() const { return xoff + (fill - drain) * loop_ns; }
  double bottom() const { return xon - drain * loop_ns; }
};

/// Times at which the occupancy rises through `level`.
std::vector<double> rises_through(const RecordedRun& run, const std::vector<double>& occupancy,
                                  double level) {
  std::vector<double> times;
  for (std::size_t i = 1; i < occupancy.size(); ++i) {
    const double before = occupancy[i - 1], after = occupancy[i];
    if (before < level && after >= level) {
      times.push_back(run.time_ns[i] -
                      (after - level) / (after - before) * (run.time_ns[i] - run.time_ns[i - 1]));
    }
  }
  return times;
}

/// Compares a run, sampled at every step, with the cycle after it has settled.
void expect_cycle(const RecordedRun& run, const Cycle& cycle) {
  auto occupancy = run.lane("occupancy_max_bytes", "A", "T");
  const auto rises = rises_through(run, occupancy, 0.5 * (cycle.xoff + cycle.xon));
  ASSERT_GE(rises.size(), 6U);
  const double periods = static_cast<double>(rises.size() - 2);
  const double period = (rises.back() - rises[1]) / periods;
  EXPECT_NEAR(period, cycle.period_ns(), 0.03 * cycle.period_ns());
  const auto rate = run.lane("throughput_gbps", "A", "T");
  EXPECT_NEAR(run.mean(rate, rises[1], rises.back()) / 8 / cycle.fill, cycle.open_frac(),
              0.03 * cycle.open_frac());
  const auto settled = std::lower_bound(run.time_ns.begin(), run.time_ns.end(), rises[1]);
  const auto from = occupancy.begin() + (settled - run.time_ns.begin());
  EXPECT_NEAR(*std::max_element(from, occupancy.end()), cycle.top(), 0.03 * cycle.top());
  EXPECT_NEAR(*std::min_element(from, occupancy.end()), cycle.bottom(), 0.03 * cycle.bottom());
}

// An ingress filled at Ca while open and drained at s < Ca, H = XOFF - XON, D = 2 latency +
// response:
//   period T = Ca (H + D Ca) / (s (Ca - s)), open share s / Ca,
//   occupancy from XON - s D to XOFF + (Ca - s) D.
// Ca = 5, s = 2.5 B/ns, H = 3,000 B, D = 2 us: T = 10.4 us, half open, 16,470 to 29,470 B.
TEST(PfcCycle, HasThePeriodShareAndSwingOfItsClosedForm) {
  const RecordedRun run(cycle_deck,
                        {"run.dt=100 ns", "output.interval=100 ns", "run.time_limit=70 us"});
  const Cycle cycle{5, 2.5, 3000, 24470, 21470, 2000};
  EXPECT_DOUBLE_EQ(cycle.period_ns(), 10400);
  EXPECT_DOUBLE_EQ(cycle.top(), 29470);
  EXPECT_DOUBLE_EQ(cycle.bottom(), 16470);
  expect_cycle(run, cycle);
}

// With a response time of 550 ns (D = 2.55 us, no multiple of the step) and s = 1.25 B/ns:
// T = 5 (3000 + 12,750) / (1.25 * 3.75) = 16.8 us, open 1/4, 18,282.5 to 34,032.5 B.
TEST(PfcCycle, CountsTheResponseTime) {
  const RecordedRun run(cycle_deck, {"run.dt=100 ns", "output.interval=100 ns",
                                     "run.time_limit=110 us", "fabric.switch.pfc.response=550 ns",
                                     "fabric.topology.links[1].capacity=10 Gbps"});
  const Cycle cycle{5, 1.25, 3000, 24470, 21470, 2550};
  EXPECT_DOUBLE_EQ(cycle.period_ns(), 16800);
  expect_cycle(run, cycle);
}

// At the time step that `auto` takes (1 us, a tenth of the period) the counts of the summary still
// tell the cycle: pauses per time 1 / T, and the paused share 1 - s / Ca of the one lane of four
// (A->T, B->T up; two carry nothing) that is ever paused.
TEST(PfcCycle, SummaryCountsPausesAtTheDefaultStep) {
  const RunSummary summary = run_deck(cycle_deck);
  EXPECT_DOUBLE_EQ(summary.dt_ns, 1000);
  std::int64_t pauses = 0;
  double occupancy = 0;
  for (const TierResult& tier : summary.tiers) {
    pauses += tier.pauses;
    occupancy = std::max(occupancy, tier.occupancy_peak_bytes);
  }
  EXPECT_NEAR(summary.simulated_ns / static_cast<double>(pauses), 10400, 0.03 * 10400);
  EXPECT_NEAR(occupancy, 29470, 0.03 * 29470);
  EXPECT_EQ(summary.tiers.at(0).name, "endpoint-tier1");
  EXPECT_EQ(summary.tiers.at(0).links, 2);
  EXPECT_NEAR(summary.tiers.at(0).paused_mean_frac * 2, 0.5, 0.03 * 0.5);
}

// --- Headroom ----------------------------------------------------------------------------------

/// Eight senders of 40G into 40G, cables of `latency`, pauses obeyed after `response`.
std::string incast(const std::string& latency, const std::string& response) {
  return fmt::format(R"(
fabric:
  topology:
    kind: graph
    endpoints: {{S: 8, R: 1}}
    switches: [T]
    links: [[S, T], [T, R]]
  link: {{capacity: 40 Gbps, latency: {}}}
  switch:
    flow_control: pfc
    shared_buffer: 12 MB
    pfc: {{xoff: 24470 B, xon: 21470 B, response: {}}}
workload:
  kind: flows
  flows: [{{from: S, to: R, bytes: 1 MB}}]
run: {{time_limit: 10 ms}}
output: {{interval: none}}
)",
                     latency, response);
}

// Headroom = C (2 latency + response) + 2 packets covers what arrives until a pause takes hold,
// even from an ingress that does not drain at all meanwhile: nothing is lost, and all arrives.
TEST(Headroom, AsComputedLosesNothing) {
  for (const auto& [latency, response] :
       {std::pair{"1 us", "0 ns"}, {"1 us", "1.3 us"}, {"5 us", "0 ns"}, {"300 ns", "5 us"}}) {
    const RunSummary summary = run_deck(incast(latency, response));
    EXPECT_EQ(summary.dropped_bytes, 0) << latency << ' ' << response;
    EXPECT_EQ(summary.completion.unfinished, 0) << latency << ' ' << response;
    double pauses = 0;
    for (const TierResult& tier : summary.tiers) pauses += static_cast<double>(tier.pauses);
    EXPECT_GT(pauses, 8) << "each ingress must have been paused";
  }
}

// Given less headroom h than what arrives above XOFF, (Ca - s) D per pause, the rest is lost and
// counted. Cycle deck: 2.5 B/ns * 2 us = 5,000 B per pause.
TEST(Headroom, GivenTooSmallCountsTheLoss) {
  for (const int headroom : {0, 2000, 4000}) {
    const RunSummary summary =
        run_deck(cycle_deck, {"run.dt=100 ns", "run.time_limit=500 us",
                              fmt::format("fabric.switch.pfc.headroom={} B", headroom)});
    const double pauses = static_cast<double>(summary.tiers.at(0).pauses);
    ASSERT_GT(pauses, 10);
    EXPECT_NEAR(summary.dropped_bytes / pauses, 5000 - headroom, 0.05 * 5000) << headroom;
    const bool warned = std::any_of(
        summary.warnings.begin(), summary.warnings.end(),
        [](const std::string& text) { return text.find("headroom") != std::string::npos; });
    EXPECT_TRUE(warned) << headroom;
  }
  const RunSummary enough = run_deck(
      cycle_deck, {"run.dt=100 ns", "run.time_limit=500 us", "fabric.switch.pfc.headroom=5001 B"});
  EXPECT_EQ(enough.dropped_bytes, 0);
}

}  // namespace
}  // namespace tailrace
