// SPDX-License-Identifier: Apache-2.0
// Streams over the flows and lays this rank's hops out in the order in which the step visits them.
#include "solver/layout.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>

#include "models/wire.hpp"

namespace tailrace {

namespace {

constexpr std::int32_t none = -1;

std::size_t index(LinkId link) { return static_cast<std::size_t>(link.value); }
std::size_t index(NodeId node) { return static_cast<std::size_t>(node.value); }

/// A hop of this rank before the hops are ordered.
struct HopRecord {
  std::int64_t flow;
  LinkId link, in_link;      // in_link invalid at the flow's source
  std::int32_t upstream;     // record, ghost (-2 - ghost), or none
  std::int32_t source;       // source that feeds it, or none
  std::int32_t delay_steps;  // of what arrives
  std::int32_t traffic_class;
};

/// A hop that another rank reads: a record of ours, or the last hop of a flow (not yet seen).
struct SendReference {
  std::int32_t record;
  std::int64_t last_of_flow;
};

struct NeighborDraft {
  std::vector<SendReference> send;
  std::vector<std::int32_t> receive;  // draft ghost numbers, in the order of the sender
};

class LayoutBuilder {
 public:
  LayoutBuilder(const Graph& graph, const Router& router, const Workload& workload,
                const std::vector<Rank>& owner, Rank rank, const RunSettings& settings)
      : graph_(graph),
        router_(router),
        workload_(workload),
        owner_(owner),
        rank_(rank),
        settings_(settings) {
    layout_.class_count = settings.class_count();
    layout_.sources.message_begin.push_back(0);
    layout_.arrivals.message_begin.push_back(0);
  }

  Layout build() {
    const std::int64_t flows = workload_.flow_count();
    for (std::int64_t f = 0; f < flows; ++f) {
      add_flow(FlowId{f});
    }
    layout_.arrivals.data_flows = static_cast<std::int64_t>(layout_.arrivals.flow.size());
    for (std::int64_t f = 0; settings_.acknowledgements && f < flows; ++f) {
      add_acknowledgements(FlowId{f});
    }
    order_hops();
    number_ghosts();
    resolve_upstream();
    build_in_lanes();
    build_returns();
    build_link_facts();
    return std::move(layout_);
  }

 private:
  bool mine(NodeId node) const { return owner_[index(node)] == rank_; }
  bool mine(LinkId link) const { return mine(graph_.link_source[index(link)]); }
  Rank owner(LinkId link) const { return owner_[index(graph_.link_source[index(link)])]; }
  std::int32_t steps(LinkId link) const {
    return latency_steps(graph_.link_latency_ns[index(link)], settings_.dt_ns);
  }

  void add_flow(FlowId id) {
    const FlowSpec spec = workload_.flow(id);
    router_.route({spec.source, spec.target, spec.hash_key, spec.via}, route_);
    messages_known_ = false;
    const std::int32_t source = mine(route_.front()) ? add_source(id, spec) : none;
    trace(id.value, spec.traffic_class, source);
    if (mine(route_.back())) {
      add_arrival(id, spec);
    }
    if (spec.upstream.valid()) {
      const FlowSpec upstream = workload_.flow(spec.upstream);
      router_.route({upstream.source, upstream.target, upstream.hash_key, upstream.via},
                    upstream_route_);
      const double slice_ns = settings_.slice_bytes * pipeline_ratio(spec) /
                              graph_.link_capacity_bytes_per_ns[index(route_.front())];
      chain(spec.upstream, spec.source, source, settings_.forward_delay_ns + slice_ns);
    }
  }

  /// The acknowledgements of a flow are a flow of their own: back on the same links, one small
  /// packet for each that arrives, without a delay at the endpoint.
  void add_acknowledgements(FlowId id) {
    const FlowSpec spec = workload_.flow(id);
    router_.route({spec.source, spec.target, spec.hash_key, spec.via}, upstream_route_);
    route_.clear();
    for (auto link = upstream_route_.rbegin(); link != upstream_route_.rend(); ++link) {
      route_.push_back(Graph::reverse(*link));
    }
    messages_known_ = false;
    std::int32_t source = none;
    if (mine(route_.front())) {
      load_messages(id, spec);
      source = new_source(0, acknowledgement_share());
      layout_.sources.start_steps.push_back(0);
      layout_.sources.wire_end_bytes.push_back(wire_ends_.back() * acknowledgement_share());
      close_source();
    }
    const std::int64_t number = workload_.flow_count() + id.value;
    trace(number, spec.traffic_class, source);
    if (mine(route_.back())) {
      add_acknowledged(id, number, spec);
    }
    chain(id, spec.target, source, 0);
  }

