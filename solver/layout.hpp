// SPDX-License-Identifier: Apache-2.0
// This rank's share of the problem, as host arrays: links, lanes, queues, hops, sources, messages.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "models/workload/workload.hpp"
#include "solver/comm/halo.hpp"
#include "solver/settings.hpp"
#include "topology/graph.hpp"
#include "topology/routing.hpp"

namespace tailrace {

/// Messages of the flows that start here, in sending order; ranges by source.
struct SourceTable {
  std::vector<std::int32_t> hop;            ///< the flow's first hop
  std::vector<std::int64_t> message_begin;  ///< [sources + 1]
  std::vector<double> start_steps;          ///< per message, in steps
  std::vector<double> wire_end_bytes;       ///< per message: the flow's wire bytes up to its end
  std::vector<double> head_start_bytes;     ///< per source: wire bytes free of the upstream flow;
                                            ///< infinite where there is none
  std::vector<double> gain;                 ///< per source: its wire bytes per wire byte received
};

/// Messages of the flows whose last hop is here; ranges by tracked flow. Behind the flows of the
/// workload stand those of their acknowledgements, with the number of the flow + their count.
struct ArrivalTable {
  std::vector<std::int64_t> flow;             ///< global id, ascending
  std::vector<std::int32_t> hop;              ///< the flow's last hop
  std::vector<double> last_latency_ns;        ///< of the last link, in whole steps
  std::vector<double> capacity_bytes_per_ns;  ///< smallest of the route
  std::vector<std::int64_t> message_begin;    ///< [flows + 1]
  std::vector<double> wire_end_bytes;         ///< per message
  /// Per message: when its end would pass the last switch if the flow were alone on the fabric. A
  /// pipeline's flow has no such time: minus the part of the step that its start leaves.
  std::vector<double> earliest_steps;
  std::vector<double> bytes, start_ns, ideal_ns;  ///< per message: payload
  std::vector<std::int32_t> group;                ///< per message
  std::int64_t data_flows = 0;                    ///< flows of the workload, they stand first
  std::int64_t data_messages() const { return message_begin[static_cast<std::size_t>(data_flows)]; }
};

/// Hops are ordered by link, class, incoming link, flow; queues and lanes are ranges of them.
/// lane = local link * classes + class. Hops [hop_count, hop_count + ghosts) are copies of other
/// ranks' hops; return indices [in_lane count, ...) are copies of other ranks' in-lanes.
struct Layout {
  std::int32_t class_count = 1;
  std::vector<LinkId> links;                      ///< links of this rank that carry flows
  std::vector<std::int32_t> lane_queue_begin;     ///< [lanes + 1]
  std::vector<std::int32_t> queue_hop_begin;      ///< [queues + 1]
  std::vector<std::int32_t> queue_delay_steps;    ///< D - 1 of the incoming link (and forwarding)
  std::vector<std::int32_t> queue_source;         ///< source that feeds it, or -1
  std::vector<std::int32_t> hop_upstream;         ///< hop whose curve arrives here, or -1
  std::vector<std::int64_t> in_lanes;             ///< global lane ids, ascending
  std::vector<std::int32_t> in_lane_queue_begin;  ///< [in-lanes + 1], into in_lane_queues
  std::vector<std::int32_t> in_lane_queues;
  std::vector<std::int32_t> lane_return;      ///< return index of each lane, -1: unlimited
  std::vector<std::int8_t> link_at_endpoint;  ///< 1: the link leaves an endpoint
  std::int32_t hop_ghost_count = 0;
  HaloPlan halo;
  SourceTable sources;
  ArrivalTable arrivals;

  std::int32_t link_count() const { return static_cast<std::int32_t>(links.size()); }
  std::int32_t lane_count() const { return link_count() * class_count; }
  std::int32_t queue_count() const { return static_cast<std::int32_t>(queue_hop_begin.size()) - 1; }
  std::int32_t hop_count() const { return queue_hop_begin.back(); }
  std::int64_t global_lane(std::int32_t lane) const {
    return static_cast<std::int64_t>(links[static_cast<std::size_t>(lane / class_count)].value) *
               class_count +
           lane % class_count;
  }
};

/// Hops at each node that the flows [first, last) make, added to `weights` ([node_count]).
void count_hops(const Workload& workload, const Router& router, const Graph& graph,
                std::int64_t first, std::int64_t last, std::vector<std::int64_t>& weights);

/// Streams over all flows and keeps this rank's share. Every rank calls it with the same arguments.
Layout build_layout(const Graph& graph, const Router& router, const Workload& workload,
                    const std::vector<Rank>& owner, Rank rank, const RunSettings& settings);

}  // namespace tailrace
