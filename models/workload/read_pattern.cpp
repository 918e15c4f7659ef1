// SPDX-License-Identifier: Apache-2.0
// Reads a workload of kind `pattern`.
#include <fmt/format.h>

#include "models/wire.hpp"
#include "models/workload/names.hpp"
#include "models/workload/patterns.hpp"
#include "models/workload/readers.hpp"
#include "solver/base/numbers.hpp"
#include "solver/base/units.hpp"

namespace tailrace {
namespace {

std::uint64_t read_seed(const Deck& deck) {
  return static_cast<std::uint64_t>(deck.integer("workload.seed"));
}

std::unique_ptr<Workload> read_incast(const Deck& deck, const PatternInput& input,
                                      WorkloadNames& names, Faults& faults) {
  NodeId target{0};
  if (const DeckNode* name = deck.node("workload.target")) {
    const auto end = names.end(*name, "workload.target");
    if (end && end->group >= 0) {
      faults.add(name->mark, "workload.target",
                 fmt::format("{} is a group; an incast has one receiver", quoted(name->scalar)));
    } else if (end) {
      target = end->node;
    }
  }
  const std::int64_t senders = deck.integer("workload.senders");
  if (senders >= input.endpoint_count) {
    faults.add(
        deck.mark("workload.senders"), "workload.senders",
        fmt::format("{} senders and one receiver are more than the fabric's {} endpoints; at "
                    "most {}",
                    senders, input.endpoint_count, input.endpoint_count - 1));
  }
  faults.throw_if_any();
  return make_incast(input, target, static_cast<std::int32_t>(senders));
}

std::unique_ptr<Workload> read_shift(const Deck& deck, const PatternInput& input, Faults& faults) {
  const std::int64_t n = input.endpoint_count;
  const std::int64_t distance = (deck.integer("workload.distance") % n + n) % n;
  if (distance == 0) {
    faults.add(
        deck.mark("workload.distance"), "workload.distance",
        fmt::format("a multiple of the fabric's {} endpoints: each would send to itself", n));
  }
  faults.throw_if_any();
  return make_shift(input, static_cast<std::int32_t>(distance));
}

std::unique_ptr<Workload> read_all_to_all(const Deck& deck, const PatternInput& input,
                                          Faults& faults) {
  const std::int64_t n = input.endpoint_count;
  const std::int64_t stride = deck.integer("workload.group_stride");
  const std::int64_t size =
      deck.given("workload.group_size") ? deck.integer("workload.group_size") : n / stride;
  if (size < 2 || n % (size * stride) != 0) {
    faults.add(deck.mark("workload.group_size"), "workload.group_size",
               fmt::format("groups of {} with stride {} do not fill the fabric's {} endpoints; "
                           "group_size * group_stride must divide {}, and a group has at least 2",
                           size, stride, n, n));
  }
  faults.throw_if_any();
  return make_group_all_to_all(input, static_cast<std::int32_t>(size),
                               static_cast<std::int32_t>(stride));
}

/// Mean time between messages so that an endpoint's links carry `load` of their capacity, headers
/// included.
std::vector<double> mean_gaps_ns(const Deck& deck, const Graph& graph, double bytes) {
  const double wire =
      wire_bytes(bytes, deck.number("endpoint.mtu"), deck.number("endpoint.header"));
  std::vector<double> gaps_ns;
  for (std::int32_t e = 0; e < graph.endpoint_count; ++e) {
    double capacity_bytes_per_ns = 0;
    for (const LinkId link : graph.links_from(NodeId{e})) {
      capacity_bytes_per_ns +=
          graph.link_capacity_bytes_per_ns[static_cast<std::size_t>(link.value)];
    }
    gaps_ns.push_back(wire / (deck.number("workload.load") * capacity_bytes_per_ns));
  }
  return gaps_ns;
}

std::unique_ptr<Workload> read_uniform(const Deck& deck, const PatternInput& input,
                                       const Graph& graph, Faults& faults) {
  UniformInput uniform;
  uniform.seed = read_seed(deck);
  uniform.duration_ns = deck.number("workload.duration");
  const double limit_ns = deck.number("run.time_limit");
  if (input.start_ns < limit_ns && input.start_ns + uniform.duration_ns > limit_ns) {
    faults.add(deck.mark("workload.duration"), "workload.duration",
               fmt::format(
                   "messages would go on starting until {}, after the end of the run at {}; "
                   "shorten it or raise run.time_limit",
                   format_time_ns(input.start_ns + uniform.duration_ns), format_time_ns(limit_ns)));
  }
  if (deck.given("workload.peers")) {
    const std::int64_t peers = deck.integer("workload.peers");
    if (peers >= input.endpoint_count) {
      faults.add(deck.mark("workload.peers"), "workload.peers",
                 fmt::format("each of the fabric's {} endpoints has only {} others",
                             input.endpoint_count, input.endpoint_count - 1));
    }
    uniform.peers = static_cast<std::int32_t>(peers);
  }
  faults.throw_if_any();
  uniform.mean_gap_ns = mean_gaps_ns(deck, graph, input.bytes);
  try {
    return make_uniform(input, uniform);
  } catch (const InputError& error) {
    throw InputError(deck.mark("workload.duration"), error.what());
  }
}

}  // namespace

std::unique_ptr<Workload> read_pattern(const Deck& deck, const Graph& graph) {
  Faults faults;
  WorkloadNames names(deck, graph, faults);
  PatternInput input;
  input.endpoint_count = graph.endpoint_count;
  input.bytes = deck.number("workload.bytes");
  input.start_ns = deck.number("workload.start");
  input.traffic_class = read_class(deck, names);
  check_start(input.start_ns, deck.number("run.time_limit"), deck.mark("workload.start"),
              "workload.start", faults);
  if (graph.endpoint_count < 2) {
    faults.add(deck.mark("workload.pattern"), "workload.pattern",
               "the fabric has one endpoint, which could only send to itself; a pattern needs two");
    faults.throw_if_any();
  }
  const std::string pattern = deck.text("workload.pattern");
  if (pattern == "incast") return read_incast(deck, input, names, faults);
  if (pattern == "shift") return read_shift(deck, input, faults);
  if (pattern == "all_to_all") return read_all_to_all(deck, input, faults);
  if (pattern == "uniform") return read_uniform(deck, input, graph, faults);
  TAILRACE_REQUIRE(pattern == "permutation", "no reader for the pattern " + pattern);
  faults.throw_if_any();
  return make_permutation(input, read_seed(deck));
}

}  // namespace tailrace
