// SPDX-License-Identifier: Apache-2.0
// Turns the lanes' statistics into samples of the series and totals of the run.
#include "solver/sampling.hpp"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <limits>

#include "solver/base/units.hpp"

namespace tailrace {

namespace {

constexpr double steps_unit = 1 << 20;  // fixed point of sums of shares of steps

template <class T>
std::vector<T> to_host(const T* device, std::size_t count) {
  using Device =
      Kokkos::View<const T*, Execution::memory_space, Kokkos::MemoryTraits<Kokkos::Unmanaged>>;
  std::vector<T> host(count);
  if (count > 0) {
    Kokkos::deep_copy(Kokkos::View<T*, Kokkos::HostSpace, Kokkos::MemoryTraits<Kokkos::Unmanaged>>(
                          host.data(), count),
                      Device(device, count));
  }
  return host;
}

void set_zero(double* device, std::size_t count) {
  if (count > 0) {
    Kokkos::deep_copy(
        Kokkos::View<double*, Execution::memory_space, Kokkos::MemoryTraits<Kokkos::Unmanaged>>(
            device, count),
        0.0);
  }
}

std::vector<FieldInfo> lane_fields(const RunSettings& settings) {
  std::vector<FieldInfo> fields = {
      {"backlog_bytes", "bytes", "bytes waiting for the lane, mean over the interval"},
      {"backlog_max_bytes", "bytes", "bytes waiting for the lane, maximum in the interval"},
      {"occupancy_bytes", "bytes", "bytes in the receiver's buffer, mean over the interval"},
      {"occupancy_max_bytes", "bytes", "bytes in the receiver's buffer, maximum in the interval"},
      {"throughput_gbps", "Gbps", "bytes sent on the wire, mean over the interval"}};
  if (settings.flow_control == FlowControl::pfc) {
    fields.push_back({"paused_frac", "1", "share of the interval in which the sender was paused"});
    fields.push_back({"dropped_bytes", "bytes",
                      "bytes that came above XOFF and headroom, since the start of the run"});
  } else {
    fields.push_back({"credit_stalled_frac", "1",
                      "share of what the lane could have sent in the interval and had no credits "
                      "for"});
  }
  return fields;
}

const std::vector<FieldInfo>& tier_fields() {
  static const std::vector<FieldInfo> fields = {
      {"utilisation_frac", "1", "bytes sent by the tier's links / their capacity, interval mean"},
      {"backlog_bytes", "bytes", "bytes waiting for all lanes of the tier, interval mean"},
      {"backlog_max_bytes", "bytes", "largest backlog of a lane of the tier in the interval"},
      {"paused_frac", "1", "share of the interval in which lanes were paused, mean over the tier"},
      {"credit_stalled_frac", "1", "share of sending short of credits, mean over the tier"}};
  return fields;
}

const std::vector<FieldInfo>& fabric_fields() {
  static const std::vector<FieldInfo> fields = {
      {"injected_bytes", "bytes", "wire bytes that have left the endpoints since the start"},
      {"delivered_bytes", "bytes", "wire bytes that have left their last switch since the start"},
      {"queued_bytes", "bytes", "wire bytes waiting in switches"},
      {"in_flight_bytes", "bytes", "wire bytes on links between an endpoint and the last switch"},
      {"dropped_bytes", "bytes", "wire bytes that came above a lossless buffer since the start"},
      {"paused_lanes", "1", "lanes whose receiver asks for a pause"}};
  return fields;
}

}  // namespace

struct Sampler::Interval {
  double steps = 1, span_ns = 1;
  std::vector<double> backlog_sum, backlog_max, occupancy_sum, occupancy_max, paused, stalled,
      dropped, sent;
  std::vector<std::int32_t> pauses;
  std::vector<std::int8_t> paused_now;
};

Sampler::Sampler(const Graph& graph, const Layout& layout, const RunSettings& settings,
                 const OutputSettings& output, const Communicator& communicator,
                 const FixedPoint& unit)
    : graph_(graph),
      layout_(layout),
      settings_(settings),
      communicator_(communicator),
      unit_(unit),
      selection_(layout, output, communicator),
      tier_names_(graph.link_tier_names()) {
  tier_capacity_.assign(tier_names_.size(), 0);
  tier_links_.assign(tier_names_.size(), 0);
  for (std::int32_t l = 0; l < graph.link_count(); ++l) {
    const auto tier = static_cast<std::size_t>(graph.link_tier(LinkId{l}));
    tier_capacity_[tier] += graph.link_capacity_bytes_per_ns[static_cast<std::size_t>(l)];
    ++tier_links_[tier];
  }
  const auto lanes = static_cast<std::size_t>(layout.lane_count());
  for (std::size_t lane = 0; lane < lanes; ++lane) {
    lane_tier_.push_back(
        graph.link_tier(layout.links[lane / static_cast<std::size_t>(layout.class_count)]));
  }
  sent_before_.assign(lanes, 0);
  for (auto* total : {&backlog_peak_, &occupancy_peak_, &paused_steps_, &stalled_steps_, &sent_,
                      &lane_dropped_}) {
    total->assign(lanes, 0);
  }
  pauses_.assign(lanes, 0);
}

void Sampler::define(RunFile& file, std::vector<std::int64_t> flow_ids) {
  for (std::size_t slot = 0; slot < flow_ids.size(); ++slot) {
    const auto& flows = layout_.arrivals.flow;
    const auto found = std::lower_bound(flows.begin(), flows.end(), flow_ids[slot]);
    if (found != flows.end() && *found == flow_ids[slot]) {
      flow_arrival_.push_back(static_cast<std::int32_t>(found - flows.begin()));
      flow_slot_.push_back(static_cast<std::int64_t>(slot));
    }
  }
  flow_left_before_.assign(flow_arrival_.size(), 0);
  SeriesLayout series;
  series.lane_slots = selection_.slot_count();
  series.flow_ids = std::move(flow_ids);
  series.tier_names = tier_names_;
  file.define_series(series, lane_fields(settings_), tier_fields(), fabric_fields());
}

void Sampler::sample(const State& state, std::int64_t step, RunFile* file) {
  const auto begin = std::chrono::steady_clock::now();
  const StateView& view = state.view();
  const LaneStatistics& statistics = view.statistics;
  const auto lanes = static_cast<std::size_t>(layout_.lane_count());
  Interval interval;
  interval.steps = static_cast<double>(std::max<std::int64_t>(1, step - last_step_));
  interval.span_ns = interval.steps * settings_.dt_ns;
  interval.backlog_sum = to_host(statistics.backlog_sum_bytes, lanes);
  interval.backlog_max = to_host(statistics.backlog_max_bytes, lanes);
  interval.occupancy_sum = to_host(statistics.occupancy_sum_bytes, lanes);
  interval.occupancy_max = to_host(statistics.occupancy_max_bytes, lanes);
  interval.paused = to_host(statistics.paused_steps, lanes);
  interval.stalled = to_host(statistics.stalled_steps, lanes);
  interval.dropped = to_host(statistics.dropped_bytes, lanes);
  interval.pauses = to_host(statistics.pauses, lanes);
  interval.sent = to_host<double>(view.lane_sent_now, lanes);
  if (view.pfc) {
    interval.paused_now = to_host(view.paused, lanes);
  }
  for (double* sum :
       {statistics.backlog_sum_bytes, statistics.backlog_max_bytes, statistics.occupancy_sum_bytes,
        statistics.occupancy_max_bytes, statistics.paused_steps, statistics.stalled_steps}) {
    set_zero(sum, lanes);
  }
  fold(interval);
  sum_fabric(state, interval);
  if (file != nullptr) {
    sum_tiers(interval);
    selection_.update(backlog_peak_);
    Sample row;
    row.time_ns = static_cast<double>(step) * settings_.dt_ns;
    fill_lanes(interval, row);
    fill_flows(state, interval, row);
    row.tier_values = tier_values_;
    row.fabric_values = {
        unit_.bytes(totals_.injected), unit_.bytes(totals_.delivered),
        unit_.bytes(totals_.queued),   unit_.bytes(totals_.between - totals_.queued),
        unit_.bytes(dropped_),         static_cast<double>(paused_lanes_)};
    file->append(row);
  }
  sent_before_ = std::move(interval.sent);
  last_step_ = step;
  wall_s_ += std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
}

void Sampler::fold(const Interval& interval) {
  for (std::size_t l = 0; l < sent_.size(); ++l) {
    backlog_peak_[l] = std::max(backlog_peak_[l], interval.backlog_max[l]);
    occupancy_peak_[l] = std::max(occupancy_peak_[l], interval.occupancy_max[l]);
    paused_steps_[l] += interval.paused[l];
    stalled_steps_[l] += interval.stalled[l];
    pauses_[l] = interval.pauses[l];
    sent_[l] = interval.sent[l];
    lane_dropped_[l] = interval.dropped[l];
  }
}

void Sampler::sum_tiers(const Interval& interval) {
  const std::size_t tiers = tier_names_.size();
  std::vector<std::int64_t> sums(4 * tiers, 0);
  std::vector<double> largest(tiers, 0);
  for (std::size_t l = 0; l < sent_.size(); ++l) {
    const auto tier = static_cast<std::size_t>(lane_tier_[l]);
    sums[4 * tier] += unit_.of(interval.sent[l] - sent_before_[l]);
    sums[4 * tier + 1] += unit_.of(interval.backlog_sum[l] / interval.steps);
    sums[4 * tier + 2] += std::llround(interval.paused[l] / interval.steps * steps_unit);
    sums[4 * tier + 3] += std::llround(interval.stalled[l] / interval.steps * steps_unit);
    largest[tier] = std::max(largest[tier], interval.backlog_max[l]);
  }
  communicator_.sum_in_place(sums);
  communicator_.max_in_place(largest);
  tier_values_.assign(tier_fields().size(), std::vector<double>(tiers, 0));
  for (std::size_t t = 0; t < tiers; ++t) {
    if (tier_links_[t] == 0) {
      continue;
    }
    const double lanes = static_cast<double>(tier_links_[t] * layout_.class_count);
    tier_values_[0][t] = unit_.bytes(sums[4 * t]) / (tier_capacity_[t] * interval.span_ns);
    tier_values_[1][t] = unit_.bytes(sums[4 * t + 1]);
    tier_values_[2][t] = largest[t];
    tier_values_[3][t] = static_cast<double>(sums[4 * t + 2]) / steps_unit / lanes;
    tier_values_[4][t] = static_cast<double>(sums[4 * t + 3]) / steps_unit / lanes;
  }
}

void Sampler::fill_lanes(const Interval& interval, Sample& sample) const {
  const double steps = interval.steps;
  sample.lane_slot = selection_.slots();
  const bool pfc = settings_.flow_control == FlowControl::pfc;
  sample.lane_values.resize(pfc ? 7 : 6);
  for (const std::int32_t lane : selection_.lanes()) {
    const auto l = static_cast<std::size_t>(lane);
    sample.lane_id.push_back(layout_.global_lane(lane));
    std::vector<double> values = {
        interval.backlog_sum[l] / steps, interval.backlog_max[l], interval.occupancy_sum[l] / steps,
        interval.occupancy_max[l],
        gbps_from_bytes_per_ns((interval.sent[l] - sent_before_[l]) / interval.span_ns)};
    if (pfc) {
      values.push_back(interval.paused[l] / steps);
      values.push_back(interval.dropped[l]);
    } else {
      values.push_back(interval.stalled[l] / steps);
    }
    for (std::size_t f = 0; f < values.size(); ++f) {
      sample.lane_values[f].push_back(static_cast<float>(values[f]));
    }
  }
}

void Sampler::fill_flows(const State& state, const Interval& interval, Sample& sample) {
  if (flow_arrival_.empty()) {
    return;
  }
  const std::vector<double> left =
      to_host<double>(state.view().left_now, static_cast<std::size_t>(layout_.hop_count()));
  sample.flow_slot = flow_slot_;
  for (std::size_t i = 0; i < flow_arrival_.size(); ++i) {
    const double now = left[static_cast<std::size_t>(
        layout_.arrivals.hop[static_cast<std::size_t>(flow_arrival_[i])])];
    sample.flow_rate_gbps.push_back(static_cast<float>(
        gbps_from_bytes_per_ns((now - flow_left_before_[i]) / interval.span_ns)));
    flow_left_before_[i] = now;
  }
}

void Sampler::sum_fabric(const State& state, const Interval& interval) {
  totals_ = sum_bytes(state.view(), layout_, unit_);
  std::vector<std::int64_t> sums = {
      totals_.injected, totals_.delivered, totals_.queued, totals_.between, 0, 0};
  for (std::size_t l = 0; l < interval.dropped.size(); ++l) {
    sums[4] += unit_.of(interval.dropped[l]);
  }
  for (const std::int8_t paused : interval.paused_now) {
    sums[5] += paused;
  }
  communicator_.sum_in_place(sums);
  totals_ = {sums[0], sums[1], sums[2], sums[3]};
  dropped_ = sums[4];
  paused_lanes_ = sums[5];
}

std::string Sampler::lane_name(std::int64_t global_lane) const {
  const auto link = static_cast<std::size_t>(global_lane / layout_.class_count);
  std::string name = graph_.node_name(graph_.link_source[link]) + "->" +
                     graph_.node_name(graph_.link_target[link]);
  if (layout_.class_count > 1) {
    name +=
        "/" + settings_.classes[static_cast<std::size_t>(global_lane % layout_.class_count)].name;
  }
  return name;
}

template <class IsWanted>
std::string Sampler::first_lane(const IsWanted& is_wanted) const {
  std::int64_t first = std::numeric_limits<std::int64_t>::max();
  for (std::size_t l = 0; l < sent_.size(); ++l) {
    if (is_wanted(l)) {
      first = std::min(first, layout_.global_lane(static_cast<std::int32_t>(l)));
    }
  }
  return lane_name(communicator_.min(first));
}

std::string Sampler::worst_loss_lane() const {
  double worst = 0;
  for (const double dropped : lane_dropped_) {
    worst = std::max(worst, dropped);
  }
  worst = communicator_.max(worst);
  return first_lane([&](std::size_t l) { return lane_dropped_[l] == worst; });
}

std::vector<TierResult> Sampler::tier_results() const {
  const std::size_t tiers = tier_names_.size();
  std::vector<double> peaks(2 * tiers, 0), capacity(tiers, 0);
  std::vector<std::int64_t> sums(4 * tiers, 0);
  for (std::int32_t l = 0; l < graph_.link_count(); ++l) {
    const auto tier = static_cast<std::size_t>(graph_.link_tier(LinkId{l}));
    capacity[tier] =
        std::max(capacity[tier], graph_.link_capacity_bytes_per_ns[static_cast<std::size_t>(l)]);
  }
  for (std::size_t l = 0; l < sent_.size(); ++l) {
    const auto tier = static_cast<std::size_t>(lane_tier_[l]);
    peaks[2 * tier] = std::max(peaks[2 * tier], backlog_peak_[l]);
    peaks[2 * tier + 1] = std::max(peaks[2 * tier + 1], occupancy_peak_[l]);
    sums[4 * tier] += unit_.of(sent_[l]);
    sums[4 * tier + 1] += pauses_[l];
    sums[4 * tier + 2] += std::llround(paused_steps_[l] * 1024);
    sums[4 * tier + 3] += std::llround(stalled_steps_[l] * 1024);
  }
  communicator_.max_in_place(peaks);
  communicator_.sum_in_place(sums);
  std::vector<TierResult> results;
  const double steps = static_cast<double>(std::max<std::int64_t>(1, last_step_));
  for (std::size_t t = 0; t < tiers; ++t) {
    TierResult result;
    result.name = tier_names_[t];
    result.links = tier_links_[t];
    result.capacity_gbps = gbps_from_bytes_per_ns(capacity[t]);
    result.bytes = unit_.bytes(sums[4 * t]);
    result.utilisation_mean_frac =
        tier_links_[t] > 0 ? result.bytes / (tier_capacity_[t] * steps * settings_.dt_ns) : 0;
    result.backlog_peak_bytes = peaks[2 * t];
    if (peaks[2 * t] > 0) {
      result.backlog_peak_lane = first_lane([&](std::size_t l) {
        return static_cast<std::size_t>(lane_tier_[l]) == t && backlog_peak_[l] == peaks[2 * t];
      });
    }
    result.occupancy_peak_bytes = peaks[2 * t + 1];
    const double lane_steps =
        static_cast<double>(std::max<std::int64_t>(1, tier_links_[t]) * layout_.class_count) *
        steps;
    result.pauses = sums[4 * t + 1];
    result.paused_mean_frac = static_cast<double>(sums[4 * t + 2]) / 1024 / lane_steps;
    result.credit_stalled_mean_frac = static_cast<double>(sums[4 * t + 3]) / 1024 / lane_steps;
    results.push_back(result);
  }
  return results;
}

}  // namespace tailrace