  /// Wire bytes of acknowledgements per wire byte of data.
  double acknowledgement_share() const {
    return settings_.acknowledgement_bytes / settings_.packet_wire_bytes();
  }

  /// This rank's hops along route_.
  void trace(std::int64_t flow, std::int32_t traffic_class, std::int32_t source) {
    for (std::size_t i = 0; i < route_.size(); ++i) {
      if (mine(route_[i])) {
        add_hop(flow, traffic_class, i, i == 0 ? source : none);
      } else if (i > 0 && mine(route_[i - 1])) {
        drafts_[owner(route_[i])].send.push_back({last_record(), 0});
      }
    }
  }

  std::int32_t last_record() const { return static_cast<std::int32_t>(records_.size()) - 1; }

  void add_hop(std::int64_t flow, std::int32_t traffic_class, std::size_t position,
               std::int32_t source) {
    HopRecord record{flow, route_[position], LinkId{}, none, source, 0, traffic_class};
    if (position > 0) {
      record.in_link = route_[position - 1];
      record.delay_steps = steps(record.in_link) - 1;
      record.upstream = mine(record.in_link) ? last_record() : new_ghost(owner(record.in_link));
    }
    records_.push_back(record);
  }

  std::int32_t new_ghost(Rank from) {
    drafts_[from].receive.push_back(ghosts_);
    return -2 - ghosts_++;
  }

  /// Wire bytes per payload byte of a pipeline's flow: it sends its share in full packets, and
  /// shares below one packet as one packet each.
  double pipeline_ratio(const FlowSpec& spec) const {
    const double packet = spec.head_start_bytes > 0
                              ? std::min(spec.head_start_bytes, settings_.mtu_bytes)
                              : settings_.mtu_bytes;
    return (packet + settings_.header_bytes) / packet;
  }

  void load_messages(FlowId id, const FlowSpec& spec) {
    if (messages_known_) {
      return;
    }
    workload_.messages(id, messages_);
    wire_ends_.clear();
    double wire = 0;
    for (const MessageSpec& message : messages_) {
      wire += spec.upstream.valid()
                  ? message.bytes * pipeline_ratio(spec)
                  : wire_bytes(message.bytes, settings_.mtu_bytes, settings_.header_bytes);
      wire_ends_.push_back(wire);
    }
    messages_known_ = true;
  }

  /// A source whose messages follow; `head_start` in wire bytes, `gain`: wire bytes per byte
  /// received.
  std::int32_t new_source(double head_start, double gain) {
    SourceTable& sources = layout_.sources;
    sources.head_start_bytes.push_back(head_start);
    sources.gain.push_back(gain);
    sources.hop.push_back(static_cast<std::int32_t>(records_.size()));  // a record until ordered
    return static_cast<std::int32_t>(sources.hop.size()) - 1;
  }

  void close_source() {
    layout_.sources.message_begin.push_back(
        static_cast<std::int64_t>(layout_.sources.start_steps.size()));
  }

  std::int32_t add_source(FlowId id, const FlowSpec& spec) {
    load_messages(id, spec);
    const bool chained = spec.upstream.valid();
    const std::int32_t source = new_source(
        chained ? spec.head_start_bytes * pipeline_ratio(spec)
                : std::numeric_limits<double>::infinity(),
        chained ? pipeline_ratio(spec) / pipeline_ratio(workload_.flow(spec.upstream)) : 1.0);
    for (std::size_t m = 0; m < messages_.size(); ++m) {
      layout_.sources.start_steps.push_back(messages_[m].start_ns / settings_.dt_ns);
      layout_.sources.wire_end_bytes.push_back(wire_ends_[m]);
    }
    close_source();
    return source;
  }

  struct RouteFacts {
    double capacity_bytes_per_ns = std::numeric_limits<double>::infinity(), latency_ns = 0;
    std::int32_t steps = 0;
  };

  RouteFacts facts(const std::vector<LinkId>& route) const {
    RouteFacts result;
    for (const LinkId link : route) {
      result.capacity_bytes_per_ns =
          std::min(result.capacity_bytes_per_ns, graph_.link_capacity_bytes_per_ns[index(link)]);
      result.latency_ns += graph_.link_latency_ns[index(link)];
      result.steps += steps(link);
    }
    return result;
  }

  void add_arrival(FlowId id, const FlowSpec& spec) {
    load_messages(id, spec);
    add_messages(id.value, facts(route_), RouteFacts{}, 1, spec.upstream.valid());
  }

