// SPDX-License-Identifier: Apache-2.0
// The work of one link in one step: arrivals, flow control, shares, exact first-in-first-out order.
#pragma once

#include "models/credit.hpp"
#include "models/fair_share.hpp"
#include "models/pfc.hpp"
#include "solver/state.hpp"

namespace tailrace {

/// Bytes below which a remainder is served at once: no queue keeps a residual of rounding.
inline constexpr double residual_bytes = 1e-6;
inline constexpr int most_classes = 8;
inline constexpr double never_steps = 1e300;

/// Functor over links; see serve_links(). All members of `s` are described in state.hpp.
struct LinkServer {
  StateView s;
  std::int32_t n;  ///< the step that is made leads from n to n+1

  /// Lets go the messages of `source` that start before n+1; returns their end.
  KOKKOS_INLINE_FUNCTION double start_messages(std::int32_t source) const {
    std::int64_t next = s.source_next[source];
    const std::int64_t end = s.source_message_begin[source + 1];
    double allowed = s.source_allowed_bytes[source];
    for (; next < end && s.source_start_steps[next] < n + 1; ++next) {
      allowed = s.source_wire_end_bytes[next];
    }
    s.source_next[source] = next;
    s.source_next_start_steps[source] = next < end ? s.source_start_steps[next] : never_steps;
    s.source_allowed_bytes[source] = allowed;
    return allowed;
  }

  /// A source's curve: the messages that have started; of a pipeline, not more than its head start
  /// and what has been received. A message that starts within the step and finds the source empty
  /// has only the rest of the step.
  KOKKOS_INLINE_FUNCTION double source_arrived(std::int32_t source, double received, double left,
                                               double link_budget) const {
    double allowed = s.source_allowed_bytes[source];
    const double limit = s.source_head_start_bytes[source] + s.source_gain[source] * received;
    const double start = s.source_next_start_steps[source];
    if (start >= n + 1) {
      return allowed < limit ? allowed : limit;
    }
    const bool empty = allowed <= left;
    allowed = start_messages(source);
    double arrived = allowed < limit ? allowed : limit;
    if (empty && start > n) {
      const double in_step = left + link_budget * (n + 1 - start);
      arrived = arrived < in_step ? arrived : in_step;
    }
    return arrived;
  }

  /// What entered the link's delay line a while ago; `newest` takes its place.
  KOKKOS_INLINE_FUNCTION double delayed(std::int64_t slot, double newest) const {
    const double oldest = s.delay_ring[slot];
    s.delay_ring[slot] = newest;
    return oldest;
  }

  /// A_h(n) for the hops of queue q, left in left_next; returns the queue's content.
  KOKKOS_INLINE_FUNCTION double gather_queue(std::int32_t q, double link_budget) const {
    const std::int32_t first = s.queue_hop_begin[q], last = s.queue_hop_begin[q + 1];
    const std::int32_t delay = s.queue_delay_steps[q];
    const std::int32_t source = s.queue_source[q];
    double content = 0, total = 0;
    std::int64_t slot = delay > 0 ? s.queue_delay_offset[q] + n % delay : 0;
    for (std::int32_t h = first; h < last; ++h) {
      const std::int32_t upstream = s.hop_upstream[h];
      double arrived = upstream >= 0 ? s.left_now[upstream] : 0.0;
      if (delay > 0) {
        arrived = delayed(slot, arrived);
        slot += delay;
      }
      const double left = s.left_now[h];
      if (source >= 0) {
        arrived = source_arrived(source, arrived, left, link_budget);
      }
      s.left_next[h] = arrived;
      total += arrived;
      content += arrived - left;
    }
    s.queue_content[q] = content;
    s.queue_left[q] = total;
    return content;
  }

