// SPDX-License-Identifier: Apache-2.0
// Tests that halving the time step halves the error of message times in a queue that comes and
// goes.
//
// Six senders of capacity C put messages into one lane of capacity C, at times that have nothing to
// do with the step. The exact time is that of the fluid queue: with the workload W(t) of the lane
// (dW/dt = arrivals - C while W > 0), a message whose last byte comes at e has left at e + W(e)/C.
// What the solver knows of a curve is its value at whole steps; a message's end lies within one,
// and the queue's order there is off by a part of dt: an error of first order, here taken as the
// mean over 240 messages.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "tests/run_deck.hpp"

namespace tailrace {
namespace {

using testing_support::RecordedRun;

constexpr double capacity = 50;  // B/ns
constexpr double latency_ns = 1000;
constexpr int senders = 6;
constexpr int messages_each = 40;

struct Stream {
  double bytes, start_ns, period_ns;
};

/// Messages of 1.5 to 3.3 us in periods of 14 to 17 us: together 86 % of the lane.
std::vector<Stream> streams() {
  std::vector<Stream> all;
  for (int s = 0; s < senders; ++s) {
    all.push_back({70001.0 + 18013 * s, 137.31 + 1203.77 * s, 13987.3 + 611.9 * s});
  }
  return all;
}

std::string deck(double dt_ns) {
  std::string text = fmt::format(R"(
fabric:
  topology:
    kind: graph
    endpoints: {{S: {}, R: 1}}
    switches: [T]
    links: [[S, T], [T, R]]
  link: {{capacity: 400 Gbps, latency: 1 us}}
  switch: {{flow_control: pfc, arbitration: fifo, shared_buffer: 64 MB, pfc: {{xoff: 2 MB, xon: 1 MB}}}}
endpoint: {{header: 0 B}}
run: {{time_limit: 10 ms, dt: {} ns}}
output: {{interval: none}}
workload:
  kind: flows
  flows:
)",
                                 senders, dt_ns);
  int s = 0;
  for (const Stream& stream : streams()) {
    text += fmt::format(
        "    - {{from: S{}, to: R, bytes: {} B, start: {} ns, repeat: {}, period: {} ns}}\n", s++,
        stream.bytes, stream.start_ns, messages_each, stream.period_ns);
  }
  return text;
}

/// Exact finish times, sender by sender.
std::vector<double> exact_times() {
  struct Message {
    double begin, end;
  };
  std::vector<Message> messages;
  std::vector<double> bends;
  for (const Stream& stream : streams()) {
    for (int m = 0; m < messages_each; ++m) {
      const double begin = stream.start_ns + m * stream.period_ns + latency_ns;
      messages.push_back({begin, begin + stream.bytes / capacity});
      bends.push_back(messages.back().begin);
      bends.push_back(messages.back().end);
    }
  }
  std::sort(bends.begin(), bends.end());
  std::vector<double> workload(bends.size(), 0);  // W at each bend
  for (std::size_t i = 1; i < bends.size(); ++i) {
    const double middle = 0.5 * (bends[i - 1] + bends[i]);
    const auto sending = std::count_if(messages.begin(), messages.end(), [&](const Message& m) {
      return m.begin < middle && middle < m.end;
    });
    const double growth = capacity * (static_cast<double>(sending) - 1) * (bends[i] - bends[i - 1]);
    workload[i] = std::max(0.0, workload[i - 1] + growth);
  }
  std::vector<double> times;
  for (const Message& message : messages) {
    const auto bend = std::lower_bound(bends.begin(), bends.end(), message.end) - bends.begin();
    times.push_back(message.end + workload[static_cast<std::size_t>(bend)] / capacity + latency_ns);
  }
  return times;
}

/// Mean absolute error of the finish times, in ns.
double error(double dt_ns) {
  const RecordedRun run(deck(dt_ns));
  const std::vector<double> exact = exact_times();
  EXPECT_EQ(run.finish_ns.size(), exact.size());
  double sum = 0;
  for (std::size_t m = 0; m < exact.size() && m < run.finish_ns.size(); ++m) {
    sum += std::abs(run.finish_ns[m] - exact[m]);
  }
  return sum / static_cast<double>(exact.size());
}

TEST(Convergence, HalvingTheStepHalvesTheErrorOfMessageTimes) {
  double before = error(1000);
  EXPECT_LT(before, 500) << "half a step of 1 us";
  EXPECT_GT(before, 1) << "there must be an error to halve";
  for (const double dt_ns : {500.0, 250.0, 125.0}) {
    const double now = error(dt_ns);
    RecordProperty(fmt::format("error_ns_at_{}_ns", dt_ns), fmt::format("{}", now));
    EXPECT_GT(before / now, 1.6) << dt_ns << " ns: " << before << " -> " << now;
    EXPECT_LT(before / now, 2.5) << dt_ns << " ns: " << before << " -> " << now;
    before = now;
  }
}

}  // namespace
}  // namespace tailrace
