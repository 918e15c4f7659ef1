// SPDX-License-Identifier: Apache-2.0
// The state of the fluid on this rank: cumulative curves, returns, pause signals, statistics.
//
// Structure of arrays. `StateView` holds plain pointers for kernels; `State` owns the memory. The
// step reads *now* and writes *next*: `left_now` is X_h(n), `left_next` is X_h(n+1).
#pragma once

#include <Kokkos_Core.hpp>
#include <cstdint>
#include <string>
#include <vector>

#include "solver/curves.hpp"
#include "solver/layout.hpp"
#include "solver/settings.hpp"
#include "topology/graph.hpp"

namespace tailrace {

using Execution = Kokkos::DefaultExecutionSpace;
template <class T>
using Array = Kokkos::View<T*, Execution::memory_space>;

/// Per lane, since the last sample. Times are counted in steps.
struct LaneStatistics {
  double* backlog_now_bytes;  ///< after the last step
  double* backlog_sum_bytes;  ///< sum over steps
  double* backlog_max_bytes;
  double* occupancy_sum_bytes;  ///< at the receiving end
  double* occupancy_max_bytes;
  double* paused_steps;
  double* stalled_steps;  ///< credits were short
  double* dropped_bytes;  ///< above the buffer, cumulative over the run
  std::int32_t* pauses;   ///< transitions to paused, cumulative over the run
};

/// What sums of curves up to 1e12 bytes may be off by rounding: a message whose curve is this close
/// to its end has ended, and less than this is no backlog.
inline constexpr double rounding_bytes = 1e-3;

struct StateView {
  // sizes and rules
  std::int32_t link_count, class_count, in_lane_count, arrival_count;
  bool fifo, pfc, strict;
  double xoff_bytes, xon_bytes, credit_buffer_bytes;
  // structure (see Layout)
  const std::int32_t *lane_queue_begin, *queue_hop_begin, *queue_delay_steps, *queue_source,
      *hop_upstream, *in_lane_queue_begin, *in_lane_queues, *lane_return;
  const std::int8_t* link_at_endpoint;
  const std::int32_t* link_single_hop;  ///< its only hop, if it has one class and one hop
  const double* link_budget_bytes;      ///< capacity * dt
  const double* class_weight;
  // curves
  double *left_now, *left_next;                                 ///< [hops + ghosts]
  double* queue_left;                                           ///< sum over a queue's hops, next
  double* queue_content;                                        ///< scratch of the step
  double *lane_sent_previous, *lane_sent_now, *lane_sent_next;  ///< sum over a lane's hops
  double* returned;                        ///< [in-lanes + ghosts] left the receiver's buffer
  const std::int64_t* queue_delay_offset;  ///< into delay_ring, -1: none
  double* delay_ring;                      ///< what is on a link longer than one step
  const std::int32_t* lane_latency_steps;  ///< D of the lane's own link
  const std::int64_t* lane_ring_offset;    ///< into the two rings below: D entries, if D > 1
  double *lane_sent_ring, *lane_returned_ring;
  const std::int32_t* lane_group;   ///< fifo: first curve of the lane, -1: one hop
  const std::int32_t* queue_group;  ///< round robin: the same of the queue
  CurvePoolView curves;
  // pauses
  double* occupancy_previous_bytes;  ///< per lane, at the receiving end
  const double* headroom_bytes;      ///< per lane
  std::int8_t* paused;
  const std::int32_t* pause_steps;  ///< per lane: k of pfc.hpp
  const double* pause_fraction;     ///< per lane: f of pfc.hpp
  std::int32_t signal_depth;        ///< power of two, at least k + 2
  double* signal_ring;              ///< [lanes * signal_depth] u of the last steps
  std::int16_t* pause_memory;       ///< per lane: steps until all of u is 1 again
  // sources
  std::int64_t* source_next;  ///< next message to start
  const std::int64_t* source_message_begin;
  const double *source_start_steps, *source_wire_end_bytes, *source_head_start_bytes, *source_gain;
  double* source_next_start_steps;  ///< start of the next message, or never
  double* source_allowed_bytes;     ///< wire bytes of the messages that have started
  // arrivals
  const std::int32_t* arrival_hop;
  const double* arrival_latency_steps;
  const double* arrival_budget_bytes;  ///< of one step at the route's smallest capacity
  const std::int64_t* arrival_message_begin;
  const double *arrival_wire_end_bytes, *arrival_earliest_steps;  ///< per message
  std::int64_t* arrival_next;                                     ///< next message to finish
  double* arrival_rate_bytes;                                     ///< bytes of the step before
  double* message_finish_steps;                                   ///< NaN until finished
  LaneStatistics statistics;
};

/// What a double of the halo's buffers is: kind + 2 * index.
struct HaloItem {
  enum Kind : std::int32_t { hop = 0, returned = 1 };
};

/// Owns the arrays behind a StateView.
class State {
 public:
  State(const Layout& layout, const RunSettings& settings, const Graph& graph);
  StateView& view() { return view_; }
  const StateView& view() const { return view_; }
  /// next becomes now.
  void swap();
  /// Histories that filled up get more room. Between steps.
  void grow();
  std::int64_t bytes() const;  ///< of the state, structure included

  Array<double> message_finish_steps;
  Array<double> packed;              ///< send buffer of the halo
  Array<double> received;            ///< receive buffer of the halo
  Array<std::int32_t> pack_index;    ///< per double of the send buffer, see HaloItem
  Array<std::int32_t> unpack_index;  ///< per double of the receive buffer

 private:
  template <class T>
  Array<T> allocate(const std::string& label, std::size_t count);
  template <class T>
  const T* constant(const std::string& label, const std::vector<T>& values);
  template <class T>
  T* variable(const std::string& label, std::size_t count, T initial);

  void build_structure(const Layout& layout, const RunSettings& settings, const Graph& graph);
  void build_delays(const Layout& layout, const RunSettings& settings, const Graph& graph);
  void build_groups(const Layout& layout);
  void build_pauses(const Layout& layout, const RunSettings& settings, const Graph& graph);
  void build_sources(const Layout& layout);
  void build_arrivals(const Layout& layout, const RunSettings& settings);
  void build_statistics(const Layout& layout);
  void build_halo(const Layout& layout);

  StateView view_{};
  CurvePool pool_;
  std::vector<Array<double>> doubles_;
  std::vector<Array<std::int64_t>> longs_;
  std::vector<Array<std::int32_t>> integers_;
  std::vector<Array<std::int16_t>> shorts_;
  std::vector<Array<std::int8_t>> octets_;
  std::int64_t bytes_ = 0;
};

}  // namespace tailrace
