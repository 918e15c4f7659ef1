// SPDX-License-Identifier: Apache-2.0
// Reads the run's numbers from the deck and chooses the time step.
#include "solver/settings.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <set>

#include "models/credit.hpp"
#include "models/pfc.hpp"
#include "solver/base/units.hpp"

namespace tailrace {

namespace {

double worst_rounding(const std::vector<double>& delays_ns, double dt_ns) {
  double worst = 0;
  for (const double delay : delays_ns) {
    const double steps = std::max(1.0, std::round(delay / dt_ns));
    worst = std::max(worst, std::abs(steps * dt_ns - delay) / delay);
  }
  return worst;
}

void read_classes(const Deck& deck, RunSettings& settings) {
  if (const DeckNode* list = deck.node("fabric.classes"); list != nullptr) {
    for (const DeckNode& item : list->items) {
      TrafficClass traffic_class;
      traffic_class.name = item.find("name")->scalar;
      if (const DeckNode* weight = item.find("weight"); weight != nullptr) {
        traffic_class.weight = std::stod(weight->scalar);
      }
      settings.classes.push_back(traffic_class);
    }
  }
  if (settings.classes.empty()) {
    settings.classes.push_back({"default", 1.0});
  }
  settings.strict_classes = deck.text("fabric.class_arbitration") == "strict";
}

void read_switch(const Deck& deck, RunSettings& settings) {
  settings.arbitration = deck.text("fabric.switch.arbitration") == "fifo"
                             ? Arbitration::fifo
                             : Arbitration::round_robin;
  if (deck.text("fabric.switch.flow_control") == "credit") {
    settings.flow_control = FlowControl::credit;
    const double buffer = deck.number("fabric.switch.buffer");
    settings.credit_buffer_bytes = credit_buffer_wire_bytes(buffer, settings.packet_wire_bytes());
    if (settings.credit_buffer_bytes < settings.packet_wire_bytes()) {
      throw InputError(
          deck.mark("fabric.switch.buffer"),
          fmt::format("fabric.switch.buffer: {} does not hold one packet of {} "
                      "(endpoint.mtu + endpoint.header, in whole 64-byte blocks); "
                      "give each lane at least one packet, better C x 2 latencies",
                      format_bytes(buffer), format_bytes(settings.packet_wire_bytes())));
    }
    if (buffer > credit_limit_bytes) {
      settings.warnings.push_back(fmt::format(
          "fabric.switch.buffer: {} per lane, of which InfiniBand can advertise 128 KiB; 128 KiB "
          "are used",
          format_bytes(buffer)));
    }
    return;
  }
  settings.flow_control = FlowControl::pfc;
  settings.xoff_bytes = deck.number("fabric.switch.pfc.xoff");
  settings.xon_bytes = deck.number("fabric.switch.pfc.xon");
  settings.pfc_response_ns = deck.number("fabric.switch.pfc.response");
  settings.shared_buffer_bytes = deck.number("fabric.switch.shared_buffer");
  if (deck.given("fabric.switch.pfc.headroom") &&
      deck.text("fabric.switch.pfc.headroom") != "auto") {
    settings.headroom_bytes = deck.number("fabric.switch.pfc.headroom");
  }
}

}  // namespace

double choose_time_step(const std::vector<double>& delays_ns, double smallest_latency_ns) {
  constexpr int most_parts = 16;
  constexpr double good_rounding = 0.001;
  double best = smallest_latency_ns;
  double best_rounding = std::numeric_limits<double>::infinity();
  for (int parts = 1; parts <= most_parts; ++parts) {
    const double dt = smallest_latency_ns / parts;
    const double rounding = worst_rounding(delays_ns, dt);
    if (rounding < best_rounding - 1e-12) {
      best = dt;
      best_rounding = rounding;
    }
    if (rounding <= good_rounding) {
      return dt;
    }
  }
  return best;
}

std::int32_t latency_steps(double latency_ns, double dt_ns) {
  return std::max(1, static_cast<std::int32_t>(std::lround(latency_ns / dt_ns)));
}

double RunSettings::lane_headroom_bytes(double capacity_bytes_per_ns, double latency_ns) const {
  return headroom_bytes >= 0
             ? headroom_bytes
             : pfc_headroom_bytes(capacity_bytes_per_ns, latency_steps(latency_ns, dt_ns) * dt_ns,
                                  pfc_response_ns, packet_wire_bytes());
}

RunSettings read_settings(const Deck& deck, const Graph& graph) {
  RunSettings settings;
  settings.mtu_bytes = deck.number("endpoint.mtu");
  settings.header_bytes = deck.number("endpoint.header");
  settings.forward_delay_ns = deck.number("endpoint.forward_delay");
  settings.slice_bytes = deck.number("endpoint.slice");
  settings.acknowledgements = deck.text("endpoint.acknowledgements") == "shared";
  settings.acknowledgement_bytes = deck.number("endpoint.acknowledgement_size");
  settings.time_limit_ns = deck.number("run.time_limit");
  settings.seed = deck.integer("run.seed");
  read_classes(deck, settings);
  read_switch(deck, settings);

  const std::set<double> latencies(graph.link_latency_ns.begin(), graph.link_latency_ns.end());
  const double smallest = *latencies.begin();
  std::vector<double> delays(latencies.begin(), latencies.end());
  if (settings.forward_delay_ns > 0) {
    delays.push_back(settings.forward_delay_ns);
  }
  if (deck.text("run.dt") == "auto") {
    settings.dt_ns = choose_time_step(delays, smallest);
  } else {
    settings.dt_ns = deck.number("run.dt");
    if (settings.dt_ns > smallest * (1 + 1e-9)) {
      throw InputError(deck.mark("run.dt"),
                       fmt::format("run.dt: {} is longer than the smallest latency of the fabric, "
                                   "{}; a step may not be longer (or write run.dt: auto)",
                                   format_time_ns(settings.dt_ns), format_time_ns(smallest)));
    }
  }
  if (const double rounding = worst_rounding(delays, settings.dt_ns); rounding > 0.01) {
    settings.warnings.push_back(
        fmt::format("run.dt: latencies and delays are kept in whole steps of {}; the worst is "
                    "rounded by {:.1f} %",
                    format_time_ns(settings.dt_ns), 100 * rounding));
  }
  return settings;
}

}  // namespace tailrace