  /// When the sender knows: data there, acknowledgements back.
  void add_acknowledged(FlowId id, std::int64_t number, const FlowSpec& spec) {
    load_messages(id, spec);
    add_messages(number, facts(upstream_route_), facts(route_), acknowledgement_share(),
                 spec.upstream.valid());
  }

  /// Part of a step that lies before `time_ns`, in [0, 1).
  double place_in_step(double time_ns) const {
    const double count = time_ns / settings_.dt_ns;
    return count - std::floor(count);
  }

  /// Messages of data that went `there`; what arrives here came `back`, `share` bytes per byte.
  void add_messages(std::int64_t flow, const RouteFacts& there, const RouteFacts& back,
                    double share, bool is_pipeline) {
    ArrivalTable& arrivals = layout_.arrivals;
    const std::int32_t last_steps = steps(route_.back());
    const double capacity = there.capacity_bytes_per_ns;
    arrivals.flow.push_back(flow);
    arrivals.hop.push_back(last_record());
    arrivals.last_latency_ns.push_back(last_steps * settings_.dt_ns);
    arrivals.capacity_bytes_per_ns.push_back(share < 1 ? share * capacity : capacity);
    double before = 0, sent_ns = 0;
    for (std::size_t m = 0; m < messages_.size(); ++m) {
      const double wire = wire_ends_[m] - before;
      sent_ns = std::max(sent_ns, messages_[m].start_ns) + wire / capacity;
      arrivals.earliest_steps.push_back(is_pipeline ? place_in_step(messages_[m].start_ns) - 1
                                                    : sent_ns / settings_.dt_ns + there.steps +
                                                          back.steps - last_steps);
      arrivals.wire_end_bytes.push_back(wire_ends_[m] * share);
      arrivals.bytes.push_back(messages_[m].bytes);
      arrivals.start_ns.push_back(messages_[m].start_ns);
      arrivals.ideal_ns.push_back(wire / capacity + there.latency_ns + back.latency_ns);
      arrivals.group.push_back(messages_[m].group);
      before = wire_ends_[m];
    }
    arrivals.message_begin.push_back(static_cast<std::int64_t>(arrivals.bytes.size()));
  }

  /// Ties the source at `endpoint` to the curve that it receives by flow `upstream`, which comes by
  /// upstream_route_.
  void chain(FlowId upstream, NodeId endpoint, std::int32_t source, double delay_ns) {
    const LinkId last = upstream_route_.back();
    if (source == none) {
      if (mine(last)) {
        drafts_[owner_[index(endpoint)]].send.push_back({none, upstream.value});
      }
      return;
    }
    HopRecord& record = records_[static_cast<std::size_t>(layout_.sources.hop.back())];
    record.delay_steps =
        steps(last) - 1 + static_cast<std::int32_t>(std::lround(delay_ns / settings_.dt_ns));
    if (mine(last)) {
      chained_.push_back({layout_.sources.hop.back(), upstream.value});
    } else {
      record.upstream = new_ghost(owner(last));
    }
  }

  /// Sorts the records by link, class, incoming link and flow, and cuts them into lanes and queues.
  void order_hops() {
    const std::size_t count = records_.size();
    std::vector<std::int32_t> order(count);
    std::vector<std::int32_t> begin(static_cast<std::size_t>(graph_.link_count()) + 1, 0);
    for (const HopRecord& record : records_) {
      ++begin[index(record.link) + 1];
    }
    for (std::size_t l = 1; l < begin.size(); ++l) {
      if (begin[l] > 0) {
        layout_.links.push_back(LinkId{static_cast<std::int32_t>(l) - 1});
      }
      begin[l] += begin[l - 1];
    }
    std::vector<std::int32_t> next(begin.begin(), begin.end() - 1);
    for (std::size_t r = 0; r < count; ++r) {
      order[static_cast<std::size_t>(next[index(records_[r].link)]++)] =
          static_cast<std::int32_t>(r);
    }
    position_.resize(count);
    layout_.lane_queue_begin.push_back(0);
    for (const LinkId link : layout_.links) {
      auto* first = order.data() + begin[index(link)];
      auto* last = order.data() + begin[index(link) + 1];
      std::sort(first, last, [this](std::int32_t a, std::int32_t b) { return before(a, b); });
      cut_link(first, last, static_cast<std::int32_t>(first - order.data()));
    }
    layout_.queue_hop_begin.push_back(static_cast<std::int32_t>(count));
    for (std::int32_t& hop : layout_.sources.hop) {
      hop = position_[static_cast<std::size_t>(hop)];
    }
    for (std::size_t i = 0; i < layout_.arrivals.hop.size(); ++i) {
      layout_.arrivals.hop[i] = position_[static_cast<std::size_t>(layout_.arrivals.hop[i])];
    }
  }

