// SPDX-License-Identifier: Apache-2.0
// Reads which lanes, flows and messages a run writes, and how often.
#include "solver/output_settings.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace tailrace {

namespace {

constexpr double samples_by_default = 1000;
constexpr std::int64_t fullest_by_default = 1000;

void choose_tier(const DeckNode& item, const Graph& graph, std::vector<std::int8_t>& chosen) {
  const std::vector<std::string> names = graph.link_tier_names();
  bool found = false;
  for (std::int32_t l = 0; l < graph.link_count(); ++l) {
    const std::string& name = names[static_cast<std::size_t>(graph.link_tier(LinkId{l}))];
    if (name == item.scalar || name.substr(0, name.find('-')) == item.scalar) {
      chosen[static_cast<std::size_t>(l)] = 1;
      found = true;
    }
  }
  if (!found) {
    throw InputError(item.mark,
                     fmt::format("output.lanes.tiers: no link of tier '{}'; there are {}",
                                 item.scalar, fmt::join(names, ", ")));
  }
}

void choose_lane(const DeckNode& item, const Graph& graph, std::vector<std::int8_t>& chosen) {
  const std::size_t arrow = item.scalar.find("->");
  const NodeId source =
      arrow == std::string::npos ? NodeId{} : graph.find_node(item.scalar.substr(0, arrow));
  const NodeId target =
      arrow == std::string::npos ? NodeId{} : graph.find_node(item.scalar.substr(arrow + 2));
  bool found = false;
  if (source.valid() && target.valid()) {
    for (const LinkId link : graph.links_from(source)) {
      if (graph.link_target[static_cast<std::size_t>(link.value)] == target) {
        chosen[static_cast<std::size_t>(link.value)] = 1;
        found = true;
      }
    }
  }
  if (!found) {
    throw InputError(item.mark,
                     fmt::format("output.lanes.list: '{}' is no link of the fabric; write the two "
                                 "ends as in leaf0->spine1",
                                 item.scalar));
  }
}

void read_lanes(const Deck& deck, const Graph& graph, OutputSettings& settings) {
  using Lanes = OutputSettings::Lanes;
  const DeckNode* node = deck.node("output.lanes");
  settings.lanes = Lanes::fullest;
  settings.fullest = fullest_by_default;
  if (node == nullptr || node->kind == DeckNode::Kind::null) {
    return;
  }
  if (node->kind == DeckNode::Kind::scalar) {
    settings.lanes = node->scalar == "all"    ? Lanes::all
                     : node->scalar == "none" ? Lanes::none
                                              : Lanes::fullest;
    return;
  }
  if (node->find("fullest") != nullptr) {
    settings.fullest = deck.integer("output.lanes.fullest");
    return;
  }
  settings.lanes = Lanes::chosen;
  settings.link_chosen.assign(static_cast<std::size_t>(graph.link_count()), 0);
  if (const DeckNode* tiers = node->find("tiers"); tiers != nullptr) {
    for (const DeckNode& item : tiers->items) {
      choose_tier(item, graph, settings.link_chosen);
    }
  }
  if (const DeckNode* list = node->find("list"); list != nullptr) {
    for (const DeckNode& item : list->items) {
      choose_lane(item, graph, settings.link_chosen);
    }
  }
}

void read_flows(const Deck& deck, OutputSettings& settings) {
  const DeckNode* node = deck.node("output.flows");
  if (node == nullptr || node->kind == DeckNode::Kind::null) {
    return;
  }
  if (node->kind == DeckNode::Kind::scalar) {
    settings.flows =
        node->scalar == "all" ? OutputSettings::Flows::all : OutputSettings::Flows::none;
    return;
  }
  settings.flows = OutputSettings::Flows::chosen;
  for (const DeckNode& item : node->find("list")->items) {
    settings.flow_texts.push_back(item.scalar);
    settings.flow_marks.push_back(item.mark);
  }
}

}  // namespace

OutputSettings read_output_settings(const Deck& deck, const Graph& graph) {
  OutputSettings settings;
  const std::string interval = deck.text("output.interval");
  if (interval == "auto") {
    settings.interval_ns = deck.number("run.time_limit") / samples_by_default;
  } else if (interval != "none") {
    settings.interval_ns = deck.number("output.interval");
  }
  read_lanes(deck, graph, settings);
  read_flows(deck, settings);
  const DeckNode* messages = deck.node("output.messages");
  if (messages != nullptr && messages->kind == DeckNode::Kind::mapping) {
    settings.message_every = deck.integer("output.messages.every");
  } else if (messages != nullptr && messages->scalar == "none") {
    settings.message_every = 0;
  }
  settings.compression = static_cast<int>(deck.integer("output.compression"));
  return settings;
}

}  // namespace tailrace
