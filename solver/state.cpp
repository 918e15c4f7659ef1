// SPDX-License-Identifier: Apache-2.0
// Allocates the state and fills in what the layout and the settings say.
#include "solver/state.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>

namespace tailrace {

namespace {

constexpr std::uint16_t first_curve_capacity = 4;

std::vector<double> link_budgets(const Layout& layout, const RunSettings& settings,
                                 const Graph& graph) {
  std::vector<double> budgets;
  for (const LinkId link : layout.links) {
    budgets.push_back(graph.link_capacity_bytes_per_ns[static_cast<std::size_t>(link.value)] *
                      settings.dt_ns);
  }
  return budgets;
}

}  // namespace

template <class T>
Array<T> State::allocate(const std::string& label, std::size_t count) {
  Array<T> array(label, count);
  if constexpr (std::is_same_v<T, double>) {
    doubles_.push_back(array);
  } else if constexpr (std::is_same_v<T, std::int64_t>) {
    longs_.push_back(array);
  } else if constexpr (std::is_same_v<T, std::int32_t>) {
    integers_.push_back(array);
  } else if constexpr (std::is_same_v<T, std::int16_t>) {
    shorts_.push_back(array);
  } else {
    octets_.push_back(array);
  }
  bytes_ += static_cast<std::int64_t>(count * sizeof(T));
  return array;
}

template <class T>
const T* State::constant(const std::string& label, const std::vector<T>& values) {
  const Array<T> array = allocate<T>(label, values.size());
  const auto array_h = Kokkos::create_mirror_view(array);
  std::copy(values.begin(), values.end(), array_h.data());
  Kokkos::deep_copy(array, array_h);
  return array.data();
}

template <class T>
T* State::variable(const std::string& label, std::size_t count, T initial) {
  const Array<T> array = allocate<T>(label, count);
  if (initial != T{}) {
    Kokkos::deep_copy(array, initial);
  }
  return array.data();
}

State::State(const Layout& layout, const RunSettings& settings, const Graph& graph) {
  build_structure(layout, settings, graph);
  build_delays(layout, settings, graph);
  build_groups(layout);
  build_pauses(layout, settings, graph);
  build_sources(layout);
  build_arrivals(layout, settings);
  build_statistics(layout);
  build_halo(layout);
}

void State::build_structure(const Layout& layout, const RunSettings& settings, const Graph& graph) {
  const auto hops = static_cast<std::size_t>(layout.hop_count() + layout.hop_ghost_count);
  const auto lanes = static_cast<std::size_t>(layout.lane_count());
  const auto queues = static_cast<std::size_t>(layout.queue_count());
  view_.link_count = layout.link_count();
  view_.class_count = layout.class_count;
  view_.in_lane_count = static_cast<std::int32_t>(layout.in_lanes.size());
  view_.fifo = settings.arbitration == Arbitration::fifo;
  view_.pfc = settings.flow_control == FlowControl::pfc;
  view_.strict = settings.strict_classes;
  view_.credit_buffer_bytes = settings.credit_buffer_bytes;
  view_.lane_queue_begin = constant("lane_queue_begin", layout.lane_queue_begin);
  view_.queue_hop_begin = constant("queue_hop_begin", layout.queue_hop_begin);
  view_.queue_delay_steps = constant("queue_delay_steps", layout.queue_delay_steps);
  view_.queue_source = constant("queue_source", layout.queue_source);
  view_.hop_upstream = constant("hop_upstream", layout.hop_upstream);
  view_.in_lane_queue_begin = constant("in_lane_queue_begin", layout.in_lane_queue_begin);
  view_.in_lane_queues = constant("in_lane_queues", layout.in_lane_queues);
  view_.lane_return = constant("lane_return", layout.lane_return);
  view_.link_at_endpoint = constant("link_at_endpoint", layout.link_at_endpoint);
  std::vector<std::int32_t> single_hop(layout.links.size(), -1);
  for (std::size_t link = 0; layout.class_count == 1 && link < single_hop.size(); ++link) {
    const auto first = static_cast<std::size_t>(layout.lane_queue_begin[link]);
    const auto last = static_cast<std::size_t>(layout.lane_queue_begin[link + 1]);
    if (layout.queue_hop_begin[last] - layout.queue_hop_begin[first] == 1) {
      single_hop[link] = layout.queue_hop_begin[first];
    }
  }
  view_.link_single_hop = constant("link_single_hop", single_hop);
  view_.link_budget_bytes = constant("link_budget_bytes", link_budgets(layout, settings, graph));
  std::vector<double> weights;
  for (const TrafficClass& traffic_class : settings.classes) {
    weights.push_back(traffic_class.weight);
  }
  view_.class_weight = constant("class_weight", weights);
  view_.left_now = variable("left_now", hops, 0.0);
  view_.left_next = variable("left_next", hops, 0.0);
  view_.queue_left = variable("queue_left", queues, 0.0);
  view_.queue_content = variable("queue_content", queues, 0.0);
  view_.lane_sent_previous = variable("lane_sent_previous", lanes, 0.0);
  view_.lane_sent_now = variable("lane_sent_now", lanes, 0.0);
  view_.lane_sent_next = variable("lane_sent_next", lanes, 0.0);
  std::size_t returns = layout.in_lanes.size();
  for (const HaloNeighbor& neighbor : layout.halo.neighbors) {
    returns += static_cast<std::size_t>(neighbor.receive_returns);
  }
  view_.returned = variable("returned", returns, 0.0);
}

void State::build_delays(const Layout& layout, const RunSettings& settings, const Graph& graph) {
  std::int64_t slots = 0;
  std::vector<std::int64_t> queue_offset;
  for (std::size_t q = 0; q < layout.queue_delay_steps.size(); ++q) {
    queue_offset.push_back(slots);
    slots += static_cast<std::int64_t>(layout.queue_delay_steps[q]) *
             (layout.queue_hop_begin[q + 1] - layout.queue_hop_begin[q]);
  }
  if (slots == 0) {
    queue_offset.clear();  // never read
  }
  view_.queue_delay_offset = constant("queue_delay_offset", queue_offset);
  view_.delay_ring = variable("delay_ring", static_cast<std::size_t>(slots), 0.0);
  std::vector<std::int32_t> lane_latency;
  std::vector<std::int64_t> lane_offset;
  std::int64_t lane_slots = 0;
  for (std::int32_t lane = 0; lane < layout.lane_count(); ++lane) {
    const LinkId link = layout.links[static_cast<std::size_t>(lane / layout.class_count)];
    lane_latency.push_back(
        latency_steps(graph.link_latency_ns[static_cast<std::size_t>(link.value)], settings.dt_ns));
    lane_offset.push_back(lane_slots);
    lane_slots += lane_latency.back() > 1 ? lane_latency.back() : 0;
  }
  view_.lane_latency_steps = constant("lane_latency_steps", lane_latency);
  view_.lane_ring_offset = constant("lane_ring_offset", lane_offset);
  view_.lane_sent_ring = variable("lane_sent_ring", static_cast<std::size_t>(lane_slots), 0.0);
  view_.lane_returned_ring =
      variable("lane_returned_ring", static_cast<std::size_t>(lane_slots), 0.0);
}

/// Each set of hops that is served in order has one curve for its total and one per hop.
void State::build_groups(const Layout& layout) {
  std::int64_t curves = 0;
  const auto group_of = [&curves](std::int32_t hops) {
    const std::int64_t group = curves;
    if (hops < 2) {
      return std::int32_t{-1};
    }
    curves += hops + 1;
    return static_cast<std::int32_t>(group);
  };
  std::vector<std::int32_t> lane_group(static_cast<std::size_t>(layout.lane_count()), -1);
  std::vector<std::int32_t> queue_group(static_cast<std::size_t>(layout.queue_count()), -1);
  for (std::size_t lane = 0; lane < lane_group.size(); ++lane) {
    const std::int32_t first = layout.lane_queue_begin[lane],
                       last = layout.lane_queue_begin[lane + 1];
    const auto hop_begin = [&layout](std::int32_t q) {
      return layout.queue_hop_begin[static_cast<std::size_t>(q)];
    };
    if (view_.fifo &&
        layout.link_at_endpoint[lane / static_cast<std::size_t>(layout.class_count)] == 0) {
      lane_group[lane] = group_of(hop_begin(last) - hop_begin(first));
      continue;
    }
    for (std::int32_t q = first; q < last; ++q) {
      queue_group[static_cast<std::size_t>(q)] = group_of(hop_begin(q + 1) - hop_begin(q));
    }
  }
  TAILRACE_REQUIRE(curves < std::numeric_limits<std::int32_t>::max(),
                   "too many hops on one rank: use more ranks");
  view_.lane_group = constant("lane_group", lane_group);
  view_.queue_group = constant("queue_group", queue_group);
  pool_.allocate(curves, first_curve_capacity);
  view_.curves = pool_.view();
}

void State::build_pauses(const Layout& layout, const RunSettings& settings, const Graph& graph) {
  const auto lanes = static_cast<std::size_t>(layout.lane_count());
  view_.xoff_bytes = settings.xoff_bytes;
  view_.xon_bytes = settings.xon_bytes;
  if (!view_.pfc) {
    return;
  }
  std::vector<double> headroom, fraction;
  std::vector<std::int32_t> steps;
  for (std::size_t lane = 0; lane < lanes; ++lane) {
    const auto link = static_cast<std::size_t>(
        layout.links[lane / static_cast<std::size_t>(layout.class_count)].value);
    const std::int32_t latency = latency_steps(graph.link_latency_ns[link], settings.dt_ns);
    headroom.push_back(settings.lane_headroom_bytes(graph.link_capacity_bytes_per_ns[link],
                                                    graph.link_latency_ns[link]));
    const double delay = latency + settings.pfc_response_ns / settings.dt_ns;
    steps.push_back(static_cast<std::int32_t>(std::floor(delay + 1e-9)));
    fraction.push_back(std::max(0.0, delay - steps.back()));
  }
  view_.headroom_bytes = constant("headroom_bytes", headroom);
  view_.pause_steps = constant("pause_steps", steps);
  view_.pause_fraction = constant("pause_fraction", fraction);
  const std::int32_t longest = steps.empty() ? 0 : *std::max_element(steps.begin(), steps.end());
  view_.signal_depth =
      static_cast<std::int32_t>(std::bit_ceil(static_cast<std::uint32_t>(longest + 2)));
  TAILRACE_REQUIRE(view_.signal_depth < std::numeric_limits<std::int16_t>::max(),
                   "a pause takes over 16,000 steps to reach its sender");
  view_.signal_ring =
      variable("signal_ring", lanes * static_cast<std::size_t>(view_.signal_depth), 1.0);
  view_.pause_memory = variable("pause_memory", lanes, std::int16_t{0});
  view_.occupancy_previous_bytes = variable("occupancy_previous_bytes", lanes, 0.0);
  view_.paused = variable("paused", lanes, std::int8_t{0});
}

void State::build_sources(const Layout& layout) {
  const SourceTable& sources = layout.sources;
  view_.source_message_begin = constant("source_message_begin", sources.message_begin);
  std::vector<std::int64_t> next(sources.message_begin.begin(), sources.message_begin.end() - 1);
  view_.source_next = const_cast<std::int64_t*>(constant("source_next", next));
  view_.source_start_steps = constant("source_start_steps", sources.start_steps);
  view_.source_wire_end_bytes = constant("source_wire_end_bytes", sources.wire_end_bytes);
  view_.source_head_start_bytes = constant("source_head_start_bytes", sources.head_start_bytes);
  view_.source_gain = constant("source_gain", sources.gain);
  std::vector<double> next_start;
  for (std::size_t i = 0; i < sources.hop.size(); ++i) {
    const auto first = static_cast<std::size_t>(sources.message_begin[i]);
    next_start.push_back(sources.message_begin[i] < sources.message_begin[i + 1]
                             ? sources.start_steps[first]
                             : std::numeric_limits<double>::infinity());
  }
  view_.source_next_start_steps =
      const_cast<double*>(constant("source_next_start_steps", next_start));
  view_.source_allowed_bytes = variable("source_allowed_bytes", sources.hop.size(), 0.0);
}

void State::build_arrivals(const Layout& layout, const RunSettings& settings) {
  const ArrivalTable& arrivals = layout.arrivals;
  view_.arrival_count = static_cast<std::int32_t>(arrivals.hop.size());
  view_.arrival_hop = constant("arrival_hop", arrivals.hop);
  std::vector<double> latency;
  for (const double ns : arrivals.last_latency_ns) {
    latency.push_back(std::round(ns / settings.dt_ns));
  }
  view_.arrival_latency_steps = constant("arrival_latency_steps", latency);
  std::vector<double> budget;
  for (const double capacity : arrivals.capacity_bytes_per_ns) {
    budget.push_back(capacity * settings.dt_ns);
  }
  view_.arrival_budget_bytes = constant("arrival_budget_bytes", budget);
  view_.arrival_message_begin = constant("arrival_message_begin", arrivals.message_begin);
  view_.arrival_wire_end_bytes = constant("arrival_wire_end_bytes", arrivals.wire_end_bytes);
  view_.arrival_earliest_steps = constant("arrival_earliest_steps", arrivals.earliest_steps);
  std::vector<std::int64_t> next(arrivals.message_begin.begin(), arrivals.message_begin.end() - 1);
  view_.arrival_next = const_cast<std::int64_t*>(constant("arrival_next", next));
  view_.arrival_rate_bytes = variable("arrival_rate_bytes", arrivals.hop.size(), 0.0);
  message_finish_steps = allocate<double>("message_finish_steps", arrivals.wire_end_bytes.size());
  Kokkos::deep_copy(message_finish_steps, std::numeric_limits<double>::quiet_NaN());
  view_.message_finish_steps = message_finish_steps.data();
}

void State::build_statistics(const Layout& layout) {
  const auto lanes = static_cast<std::size_t>(layout.lane_count());
  LaneStatistics& statistics = view_.statistics;
  statistics.backlog_now_bytes = variable("backlog_now_bytes", lanes, 0.0);
  statistics.backlog_sum_bytes = variable("backlog_sum_bytes", lanes, 0.0);
  statistics.backlog_max_bytes = variable("backlog_max_bytes", lanes, 0.0);
  statistics.occupancy_sum_bytes = variable("occupancy_sum_bytes", lanes, 0.0);
  statistics.occupancy_max_bytes = variable("occupancy_max_bytes", lanes, 0.0);
  statistics.paused_steps = variable("paused_steps", lanes, 0.0);
  statistics.stalled_steps = variable("stalled_steps", lanes, 0.0);
  statistics.dropped_bytes = variable("dropped_bytes", lanes, 0.0);
  statistics.pauses = variable("pauses", lanes, std::int32_t{0});
}

void State::build_halo(const Layout& layout) {
  std::vector<std::int32_t> pack, unpack;
  std::int32_t hop = layout.hop_count();
  auto returned = static_cast<std::int32_t>(layout.in_lanes.size());
  const auto add = [](std::vector<std::int32_t>& items, std::int32_t i, HaloItem::Kind kind) {
    items.push_back(2 * i + kind);
  };
  for (const HaloNeighbor& neighbor : layout.halo.neighbors) {
    for (const std::int32_t h : neighbor.send_hops) {
      add(pack, h, HaloItem::hop);
    }
    for (const std::int32_t i : neighbor.send_returns) {
      add(pack, i, HaloItem::returned);
    }
    for (std::int32_t i = 0; i < neighbor.receive_hops; ++i) {
      add(unpack, hop++, HaloItem::hop);
    }
    for (std::int32_t i = 0; i < neighbor.receive_returns; ++i) {
      add(unpack, returned++, HaloItem::returned);
    }
  }
  constant("pack_index", pack);
  pack_index = integers_.back();
  constant("unpack_index", unpack);
  unpack_index = integers_.back();
  packed = allocate<double>("packed", pack.size());
  received = allocate<double>("received", unpack.size());
}

void State::swap() {
  std::swap(view_.left_now, view_.left_next);
  double* const oldest = view_.lane_sent_previous;
  view_.lane_sent_previous = view_.lane_sent_now;
  view_.lane_sent_now = view_.lane_sent_next;
  view_.lane_sent_next = oldest;
}

void State::grow() {
  if (pool_.grow_full()) {
    view_.curves = pool_.view();
  }
}

std::int64_t State::bytes() const { return bytes_ + pool_.bytes(); }

}  // namespace tailrace
