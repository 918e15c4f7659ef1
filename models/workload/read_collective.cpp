// SPDX-License-Identifier: Apache-2.0
// Reads a workload of kind `collective`.
#include <fmt/format.h>

#include "models/collectives/collective.hpp"
#include "models/workload/names.hpp"
#include "models/workload/readers.hpp"
#include "solver/base/numbers.hpp"

namespace tailrace {
namespace {

std::vector<NodeId> first_endpoints(std::int64_t count) {
  std::vector<NodeId> ranks;
  for (std::int32_t e = 0; e < count; ++e) ranks.push_back(NodeId{e});
  return ranks;
}

/// Names in the order of the ranks; a group's name stands for its members.
std::vector<NodeId> listed_ranks(const DeckNode& list, WorkloadNames& names, const Graph& graph,
                                 Faults& faults) {
  std::vector<NodeId> ranks;
  std::vector<bool> taken(static_cast<std::size_t>(graph.endpoint_count), false);
  for (const DeckNode& name : list.items) {
    const auto end = names.end(name, "workload.ranks");
    if (!end) continue;
    const std::vector<NodeId> members = end->group < 0
                                            ? std::vector<NodeId>{end->node}
                                            : names.groups()[static_cast<std::size_t>(end->group)];
    for (const NodeId member : members) {
      if (taken[static_cast<std::size_t>(member.value)]) {
        faults.add(
            name.mark, "workload.ranks",
            fmt::format("'{}' is there twice; an endpoint has one rank", graph.node_name(member)));
        break;
      }
      taken[static_cast<std::size_t>(member.value)] = true;
      ranks.push_back(member);
    }
  }
  return ranks;
}

std::vector<NodeId> read_ranks(const Deck& deck, WorkloadNames& names, const Graph& graph,
                               Faults& faults) {
  const DeckNode* node = deck.node("workload.ranks");
  if (node && node->kind == DeckNode::Kind::sequence) {
    return listed_ranks(*node, names, graph, faults);
  }
  if (!node || node->kind == DeckNode::Kind::null) return first_endpoints(graph.endpoint_count);
  const std::int64_t count = deck.integer("workload.ranks");
  if (count > graph.endpoint_count) {
    faults.add(node->mark, "workload.ranks",
               fmt::format("{} ranks are more than the fabric's {} endpoints", count,
                           graph.endpoint_count));
    return {};
  }
  return first_endpoints(count);
}

}  // namespace

std::unique_ptr<Workload> read_collective(const Deck& deck, const Graph& graph) {
  Faults faults;
  WorkloadNames names(deck, graph, faults);
  CollectiveInput input;
  input.bytes = static_cast<std::int64_t>(deck.number("workload.bytes"));
  input.start_ns = deck.number("workload.start");
  input.traffic_class = read_class(deck, names);
  check_start(input.start_ns, deck.number("run.time_limit"), deck.mark("workload.start"),
              "workload.start", faults);
  input.ranks = read_ranks(deck, names, graph, faults);
  faults.throw_if_any();

  const std::string operation = deck.text("workload.operation");
  std::string algorithm;
  if (deck.given("workload.algorithm")) algorithm = deck.text("workload.algorithm");
  if (algorithm == "auto") algorithm.clear();
  try {
    return make_collective(operation, algorithm, std::move(input));
  } catch (const InputError& error) {
    const std::string message = error.what();  // begins with the key
    throw InputError(deck.mark(message.substr(0, message.find(':'))), message);
  }
}

}  // namespace tailrace
