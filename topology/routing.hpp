// SPDX-License-Identifier: Apache-2.0
// Routes: which links a flow takes, by d-mod-k, ECMP hash, way points, or shortest up-down path.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "solver/base/deck.hpp"
#include "topology/graph.hpp"

namespace tailrace {

enum class RoutingKind : std::uint8_t {
  dmodk,  ///< static by destination, as InfiniBand's subnet managers route fat-trees
  ecmp    ///< a hash of the flow picks among equally short ways
};

/// How switches choose among equally short ways.
struct RoutingOptions {
  RoutingKind kind = RoutingKind::ecmp;
  std::uint64_t seed = 1;  ///< of the hash (ecmp)
  /// ecmp: every switch uses the same hash value, so that choices at successive tiers correlate;
  /// otherwise each switch has a hash of its own.
  bool polarised = false;
};

/// What a route is chosen by. `hash_key` tells flows of one pair apart (a queue pair, a class).
struct RouteRequest {
  NodeId source;
  NodeId target;
  std::uint64_t hash_key = 0;
  std::span<const NodeId> via = {};  ///< way points, in order
};

/// Shortest up-down routes on one graph: upwards first, then downwards, never up again. Up is
/// towards the higher tier; among switches of one tier that are joined by cables, up is towards
/// the one with the smallest id (by hops, then by id). The graph must outlive the router.
/// Thread-safe after construction; the same request gives the same route on every rank.
class Router {
 public:
  /// Reads `fabric.routing` (kind dmodk | ecmp, seed, hash: independent | polarised).
  Router(const Graph& graph, const Deck& deck);
  Router(const Graph& graph, const RoutingOptions& options);
  ~Router();
  Router(Router&&) noexcept;
  /// Appends the links of the route, from source to target, to `links` (cleared first). Source and
  /// target are different endpoints; way points are switches (but the source may stand first and
  /// the target last among them). The whole route through the way points is one up-down route, the
  /// shortest there is. Throws InputError when there is none (without place: the caller knows the
  /// flow's).
  void route(const RouteRequest& request, std::vector<LinkId>& links) const;

 private:
  struct Implementation;
  std::unique_ptr<Implementation> implementation_;
};

}  // namespace tailrace
