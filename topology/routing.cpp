// SPDX-License-Identifier: Apache-2.0
// Routes: checks a request and hands it to the fat-tree's arithmetic or to the tables of a graph.
#include "topology/routing.hpp"

#include <fmt/format.h>

#include <mutex>

#include "solver/base/errors.hpp"
#include "topology/routing_tree.hpp"
#include "topology/up_down.hpp"

namespace tailrace {

struct Router::Implementation {
  const Graph* graph;
  RoutingOptions options;
  // A fat-tree needs the tables only for way points, so they are made when the first one comes.
  std::once_flag tables_made;
  std::unique_ptr<UpDownRoutes> tables;

  Implementation(const Graph& g, const RoutingOptions& o) : graph(&g), options(o) {}

  const UpDownRoutes& up_down() {
    std::call_once(tables_made, [this] { tables = std::make_unique<UpDownRoutes>(*graph); });
    return *tables;
  }
};

namespace {

RoutingOptions read_options(const Deck& deck) {
  RoutingOptions options;
  const std::string kind = deck.text("fabric.routing.kind");
  if (kind == "dmodk") {
    options.kind = RoutingKind::dmodk;
    return options;
  }
  if (kind != "ecmp") {
    throw InputError(deck.mark("fabric.routing.kind"),
                     fmt::format("routing kind is {}; allowed are dmodk and ecmp", kind));
  }
  options.kind = RoutingKind::ecmp;
  options.seed = static_cast<std::uint64_t>(deck.integer("fabric.routing.seed"));
  options.polarised = deck.text("fabric.routing.hash") == "polarised";
  return options;
}

// The way points between source and target; throws when one of them is an endpoint.
std::span<const NodeId> inner_way_points(const Graph& graph, const RouteRequest& request) {
  std::span<const NodeId> via = request.via;
  if (!via.empty() && via.front() == request.source) via = via.subspan(1);
  if (!via.empty() && via.back() == request.target) via = via.first(via.size() - 1);
  for (const NodeId n : via) {
    TAILRACE_REQUIRE(n.value >= 0 && n.value < graph.node_count(), "way point is not a node");
    if (!graph.is_endpoint(n)) continue;
    throw InputError(fmt::format(
        "way point {} of the route from {} to {} is an endpoint; only "
        "switches forward",
        graph.node_name(n), graph.node_name(request.source), graph.node_name(request.target)));
  }
  return via;
}

}  // namespace

Router::Router(const Graph& graph, const Deck& deck) : Router(graph, read_options(deck)) {}

Router::Router(const Graph& graph, const RoutingOptions& options)
    : implementation_(std::make_unique<Implementation>(graph, options)) {}

Router::~Router() = default;
Router::Router(Router&&) noexcept = default;

void Router::route(const RouteRequest& request, std::vector<LinkId>& links) const {
  const Graph& graph = *implementation_->graph;
  links.clear();
  TAILRACE_REQUIRE(request.source.valid() && graph.is_endpoint(request.source) &&
                       request.target.valid() && graph.is_endpoint(request.target),
                   "a route joins two endpoints");
  if (request.source == request.target) {
    throw InputError(fmt::format("no route from {} to itself", graph.node_name(request.source)));
  }
  const RouteChoice choice(implementation_->options, request);
  RouteRequest inner = request;
  inner.via = inner_way_points(graph, request);
  if (graph.fat_tree && inner.via.empty()) {
    append_tree_route(*graph.fat_tree, choice, request.source, request.target, links);
  } else {
    implementation_->up_down().append_route(inner, choice, links);
  }
}

}  // namespace tailrace
