// SPDX-License-Identifier: Apache-2.0
// Shortest up-down routes on any graph: distances to a target by phase, and the walk along them.
#include "topology/up_down.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <limits>
#include <mutex>
#include <numeric>
#include <queue>

#include "solver/base/errors.hpp"

namespace tailrace {

namespace {

std::size_t at(std::int32_t i) { return static_cast<std::size_t>(i); }

constexpr std::uint32_t infinite = std::numeric_limits<std::uint32_t>::max() / 4;

std::uint16_t one_more(std::uint16_t distance) {
  // 65,534 hops and more count as unreachable.
  return distance >= UpDownRoutes::unreachable - 1 ? UpDownRoutes::unreachable
                                                   : static_cast<std::uint16_t>(distance + 1);
}

}  // namespace

UpDownRoutes::UpDownRoutes(const Graph& graph, std::size_t largest_tables_bytes)
    : graph_(graph),
      largest_tables_bytes_(largest_tables_bytes),
      switches_(graph.node_count() - graph.endpoint_count) {
  order_switches();
  build_steps();
  tables_.resize(at(graph.node_count()));
}

void UpDownRoutes::order_switches() {
  // Hops from the first member among joined switches of the same tier.
  std::vector<std::int32_t> level(at(switches_), -1);
  std::queue<std::int32_t> pending;
  for (std::int32_t root = 0; root < switches_; ++root) {
    if (level[at(root)] >= 0) continue;
    level[at(root)] = 0;
    pending.push(root);
    while (!pending.empty()) {
      const std::int32_t s = pending.front();
      pending.pop();
      const auto tier = graph_.node_tier[at(switch_node(s).value)];
      for (const LinkId l : graph_.links_from(switch_node(s))) {
        const NodeId to = graph_.link_target[at(l.value)];
        if (graph_.node_tier[at(to.value)] != tier || graph_.is_endpoint(to)) continue;
        std::int32_t& reached = level[at(switch_index(to))];
        if (reached >= 0) continue;
        reached = level[at(s)] + 1;
        pending.push(switch_index(to));
      }
    }
  }
  descending_.resize(at(switches_));
  std::iota(descending_.begin(), descending_.end(), 0);
  std::stable_sort(descending_.begin(), descending_.end(), [&](std::int32_t a, std::int32_t b) {
    const auto tier_a = graph_.node_tier[at(switch_node(a).value)];
    const auto tier_b = graph_.node_tier[at(switch_node(b).value)];
    return tier_a != tier_b ? tier_a > tier_b : level[at(a)] < level[at(b)];
  });
  height_.resize(at(switches_));
  for (std::int32_t place = 0; place < switches_; ++place) {
    height_[at(descending_[at(place)])] = place;
  }
}

void UpDownRoutes::build_steps() {
  std::vector<std::uint32_t> most_ups(at(graph_.tier_count + 1), 1);
  first_step_.push_back(0);
  for (std::int32_t s = 0; s < switches_; ++s) {
    for (const bool upwards : {true, false}) {
      if (!upwards) first_down_.push_back(static_cast<std::int32_t>(steps_.size()));
      for (const LinkId l : graph_.links_from(switch_node(s))) {
        const NodeId to = graph_.link_target[at(l.value)];
        if (graph_.is_endpoint(to) || is_up(l) != upwards) continue;
        steps_.push_back({l, switch_index(to)});
      }
    }
    first_step_.push_back(static_cast<std::int32_t>(steps_.size()));
    std::uint32_t& most = most_ups[at(graph_.node_tier[at(switch_node(s).value)])];
    most = std::max(most, static_cast<std::uint32_t>(ups(s).size()));
  }
  stride_.assign(at(graph_.tier_count + 1), 1);
  for (std::size_t tier = 1; tier < stride_.size(); ++tier) {
    // Beyond the number of endpoints a stride tells nothing apart any more.
    const std::uint64_t product = std::uint64_t{stride_[tier - 1]} * most_ups[tier - 1];
    stride_[tier] = static_cast<std::uint32_t>(std::min<std::uint64_t>(product, 1U << 30));
  }
}

std::span<const UpDownRoutes::Step> UpDownRoutes::ups(std::int32_t s) const {
  return {steps_.data() + first_step_[at(s)], steps_.data() + first_down_[at(s)]};
}

std::span<const UpDownRoutes::Step> UpDownRoutes::downs(std::int32_t s) const {
  return {steps_.data() + first_down_[at(s)], steps_.data() + first_step_[at(s) + 1]};
}

bool UpDownRoutes::is_up(LinkId l) const {
  const NodeId from = graph_.link_source[at(l.value)];
  const NodeId to = graph_.link_target[at(l.value)];
  if (graph_.is_endpoint(to)) return false;
  if (graph_.is_endpoint(from)) return true;
  return height_[at(switch_index(to))] < height_[at(switch_index(from))];
}

std::shared_ptr<const UpDownRoutes::Distances> UpDownRoutes::distances_to(NodeId target) const {
  {
    const std::shared_lock lock(mutex_);
    if (tables_[at(target.value)]) return tables_[at(target.value)];
  }
  auto table = std::make_shared<const Distances>(compute_distances(target));
  const std::unique_lock lock(mutex_);
  if (tables_[at(target.value)]) return tables_[at(target.value)];
  const std::size_t table_bytes = 3 * sizeof(std::uint16_t) * at(switches_);
  if ((tables_kept_ + 1) * table_bytes > largest_tables_bytes_) {
    std::fill(tables_.begin(), tables_.end(), nullptr);
    tables_kept_ = 0;
  }
  ++tables_kept_;
  tables_[at(target.value)] = table;
  return table;
}

UpDownRoutes::Distances UpDownRoutes::compute_distances(NodeId target) const {
  Distances result;
  result.up.assign(at(switches_), unreachable);
  result.down.assign(at(switches_), unreachable);
  if (graph_.is_endpoint(target)) {
    for (const LinkId l : graph_.links_from(target)) {
      result.down[at(switch_index(graph_.link_target[at(l.value)]))] = 1;
    }
  } else {
    result.up[at(switch_index(target))] = result.down[at(switch_index(target))] = 0;
  }
  // Every downward link leads to a later place in descending order, so one pass suffices.
  for (auto s = descending_.rbegin(); s != descending_.rend(); ++s) {
    std::uint16_t& down = result.down[at(*s)];
    for (const Step& step : downs(*s)) down = std::min(down, one_more(result.down[at(step.to)]));
  }
  result.any = result.down;
  for (const std::int32_t s : descending_) {
    for (const Step& step : ups(s)) {
      result.up[at(s)] = std::min(result.up[at(s)], one_more(result.up[at(step.to)]));
      result.any[at(s)] = std::min(result.any[at(s)], one_more(result.any[at(step.to)]));
    }
  }
  return result;
}

std::uint32_t UpDownRoutes::distance_from(NodeId from, const Distances& distances,
                                          Phase phase) const {
  const auto& values = phase == Phase::up    ? distances.up
                       : phase == Phase::any ? distances.any
                                             : distances.down;
  if (!graph_.is_endpoint(from)) {
    const std::uint16_t distance = values[at(switch_index(from))];
    return distance == unreachable ? infinite : distance;
  }
  if (phase == Phase::down) return infinite;
  std::uint32_t smallest = infinite;
  for (const LinkId l : graph_.links_from(from)) {
    const NodeId neighbour = graph_.link_target[at(l.value)];
    smallest = std::min(smallest, distance_from(neighbour, distances, phase) + 1);
  }
  return std::min(smallest, infinite);
}

// The switch that an endpoint hangs on, or none when it hangs on several.
NodeId UpDownRoutes::only_switch_of(NodeId endpoint) const {
  NodeId only;
  for (const LinkId l : graph_.links_from(endpoint)) {
    const NodeId neighbour = graph_.link_target[at(l.value)];
    if (only.valid() && only != neighbour) return NodeId{};
    only = neighbour;
  }
  return only;
}

std::optional<std::int32_t> UpDownRoutes::hops(NodeId source, NodeId target) const {
  const NodeId last = only_switch_of(target);
  const auto distances = distances_to(last.valid() ? last : target);
  const std::uint32_t distance = distance_from(source, *distances, Phase::any);
  if (distance == infinite) return std::nullopt;
  return static_cast<std::int32_t>(distance) + (last.valid() ? 1 : 0);
}

std::vector<UpDownRoutes::Leg> UpDownRoutes::plan_legs(const RouteRequest& request) const {
  std::vector<Leg> legs;
  for (const NodeId n : request.via) legs.push_back({n, Phase::any, distances_to(n)});
  // Endpoints under one switch share its table; the last hop down is added by the caller.
  const NodeId last_switch = only_switch_of(request.target);
  const NodeId last = last_switch.valid() ? last_switch : request.target;
  legs.push_back({last, Phase::any, distances_to(last)});

  // Fewest hops to each way point when the route has so far only gone up, or may have gone down.
  struct Best {
    std::uint32_t up = infinite, down = infinite;
    bool down_came_from_up = true;  // how the second one left the way point before
  };
  std::vector<Best> best(legs.size() + 1);
  best[0].up = 0;
  NodeId from = request.source;
  for (std::size_t i = 0; i < legs.size(); ++i) {
    const Distances& distances = *legs[i].distances;
    const std::uint32_t turning = best[i].up + distance_from(from, distances, Phase::any);
    const std::uint32_t falling = best[i].down + distance_from(from, distances, Phase::down);
    Best& next = best[i + 1];
    next.up = std::min(infinite, best[i].up + distance_from(from, distances, Phase::up));
    next.down = std::min({infinite, turning, falling});
    next.down_came_from_up = turning <= falling;
    if (next.up == infinite && next.down == infinite) throw_unroutable(request, from, legs[i].to);
    from = legs[i].to;
  }
  bool up = best.back().up <= best.back().down;
  for (std::size_t i = legs.size(); i-- > 0;) {
    if (up) {
      legs[i].phase = Phase::up;
    } else {
      up = best[i + 1].down_came_from_up;
      legs[i].phase = up ? Phase::any : Phase::down;
    }
  }
  return legs;
}

// Follows one leg from `from`; returns where it ends.
NodeId UpDownRoutes::walk(NodeId from, const Leg& leg, const RouteChoice& choice,
                          std::vector<LinkId>& links) const {
  const Distances& distances = *leg.distances;
  Phase phase = leg.phase;
  // The ways that lead one hop nearer, counted, and then the chosen one taken.
  const auto visit_ways = [&](NodeId node, std::uint32_t left, auto&& visit) {
    if (graph_.is_endpoint(node)) {
      for (const LinkId l : graph_.links_from(node)) {
        const NodeId to = graph_.link_target[at(l.value)];
        if (distance_from(to, distances, phase) + 1 == left) visit(l, to, false);
      }
      return;
    }
    if (phase != Phase::down) {
      const auto& values = phase == Phase::up ? distances.up : distances.any;
      for (const Step& step : ups(switch_index(node))) {
        if (values[at(step.to)] + 1U == left) visit(step.link, switch_node(step.to), false);
      }
    }
    if (phase != Phase::up) {
      for (const Step& step : downs(switch_index(node))) {
        if (distances.down[at(step.to)] + 1U == left) {
          visit(step.link, switch_node(step.to), true);
        }
      }
    }
  };
  std::uint32_t left = distance_from(from, distances, phase);
  // The last hop to an endpoint is the caller's.
  const std::uint32_t end = graph_.is_endpoint(leg.to) ? 1 : 0;
  for (; left > end; --left) {
    std::uint32_t ways = 0;
    bool downwards = true;
    visit_ways(from, left, [&](LinkId, NodeId, bool down) {
      ++ways;
      downwards = downwards && down;
    });
    const std::uint32_t stride = downwards ? 1 : stride_[at(graph_.node_tier[at(from.value)])];
    const std::uint32_t chosen = ways > 1 ? choice.pick(from, ways, stride) : 0;
    std::uint32_t way = 0;
    NodeId next;
    visit_ways(from, left, [&](LinkId l, NodeId to, bool down) {
      if (way++ != chosen) return;
      links.push_back(l);
      next = to;
      downwards = down;
    });
    from = next;
    if (downwards) phase = Phase::down;
  }
  return from;
}

void UpDownRoutes::append_route(const RouteRequest& request, const RouteChoice& choice,
                                std::vector<LinkId>& links) const {
  NodeId from = request.source;
  for (const Leg& leg : plan_legs(request)) from = walk(from, leg, choice, links);
  std::uint32_t cables = 0;
  for (const LinkId l : graph_.links_from(request.target)) {
    if (graph_.link_target[at(l.value)] == from) ++cables;
  }
  const std::uint32_t chosen = cables > 1 ? choice.pick(from, cables, 1) : 0;
  std::uint32_t cable = 0;
  for (const LinkId l : graph_.links_from(request.target)) {
    if (graph_.link_target[at(l.value)] == from && cable++ == chosen) {
      links.push_back(Graph::reverse(l));
    }
  }
}

bool UpDownRoutes::joined(NodeId from, NodeId to) const {
  std::vector<bool> seen(at(graph_.node_count()), false);
  std::queue<NodeId> pending;
  seen[at(from.value)] = true;
  pending.push(from);
  while (!pending.empty()) {
    const NodeId n = pending.front();
    pending.pop();
    if (n == to) return true;
    if (graph_.is_endpoint(n) && n != from) continue;
    for (const LinkId l : graph_.links_from(n)) {
      const NodeId next = graph_.link_target[at(l.value)];
      if (seen[at(next.value)]) continue;
      seen[at(next.value)] = true;
      pending.push(next);
    }
  }
  return false;
}

void UpDownRoutes::throw_unroutable(const RouteRequest& request, NodeId from, NodeId to) const {
  const std::string pair = fmt::format("from {} to {}", graph_.node_name(request.source),
                                       graph_.node_name(request.target));
  if (!joined(request.source, request.target)) {
    throw InputError(
        fmt::format("no route {}: no switches join them (endpoints do not forward); "
                    "add the missing link",
                    pair));
  }
  if (request.via.empty()) {
    throw InputError(
        fmt::format("no up-down route {}: they are joined, but every path goes up "
                    "again after it has gone down; add a link to a higher tier or "
                    "between the two sides",
                    pair));
  }
  std::string names;
  for (const NodeId n : request.via) {
    names += (names.empty() ? "" : ", ") + graph_.node_name(n);
  }
  throw InputError(
      fmt::format("no up-down route {} through [{}]: having come to {} it cannot go on "
                  "to {} without going up after it has gone down; leave out way points "
                  "or put them in the order in which the route meets them",
                  pair, names, graph_.node_name(from), graph_.node_name(to)));
}

}  // namespace tailrace
