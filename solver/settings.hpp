// SPDX-License-Identifier: Apache-2.0
// The numbers of a deck that the step needs, read once, and the choice of the time step.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "solver/base/deck.hpp"
#include "topology/graph.hpp"

namespace tailrace {

enum class FlowControl : std::uint8_t { credit, pfc };
enum class Arbitration : std::uint8_t { fifo, round_robin };

struct TrafficClass {
  std::string name;
  double weight = 1;
};

struct RunSettings {
  FlowControl flow_control = FlowControl::credit;
  Arbitration arbitration = Arbitration::round_robin;
  double credit_buffer_bytes = 0;  ///< wire bytes per lane, after blocks and the limit
  double xoff_bytes = 0, xon_bytes = 0;
  double pfc_response_ns = 0;
  double headroom_bytes = -1;  ///< -1: from capacity and latency of each link
  double shared_buffer_bytes = 0;
  std::vector<TrafficClass> classes;
  bool strict_classes = false;

  double mtu_bytes = 0, header_bytes = 0;
  double forward_delay_ns = 0;
  double slice_bytes = 0;
  bool acknowledgements = false;
  double acknowledgement_bytes = 0;

  double dt_ns = 0;
  double time_limit_ns = 0;
  std::int64_t seed = 1;

  double sample_interval_ns = 0;  ///< 0: no series
  std::vector<std::string> warnings;

  double packet_wire_bytes() const { return mtu_bytes + header_bytes; }
  /// PFC headroom of each lane of a link, its latency counted in whole steps.
  double lane_headroom_bytes(double capacity_bytes_per_ns, double latency_ns) const;
  std::int32_t class_count() const { return static_cast<std::int32_t>(classes.size()); }
};

/// Reads the deck; chooses dt when the deck says `auto`.
RunSettings read_settings(const Deck& deck, const Graph& graph);

/// The largest dt = smallest / k, k = 1..16, of which every delay is a whole multiple within 0.1 %;
/// when there is none, the k with the smallest rounding error. `delays_ns` are all latencies and
/// other delays that are kept in whole steps; zeros are left out.
double choose_time_step(const std::vector<double>& delays_ns, double smallest_latency_ns);

/// Whole steps of a link's latency, at least 1.
std::int32_t latency_steps(double latency_ns, double dt_ns);

}  // namespace tailrace