  bool before(std::int32_t a, std::int32_t b) const {
    const HopRecord& x = records_[static_cast<std::size_t>(a)];
    const HopRecord& y = records_[static_cast<std::size_t>(b)];
    if (x.traffic_class != y.traffic_class) {
      return x.traffic_class < y.traffic_class;
    }
    if (x.in_link != y.in_link) {
      return x.in_link < y.in_link;
    }
    return x.flow < y.flow;
  }

  void cut_link(const std::int32_t* first, const std::int32_t* last, std::int32_t hop) {
    const std::int32_t* r = first;
    for (std::int32_t c = 0; c < layout_.class_count; ++c) {
      const HopRecord* previous = nullptr;
      for (; r != last && records_[static_cast<std::size_t>(*r)].traffic_class == c; ++r, ++hop) {
        const HopRecord& record = records_[static_cast<std::size_t>(*r)];
        position_[static_cast<std::size_t>(*r)] = hop;
        if (previous == nullptr || record.source != none || record.in_link != previous->in_link) {
          layout_.queue_hop_begin.push_back(hop);
          layout_.queue_delay_steps.push_back(record.delay_steps);
          layout_.queue_source.push_back(record.source);
          queue_in_link_.push_back(record.in_link);
        }
        previous = &record;
      }
      layout_.lane_queue_begin.push_back(static_cast<std::int32_t>(layout_.queue_source.size()));
    }
  }

  /// Numbers the ghosts neighbour by neighbour, each in the order in which its owner sends them.
  void number_ghosts() {
    ghost_index_.resize(static_cast<std::size_t>(ghosts_));
    std::int32_t next = layout_.queue_hop_begin.back();
    for (const auto& [rank, draft] : drafts_) {
      HaloNeighbor neighbor;
      neighbor.rank = rank;
      neighbor.receive_hops = static_cast<std::int32_t>(draft.receive.size());
      for (const std::int32_t ghost : draft.receive) {
        ghost_index_[static_cast<std::size_t>(ghost)] = next++;
      }
      for (const SendReference& reference : draft.send) {
        neighbor.send_hops.push_back(reference.record != none
                                         ? position_[static_cast<std::size_t>(reference.record)]
                                         : last_hop(reference.last_of_flow));
      }
      layout_.halo.neighbors.push_back(std::move(neighbor));
    }
    layout_.hop_ghost_count = ghosts_;
  }

  std::int32_t last_hop(std::int64_t flow) const {
    const auto& flows = layout_.arrivals.flow;
    const auto found = std::lower_bound(flows.begin(), flows.end(), flow);
    TAILRACE_REQUIRE(found != flows.end() && *found == flow,
                     fmt::format("flow {} feeds a pipeline but does not end on this rank", flow));
    return layout_.arrivals.hop[static_cast<std::size_t>(found - flows.begin())];
  }

  void resolve_upstream() {
    layout_.hop_upstream.assign(records_.size(), none);
    for (std::size_t r = 0; r < records_.size(); ++r) {
      const std::int32_t upstream = records_[r].upstream;
      std::int32_t& target = layout_.hop_upstream[static_cast<std::size_t>(position_[r])];
      if (upstream >= 0) {
        target = position_[static_cast<std::size_t>(upstream)];
      } else if (upstream < none) {
        target = ghost_index_[static_cast<std::size_t>(-2 - upstream)];
      }
    }
    for (const auto& [record, flow] : chained_) {
      layout_.hop_upstream[static_cast<std::size_t>(position_[static_cast<std::size_t>(record)])] =
          last_hop(flow);
    }
    records_ = {};
    position_ = {};
  }

  std::int64_t lane_id(LinkId link, std::int32_t traffic_class) const {
    return static_cast<std::int64_t>(link.value) * layout_.class_count + traffic_class;
  }

  /// Lanes that end at this rank's switches, each with the queues that it fills.
  void build_in_lanes() {
    std::vector<std::pair<std::int64_t, std::int32_t>> pairs;  // in-lane, queue
    for (std::int32_t lane = 0; lane < layout_.lane_count(); ++lane) {
      for (std::int32_t q = layout_.lane_queue_begin[static_cast<std::size_t>(lane)];
           q < layout_.lane_queue_begin[static_cast<std::size_t>(lane) + 1]; ++q) {
        if (const LinkId in = queue_in_link_[static_cast<std::size_t>(q)]; in.valid()) {
          pairs.emplace_back(lane_id(in, lane % layout_.class_count), q);
        }
      }
    }
    std::sort(pairs.begin(), pairs.end());
    for (const auto& [lane, queue] : pairs) {
      if (layout_.in_lanes.empty() || layout_.in_lanes.back() != lane) {
        layout_.in_lanes.push_back(lane);
        layout_.in_lane_queue_begin.push_back(
            static_cast<std::int32_t>(layout_.in_lane_queues.size()));
      }
      layout_.in_lane_queues.push_back(queue);
    }
    layout_.in_lane_queue_begin.push_back(static_cast<std::int32_t>(layout_.in_lane_queues.size()));
  }