  /// What flow control lets the lane send in this step, in bytes; at most its share of the link.
  /// `sent` and `sent_before` are the lane's totals at n and n-1.
  KOKKOS_INLINE_FUNCTION double lane_limit(std::int32_t lane, double link_budget, double content,
                                           double sent, double sent_before) const {
    const std::int32_t return_index = s.lane_return[lane];
    if (return_index < 0) {
      return link_budget;
    }
    const double returned = s.returned[return_index];
    double sent_then = sent_before, returned_then = returned;  // D = 1
    if (const std::int32_t latency = s.lane_latency_steps[lane]; latency > 1) {
      double* const sent_slot = s.lane_sent_ring + s.lane_ring_offset[lane] + n % latency;
      sent_then = *sent_slot;
      *sent_slot = sent;
      double* const returned_slot =
          s.lane_returned_ring + s.lane_ring_offset[lane] + n % (latency - 1);
      returned_then = *returned_slot;
      *returned_slot = returned;
    }
    const double occupancy = sent_then - returned;  // S(n - D) - R(n)
    note_occupancy(lane, occupancy);
    if (s.pfc) {
      return link_budget * pause_frac_open(lane, occupancy);
    }
    const double credits = credit_budget(sent, returned_then, s.credit_buffer_bytes);
    const double wanted = content < link_budget ? content : link_budget;
    if (credits < wanted) {
      s.statistics.stalled_steps[lane] += 1 - credits / wanted;
    }
    return credits < link_budget ? credits : link_budget;
  }

  KOKKOS_INLINE_FUNCTION void note_occupancy(std::int32_t lane, double occupancy) const {
    if (occupancy > rounding_bytes) {
      s.statistics.occupancy_sum_bytes[lane] += occupancy;
      if (occupancy > s.statistics.occupancy_max_bytes[lane]) {
        s.statistics.occupancy_max_bytes[lane] = occupancy;
      }
    }
  }

  /// Share of this step in which the lane may send, from the receiver's delayed pause signal.
  KOKKOS_INLINE_FUNCTION double pause_frac_open(std::int32_t lane, double occupancy) const {
    if (s.pause_memory[lane] == 0 && occupancy <= s.xoff_bytes) {  // open, and so it was
      s.occupancy_previous_bytes[lane] = occupancy;
      return 1;
    }
    const double previous = s.occupancy_previous_bytes[lane];
    s.occupancy_previous_bytes[lane] = occupancy;
    note_loss(lane, occupancy, previous);
    const bool was_paused = s.paused[lane] != 0;
    const PfcSignal signal = pfc_signal(was_paused, previous, occupancy, s.xoff_bytes, s.xon_bytes);
    s.paused[lane] = signal.paused ? 1 : 0;
    s.statistics.pauses[lane] += signal.paused && !was_paused ? 1 : 0;
    const std::int32_t delay = s.pause_steps[lane], depth = s.signal_depth;
    double* ring = s.signal_ring + static_cast<std::int64_t>(lane) * depth;
    s.pause_memory[lane] =
        static_cast<std::int16_t>(signal.open_frac < 1 ? depth : s.pause_memory[lane] - 1);
    ring[(n - 1) & (depth - 1)] = signal.open_frac;
    double open = ring[(n - delay) & (depth - 1)];
    if (const double fraction = s.pause_fraction[lane]; fraction > 0) {
      open += fraction * (ring[(n - delay - 1) & (depth - 1)] - open);
    }
    s.statistics.paused_steps[lane] += 1 - open;
    return open;
  }

  /// Counts what came above XOFF and headroom in the last step.
  KOKKOS_INLINE_FUNCTION void note_loss(std::int32_t lane, double occupancy,
                                        double previous) const {
    const double full = s.xoff_bytes + s.headroom_bytes[lane];
    const double lost = occupancy - (previous > full ? previous : full);
    s.statistics.dropped_bytes[lane] += lost > rounding_bytes ? lost : 0;
  }

  /// First in, first out over `count` hops from `first`: departs what arrived until the time tau at
  /// which their arrivals together were what their departures are now.
  KOKKOS_INLINE_FUNCTION void serve_in_order(std::int32_t group, std::int32_t first,
                                             std::int32_t last, double budget) const {
    const CurvePoolView& curves = s.curves;
    double left_total = 0, arrived_total = 0;
    for (std::int32_t h = first; h < last; ++h) {
      left_total += s.left_now[h];
      arrived_total += s.left_next[h];
    }
    if (curves.count[group] == 0) {  // a backlog begins: all that had come a step ago has left
      curves.push(group, n - 1, left_total);
      for (std::int32_t h = first; h < last; ++h) {
        curves.clear(group + 1 + h - first);
        curves.push(group + 1 + h - first, n - 1, s.left_now[h]);
      }
    }
    curves.append(group, n, arrived_total);
    for (std::int32_t h = first; h < last; ++h) {
      curves.append(group + 1 + h - first, n, s.left_next[h]);
    }
    const double tau = curves.time_of(group, left_total + budget);
    for (std::int32_t h = first; h < last; ++h) {
      const double left = s.left_now[h], arrived = s.left_next[h];
      double departed = curves.value_at(group + 1 + h - first, tau);
      departed = departed < left ? left : departed;
      s.left_next[h] = departed < arrived ? departed : arrived;
    }
  }

