// SPDX-License-Identifier: Apache-2.0
// Shortest up-down routes on any graph: distances to a target by phase, and the walk along them.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <shared_mutex>
#include <span>
#include <vector>

#include "topology/graph.hpp"
#include "topology/route_choice.hpp"

namespace tailrace {

/// Up-down routing after Autonet (Schroeder et al., 1991): links have a direction, up or down, and
/// a route never goes up after it has gone down; so routes cannot form a cycle of waiting buffers.
/// Up is towards the higher tier. Switches of one tier that are joined by cables are ordered by
/// their hops from the member with the smallest id, then by id, smaller being higher; so the root
/// of a graph of one tier is its first switch, and all its pairs have up-down routes. Endpoints
/// never forward. Thread-safe after construction; distance tables are made when first asked for.
class UpDownRoutes {
 public:
  static constexpr std::uint16_t unreachable = 0xffff;

  /// Hops from each switch to one target, [switches], by what the way may still do.
  struct Distances {
    std::vector<std::uint16_t> up;    ///< only up
    std::vector<std::uint16_t> any;   ///< up, then down
    std::vector<std::uint16_t> down;  ///< only down
  };

  /// `graph` must outlive this. Distance tables are dropped, all at once, when they would take
  /// more than `largest_tables_bytes`.
  explicit UpDownRoutes(const Graph& graph,
                        std::size_t largest_tables_bytes = std::size_t{256} << 20);

  /// Appends the links of the route. Throws InputError when there is none.
  void append_route(const RouteRequest& request, const RouteChoice& choice,
                    std::vector<LinkId>& links) const;

  /// Hops to `target` (a switch or an endpoint) from every switch.
  std::shared_ptr<const Distances> distances_to(NodeId target) const;

  /// Hops of the shortest up-down route between two different endpoints; nothing if there is none.
  std::optional<std::int32_t> hops(NodeId source, NodeId target) const;

  bool is_up(LinkId l) const;

 private:
  enum class Phase : std::uint8_t { up, any, down };
  // A link between switches, seen from its source.
  struct Step {
    LinkId link;
    std::int32_t to = 0;  // index of the switch
  };
  // A stretch of the route up to one way point, and how it may go.
  struct Leg {
    NodeId to;
    Phase phase = Phase::any;
    std::shared_ptr<const Distances> distances;
  };

  void order_switches();
  void build_steps();
  Distances compute_distances(NodeId target) const;
  std::uint32_t distance_from(NodeId from, const Distances& distances, Phase phase) const;
  NodeId only_switch_of(NodeId endpoint) const;
  std::vector<Leg> plan_legs(const RouteRequest& request) const;
  NodeId walk(NodeId from, const Leg& leg, const RouteChoice& choice,
              std::vector<LinkId>& links) const;
  [[noreturn]] void throw_unroutable(const RouteRequest& request, NodeId from, NodeId to) const;
  bool joined(NodeId from, NodeId to) const;

  std::int32_t switch_index(NodeId n) const { return n.value - graph_.endpoint_count; }
  NodeId switch_node(std::int32_t index) const { return NodeId{graph_.endpoint_count + index}; }
  std::span<const Step> ups(std::int32_t s) const;
  std::span<const Step> downs(std::int32_t s) const;

  const Graph& graph_;
  const std::size_t largest_tables_bytes_;
  std::int32_t switches_ = 0;
  std::vector<std::int32_t> height_;      // [switches] place in descending order, 0 the root
  std::vector<std::int32_t> descending_;  // [switches] inverse of height_
  std::vector<Step> steps_;               // per switch: ups, then downs
  std::vector<std::int32_t> first_step_;  // [switches + 1]
  std::vector<std::int32_t> first_down_;  // [switches] where its downs begin
  std::vector<std::uint32_t> stride_;     // [tiers + 1] ways told apart below a tier (d-mod-k)

  mutable std::shared_mutex mutex_;                               // guards what follows
  mutable std::vector<std::shared_ptr<const Distances>> tables_;  // by node
  mutable std::size_t tables_kept_ = 0;
};

}  // namespace tailrace
