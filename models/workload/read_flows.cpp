// SPDX-License-Identifier: Apache-2.0
// Reads `workload.flows`, entry by entry.
#include <fmt/format.h>

#include <optional>

#include "models/workload/names.hpp"
#include "models/workload/readers.hpp"
#include "solver/base/numbers.hpp"
#include "solver/base/units.hpp"
#include "topology/routing.hpp"

namespace tailrace {
namespace {

class FlowReader {
 public:
  FlowReader(const Deck& deck, const Graph& graph)
      : deck_(deck),
        graph_(graph),
        items_(deck.node("workload.flows")),
        names_(deck, graph, faults_),
        time_limit_ns_(deck.number("run.time_limit")),
        default_start_ns_(deck.number("workload.flows[].start")),
        default_repeat_(deck.integer("workload.flows[].repeat")) {}

  FlowList read() {
    FlowList list;
    TAILRACE_REQUIRE(items_, "the deck has no workload.flows");
    for (std::size_t i = 0; i < items_->items.size(); ++i) {
      key_ = fmt::format("workload.flows[{}].", i);
      list.entries.push_back(read_entry(items_->items[i]));
    }
    faults_.throw_if_any();
    check_routes(list);
    faults_.throw_if_any();
    list.groups = names_.groups();
    return list;
  }

 private:
  FlowEntry read_entry(const DeckNode& node) {
    FlowEntry entry;
    read_ends(node, entry);
    entry.bytes = parse_quantity(required(node, "bytes").scalar, Dimension::bytes);
    if (const DeckNode* via = node.find("via")) {
      for (const DeckNode& name : via->items) {
        if (const auto switch_node = names_.way_point(name, key_ + "via")) {
          entry.via.push_back(*switch_node);
        }
      }
    }
    if (const DeckNode* name = node.find("class")) {
      entry.traffic_class = names_.traffic_class(*name, key_ + "class").value_or(0);
    }
    if (const DeckNode* label = node.find("group")) entry.group = label->scalar;
    read_times(node, entry);
    return entry;
  }

  /// A key without which the deck's validation lets no entry pass.
  const DeckNode& required(const DeckNode& node, const std::string& key) const {
    const DeckNode* found = node.find(key);
    TAILRACE_REQUIRE(found, "the deck has no " + key_ + key);
    return *found;
  }

  void read_ends(const DeckNode& node, FlowEntry& entry) {
    const DeckNode& from_name = required(node, "from");
    const DeckNode& to_name = required(node, "to");
    const auto from = names_.end(from_name, key_ + "from");
    const auto to = names_.end(to_name, key_ + "to");
    if (!from || !to) return;
    entry.from = *from;
    entry.to = *to;
    const auto only = [this](const EndpointRef& end) {
      if (end.group < 0) return end.node;
      const auto& members = names_.groups()[static_cast<std::size_t>(end.group)];
      return members.size() == 1 ? members[0] : NodeId{};
    };
    if (only(*from).valid() && only(*from) == only(*to)) {
      faults_.add(to_name.mark, key_ + "to",
                  fmt::format("{} would send to itself, which never touches the fabric; name "
                              "another endpoint or leave the flow out",
                              quoted(from_name.scalar)));
    }
  }

  void read_times(const DeckNode& node, FlowEntry& entry) {
    const DeckNode* start = node.find("start");
    const DeckNode* period = node.find("period");
    const DeckNode* repeat = node.find("repeat");
    entry.start_ns = start ? parse_quantity(start->scalar, Dimension::time) : default_start_ns_;
    entry.repeat = repeat ? read_integer(repeat->scalar).value_or(0) : default_repeat_;
    if (entry.repeat > 1 && !period) {
      faults_.add(repeat->mark, key_ + "repeat",
                  fmt::format("{} messages need a period from one's start to the next's; give "
                              "period, e.g. 100 us",
                              entry.repeat));
      return;
    }
    if (entry.repeat == 1 && period) {
      faults_.add(period->mark, key_ + "period",
                  "has no effect on a single message; give repeat above 1 or leave it out");
    }
    if (period) entry.period_ns = parse_quantity(period->scalar, Dimension::time);
    check_start(entry.start_ns, time_limit_ns_, start ? start->mark : node.mark, key_ + "start",
                faults_);
    const double last_ns = entry.start_ns + static_cast<double>(entry.repeat - 1) * entry.period_ns;
    if (repeat && entry.start_ns < time_limit_ns_) {
      check_start(last_ns, time_limit_ns_, repeat->mark, key_ + "repeat", faults_);
    }
  }

  std::vector<NodeId> members(const EndpointRef& end) const {
    if (end.group < 0) return {end.node};
    return names_.groups()[static_cast<std::size_t>(end.group)];
  }

  /// Routes that do not exist are found here, where their place is known. Fat-trees have one for
  /// every pair. Beyond a number of pairs they are found when all routes are laid, without place.
  void check_routes(const FlowList& list) {
    std::optional<Router> router;
    std::int64_t pairs_left = 10000;
    for (std::size_t i = 0; i < list.entries.size(); ++i) {
      const FlowEntry& entry = list.entries[i];
      if (entry.via.empty() && graph_.fat_tree) continue;
      if (!router) router.emplace(graph_, deck_);
      const DeckNode& node = items_->items[i];
      const DeckNode* via = node.find("via");
      const std::string fault = route_fault(entry, *router, pairs_left);
      if (fault.empty()) continue;
      faults_.add(via ? via->mark : required(node, "to").mark,
                  fmt::format("workload.flows[{}]{}", i, via ? ".via" : ""), fault);
    }
  }

  /// Why the first pair of an entry that has no route has none; "" when all have one.
  std::string route_fault(const FlowEntry& entry, const Router& router, std::int64_t& pairs_left) {
    std::vector<LinkId> links;
    for (const NodeId source : members(entry.from)) {
      for (const NodeId target : members(entry.to)) {
        if (source == target || pairs_left-- <= 0) continue;
        try {
          router.route({source, target, 0, entry.via}, links);
        } catch (const InputError& fault) {
          return fault.what();
        }
      }
    }
    return "";
  }

  const Deck& deck_;
  const Graph& graph_;
  const DeckNode* items_;
  Faults faults_;
  WorkloadNames names_;
  const double time_limit_ns_;
  const double default_start_ns_;
  const std::int64_t default_repeat_;
  std::string key_;
};

}  // namespace

FlowList read_flows(const Deck& deck, const Graph& graph) { return FlowReader(deck, graph).read(); }

}  // namespace tailrace