  KOKKOS_INLINE_FUNCTION double sum_left_next(std::int32_t first, std::int32_t last) const {
    double total = 0;
    for (std::int32_t h = first; h < last; ++h) {
      total += s.left_next[h];
    }
    return total;
  }

  /// Fifo: the lane serves all that arrived first, whatever its ingress.
  KOKKOS_INLINE_FUNCTION void serve_fifo(std::int32_t lane, double budget) const {
    const std::int32_t first_queue = s.lane_queue_begin[lane];
    const std::int32_t last_queue = s.lane_queue_begin[lane + 1];
    const std::int32_t first = s.queue_hop_begin[first_queue];
    if (s.lane_group[lane] < 0) {
      s.left_next[first] = s.left_now[first] + budget;
    } else {
      serve_in_order(s.lane_group[lane], first, s.queue_hop_begin[last_queue], budget);
    }
    for (std::int32_t q = first_queue; q < last_queue; ++q) {
      s.queue_left[q] = sum_left_next(s.queue_hop_begin[q], s.queue_hop_begin[q + 1]);
    }
  }

  /// Round robin: max-min over the queues, first in first out within each.
  KOKKOS_INLINE_FUNCTION void serve_round_robin(std::int32_t lane, double budget) const {
    const std::int32_t first_queue = s.lane_queue_begin[lane];
    const std::int32_t queues = s.lane_queue_begin[lane + 1] - first_queue;
    const double* content = s.queue_content + first_queue;
    const double level = queues == 1 ? budget
                                     : fair_level(
                                           queues, budget, [content](int k) { return content[k]; },
                                           [](int) { return 1.0; });
    for (std::int32_t q = first_queue; q < first_queue + queues; ++q) {
      const std::int32_t first = s.queue_hop_begin[q], last = s.queue_hop_begin[q + 1];
      if (s.queue_content[q] <= level + residual_bytes) {
        end_backlog(s.queue_group[q]);
      } else {
        if (last - first == 1) {
          s.left_next[first] = s.left_now[first] + level;
        } else {
          serve_in_order(s.queue_group[q], first, last, level);
        }
        s.queue_left[q] = sum_left_next(first, last);
      }
    }
  }

  KOKKOS_INLINE_FUNCTION void end_backlog(std::int32_t group) const {
    if (group >= 0) {
      s.curves.clear(group);
    }
  }

  KOKKOS_INLINE_FUNCTION void serve_lane(std::int32_t lane, bool fifo, double content,
                                         double budget) const {
    const std::int32_t first_queue = s.lane_queue_begin[lane];
    const std::int32_t last_queue = s.lane_queue_begin[lane + 1];
    if (content <= budget + residual_bytes) {  // all leaves: left_next holds what has arrived
      end_backlog(s.lane_group[lane]);
      if (!fifo) {
        for (std::int32_t q = first_queue; q < last_queue; ++q) {
          end_backlog(s.queue_group[q]);
        }
      }
    } else if (fifo) {
      serve_fifo(lane, budget);
    } else {
      serve_round_robin(lane, budget);
    }
    double sent = 0;
    for (std::int32_t q = first_queue; q < last_queue; ++q) {
      sent += s.queue_left[q];
    }
    s.lane_sent_next[lane] = sent;
    note_backlog(lane, content - (sent - s.lane_sent_now[lane]));
  }

