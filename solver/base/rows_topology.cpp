// SPDX-License-Identifier: Apache-2.0
// Rows of the parameter table: fabric.topology.
#include "solver/base/parameter_rows.hpp"

namespace tailrace {

namespace {

const std::string kind = "fabric.topology.kind";
const std::vector<std::string> fat_tree = {"fat_tree"};
const std::vector<std::string> graph = {"graph"};
const std::vector<std::string> rails = {"rail_optimized"};

std::vector<Parameter> fat_tree_rows() {
  return {
      integer("fabric.topology.tiers",
              "Levels of switches: 1 (one switch), 2 (leaves and spines), 3 (pods of both under "
              "cores); auto: the fewest that reach all endpoints.")
          .words({"auto"})
          .between(1, 3)
          .value("auto")
          .when(kind, fat_tree),
      integer("fabric.topology.radix", "Ports of every switch.")
          .between(2, 65536)
          .required()
          .when(kind, fat_tree),
      integer("fabric.topology.endpoints",
              "Number of endpoints, named e0, e1, ...; the tree may be partly filled.")
          .between(1, 1e8)
          .required()
          .when(kind, fat_tree),
      number(
          "fabric.topology.oversubscription",
          "Downlinks to uplinks of a switch, at every level (a tree is never more oversubscribed "
          "than this); or a mapping {leaf: x, spine: y}.")
          .between(0.001, 1000)
          .value("1")
          .when(kind, fat_tree),
      number("fabric.topology.oversubscription.leaf", "Oversubscription of the leaves.")
          .between(0.001, 1000)
          .value("1")
          .when(kind, fat_tree),
      number("fabric.topology.oversubscription.spine",
             "Oversubscription of the spines of a three-level tree.")
          .between(0.001, 1000)
          .value("1")
          .when(kind, fat_tree),
  };
}

std::vector<Parameter> graph_rows() {
  return {
      list("fabric.topology.endpoints",
           "Endpoints of a graph: a list of names, or a mapping of group name to count (S: 8 gives "
           "S0 to S7).")
          .from(1)
          .required()
          .when(kind, graph),
      text("fabric.topology.endpoints[]", "Name of one endpoint.").when(kind, graph),
      integer("fabric.topology.endpoints.*", "Number of endpoints in the group of this name.")
          .between(1, 1e8)
          .when(kind, graph),
      list("fabric.topology.switches", "Switches of a graph, in the same two ways.")
          .from(1)
          .required()
          .when(kind, graph),
      text("fabric.topology.switches[]", "Name of one switch.").when(kind, graph),
      integer("fabric.topology.switches.*", "Number of switches in the group of this name.")
          .between(1, 1e7)
          .when(kind, graph),
      list("fabric.topology.links",
           "Cables of a graph: pairs [a, b] of names or group names, or mappings.")
          .from(1)
          .required()
          .when(kind, graph),
      list("fabric.topology.links[]", "Two ends; a group's name stands for all its members.")
          .between(2, 2)
          .when(kind, graph),
      text("fabric.topology.links[][]", "Name of a node or of a group.").when(kind, graph),
      list("fabric.topology.links[].between", "The two ends, as in the short form.")
          .between(2, 2)
          .required()
          .when(kind, graph),
      text("fabric.topology.links[].between[]", "Name of a node or of a group.").when(kind, graph),
      rate("fabric.topology.links[].capacity",
           "Capacity of this cable, each way; without it fabric.link.capacity.")
          .when(kind, graph),
      time("fabric.topology.links[].latency",
           "Latency of this cable; without it fabric.link.latency.")
          .between(0.1, 1e9)
          .when(kind, graph),
      integer("fabric.topology.links[].count", "Number of equal cables between the two ends.")
          .between(1, 65536)
          .value("1")
          .when(kind, graph),
  };
}

std::vector<Parameter> planned_rows() {
  std::vector<Parameter> rows;
  for (const char* key : {"servers", "gpus_per_server", "nics_per_server", "rails"}) {
    rows.push_back(
        planned(std::string("fabric.topology.") + key, "Servers and rails.").when(kind, rails));
  }
  for (const char* key : {"path", "format"}) {
    rows.push_back(planned(std::string("fabric.topology.") + key, "A fabric read from a file.")
                       .when(kind, {"file"}));
  }
  return rows;
}

}  // namespace

std::vector<Parameter> topology_rows() {
  std::vector<Parameter> rows = {
      choice(kind, {"fat_tree", "graph"},
             "Shape of the fabric: a fat-tree by its numbers, or a graph by its cables.")
          .not_yet({"rail_optimized", "dragonfly", "file"})
          .required(),
  };
  for (const auto& more : {fat_tree_rows(), graph_rows(), planned_rows()}) {
    rows.insert(rows.end(), more.begin(), more.end());
  }
  return rows;
}

}  // namespace tailrace