  HaloNeighbor& neighbor(Rank rank) {
    auto& all = layout_.halo.neighbors;
    auto place = std::lower_bound(all.begin(), all.end(), rank,
                                  [](const HaloNeighbor& n, Rank r) { return n.rank < r; });
    if (place == all.end() || place->rank != rank) {
      place = all.insert(place, HaloNeighbor{rank, {}, {}, 0, 0});
    }
    return *place;
  }

  /// Which return curve each lane reads, and which of ours other ranks read.
  void build_returns() {
    for (std::size_t i = 0; i < layout_.in_lanes.size(); ++i) {
      const LinkId link{static_cast<std::int32_t>(layout_.in_lanes[i] / layout_.class_count)};
      if (!mine(link)) {
        neighbor(owner(link)).send_returns.push_back(static_cast<std::int32_t>(i));
      }
    }
    std::map<Rank, std::vector<std::int32_t>> remote;  // lanes by the owner of their target
    layout_.lane_return.assign(static_cast<std::size_t>(layout_.lane_count()), none);
    for (std::int32_t lane = 0; lane < layout_.lane_count(); ++lane) {
      const std::size_t l = static_cast<std::size_t>(lane);
      const LinkId link = layout_.links[l / static_cast<std::size_t>(layout_.class_count)];
      const NodeId target = graph_.link_target[index(link)];
      if (graph_.is_endpoint(target) ||
          layout_.lane_queue_begin[l] == layout_.lane_queue_begin[l + 1]) {
        continue;
      }
      if (mine(target)) {
        const auto found = std::lower_bound(layout_.in_lanes.begin(), layout_.in_lanes.end(),
                                            layout_.global_lane(lane));
        layout_.lane_return[l] = static_cast<std::int32_t>(found - layout_.in_lanes.begin());
      } else {
        remote[owner_[index(target)]].push_back(lane);
      }
    }
    for (const auto& [rank, lanes] : remote) {
      neighbor(rank).receive_returns = static_cast<std::int32_t>(lanes.size());
    }
    std::int32_t next = static_cast<std::int32_t>(layout_.in_lanes.size());
    for (const auto& [rank, lanes] : remote) {  // ascending ranks, as the neighbours
      for (const std::int32_t lane : lanes) {
        layout_.lane_return[static_cast<std::size_t>(lane)] = next++;
      }
    }
  }

  void build_link_facts() {
    for (const LinkId link : layout_.links) {
      layout_.link_at_endpoint.push_back(graph_.is_endpoint(graph_.link_source[index(link)]) ? 1
                                                                                             : 0);
    }
  }

  const Graph& graph_;
  const Router& router_;
  const Workload& workload_;
  const std::vector<Rank>& owner_;
  const Rank rank_;
  const RunSettings& settings_;
  Layout layout_;
  std::vector<LinkId> route_, upstream_route_;
  std::vector<MessageSpec> messages_;
  std::vector<double> wire_ends_;
  bool messages_known_ = false;
  std::vector<HopRecord> records_;
  std::vector<std::int32_t> position_;  // hop of each record
  std::vector<LinkId> queue_in_link_;
  std::vector<std::pair<std::int32_t, std::int64_t>> chained_;  // source's record, upstream flow
  std::map<Rank, NeighborDraft> drafts_;
  std::int32_t ghosts_ = 0;
  std::vector<std::int32_t> ghost_index_;
};

}  // namespace

void count_hops(const Workload& workload, const Router& router, const Graph& graph,
                std::int64_t first, std::int64_t last, std::vector<std::int64_t>& weights) {
  std::vector<LinkId> route;
  for (std::int64_t f = first; f < last; ++f) {
    const FlowSpec spec = workload.flow(FlowId{f});
    router.route({spec.source, spec.target, spec.hash_key, spec.via}, route);
    for (const LinkId link : route) {
      ++weights[index(graph.link_source[index(link)])];
    }
  }
}

Layout build_layout(const Graph& graph, const Router& router, const Workload& workload,
                    const std::vector<Rank>& owner, Rank rank, const RunSettings& settings) {
  return LayoutBuilder(graph, router, workload, owner, rank, settings).build();
}

}  // namespace tailrace