  /// What had arrived by n+1 and has not left then.
  KOKKOS_INLINE_FUNCTION void note_backlog(std::int32_t lane, double backlog) const {
    const LaneStatistics& statistics = s.statistics;
    backlog = backlog > rounding_bytes ? backlog : 0;
    if (backlog == 0 && statistics.backlog_now_bytes[lane] == 0) {
      return;
    }
    statistics.backlog_now_bytes[lane] = backlog;
    statistics.backlog_sum_bytes[lane] += backlog;
    if (backlog > statistics.backlog_max_bytes[lane]) {
      statistics.backlog_max_bytes[lane] = backlog;
    }
  }

  KOKKOS_INLINE_FUNCTION void operator()(std::int32_t link) const {
    const double link_budget = s.link_budget_bytes[link];
    const bool fifo = s.fifo && s.link_at_endpoint[link] == 0;
    if (s.class_count == 1) {
      if (s.link_single_hop[link] >= 0) {
        serve_single_hop(link, s.link_single_hop[link], link_budget);
        return;
      }
      const double content = gather_lane(link, link_budget);
      serve_lane(link, fifo, content, limit_of(link, link_budget, content));
      return;
    }
    double content[most_classes], wanted[most_classes];
    const std::int32_t first = link * s.class_count;
    double total = 0;
    for (std::int32_t c = 0; c < s.class_count; ++c) {
      content[c] = gather_lane(first + c, link_budget);
    }
    for (std::int32_t c = 0; c < s.class_count; ++c) {
      const double limit = limit_of(first + c, link_budget, content[c]);
      wanted[c] = content[c] < limit ? content[c] : limit;
      total += wanted[c];
    }
    share_among_classes(link_budget, total, wanted);
    for (std::int32_t c = 0; c < s.class_count; ++c) {
      serve_lane(first + c, fifo, content[c], wanted[c]);
    }
  }

  /// The whole work of a link that carries one hop: no shares, no order, the lane is the hop.
  KOKKOS_INLINE_FUNCTION void serve_single_hop(std::int32_t link, std::int32_t hop,
                                               double link_budget) const {
    const std::int32_t upstream = s.hop_upstream[hop];
    const std::int32_t queue = s.lane_queue_begin[link];
    double arrived = upstream >= 0 ? s.left_now[upstream] : 0.0;
    if (const std::int32_t delay = s.queue_delay_steps[queue]; delay > 0) {
      arrived = delayed(s.queue_delay_offset[queue] + n % delay, arrived);
    }
    const double left = s.left_now[hop], left_before = s.left_next[hop];
    if (const std::int32_t source = s.queue_source[queue]; source >= 0) {
      arrived = source_arrived(source, arrived, left, link_budget);
    }
    const double content = arrived - left;
    const double budget = lane_limit(link, link_budget, content, left, left_before);
    const double next = content <= budget + residual_bytes ? arrived : left + budget;
    s.left_next[hop] = next;
    s.queue_left[queue] = next;
    s.lane_sent_next[link] = next;
    note_backlog(link, arrived - next);
  }

  KOKKOS_INLINE_FUNCTION double limit_of(std::int32_t lane, double budget, double content) const {
    return lane_limit(lane, budget, content, s.lane_sent_now[lane], s.lane_sent_previous[lane]);
  }

  KOKKOS_INLINE_FUNCTION double gather_lane(std::int32_t lane, double link_budget) const {
    double content = 0;
    for (std::int32_t q = s.lane_queue_begin[lane]; q < s.lane_queue_begin[lane + 1]; ++q) {
      content += gather_queue(q, link_budget);
    }
    return content;
  }

  /// Cuts `wanted` down to what the link can carry: strict in the order of the classes, or
  /// weighted.
  KOKKOS_INLINE_FUNCTION void share_among_classes(double budget, double total,
                                                  double* wanted) const {
    if (total <= budget) {
      return;
    }
    if (s.strict) {
      for (std::int32_t c = 0; c < s.class_count; ++c) {
        wanted[c] = wanted[c] < budget ? wanted[c] : budget;
        budget -= wanted[c];
      }
      return;
    }
    const double* weight = s.class_weight;
    const double level = fair_level(
        s.class_count, budget, [wanted](int c) { return wanted[c]; },
        [weight](int c) { return weight[c]; });
    for (std::int32_t c = 0; c < s.class_count; ++c) {
      const double share = weight[c] * level;
      wanted[c] = wanted[c] < share ? wanted[c] : share;
    }
  }
};

}  // namespace tailrace
