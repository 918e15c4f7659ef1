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

/// What a route is chosen by. `hash_key` tells flows of one pair apart (a queue pair, a class).
struct RouteRequest {
  NodeId source;
  NodeId target;
  std::uint64_t hash_key = 0;
  std::span<const NodeId> via = {};  ///< way points, in order
};

/// Shortest up-down routes on one graph. Thread-safe after construction; the same request gives
/// the same route on every rank.
class Router {
 public:
  /// Reads `fabric.routing` (kind dmodk | ecmp, seed, hash: independent | polarised).
  Router(const Graph& graph, const Deck& deck);
  ~Router();
  Router(Router&&) noexcept;
  /// Appends the links of the route, from source to target, to `links` (cleared first). Throws
  /// InputError when there is none (without place: the caller knows the flow's).
  void route(const RouteRequest& request, std::vector<LinkId>& links) const;

 private:
  struct Implementation;
  std::unique_ptr<Implementation> implementation_;
};

}  // namespace tailrace
