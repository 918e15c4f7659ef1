// SPDX-License-Identifier: Apache-2.0
// Rows of the parameter table: links, switches, traffic classes and routing of the fabric.
#include "solver/base/parameter_rows.hpp"

namespace tailrace {

namespace {

const std::string topology = "fabric.topology.kind";
const std::string flow_control = "fabric.switch.flow_control";
const std::string threshold = "fabric.switch.pfc.threshold";
const std::string routing = "fabric.routing.kind";

std::vector<Parameter> link_rows() {
  std::vector<Parameter> rows = {
      rate("fabric.link.capacity", "Capacity of every cable, each way.").required(),
      time("fabric.link.latency",
           "Latency of every cable: cable, transceivers and the switch behind it. The time step "
           "never exceeds the smallest.")
          .between(0.1, 1e9)
          .required(),
  };
  for (const std::string tier : {"endpoint", "leaf", "spine"}) {
    rows.push_back(rate("fabric.link.tiers." + tier + ".capacity",
                        "Capacity of the cables whose lower end is of this tier (" + tier +
                            "); without it fabric.link.capacity.")
                       .when(topology, {"fat_tree"}));
    rows.push_back(time("fabric.link.tiers." + tier + ".latency",
                        "Latency of the cables whose lower end is of this tier (" + tier +
                            "); without it fabric.link.latency.")
                       .between(0.1, 1e9)
                       .when(topology, {"fat_tree"}));
  }
  return rows;
}

std::vector<Parameter> switch_rows() {
  return {
      choice(flow_control, {"credit", "pfc"},
             "What keeps a buffer from overflowing: credits (InfiniBand) or pause frames (lossless "
             "Ethernet).")
          .not_yet({"lossy"})
          .required(),
      choice("fabric.switch.arbitration", {"fifo", "round_robin"},
             "How an outgoing lane serves what came in by different lanes: in order of arrival, or "
             "in equal shares.")
          .value("round_robin")
          .when(flow_control, {"credit"}),
      choice("fabric.switch.arbitration", {"fifo", "round_robin"},
             "How an outgoing lane serves what came in by different lanes: in order of arrival, or "
             "in equal shares.")
          .value("fifo")
          .when(flow_control, {"pfc"}),
      size("fabric.switch.buffer",
           "Buffer behind each incoming lane, in whole blocks of 64 bytes. It must hold a packet; "
           "credits can advertise 128 KiB, more is not used.")
          .from(64)
          .required()
          .when(flow_control, {"credit"}),
      size("fabric.switch.shared_buffer",
           "Memory of a switch that all its lanes share; the headroom is taken out of it.")
          .above(0)
          .required()
          .when(flow_control, {"pfc"}),
      planned("fabric.switch.ecn", "Marking of packets by backlog."),
      planned("fabric.switch.reduction", "Reduction inside the switches."),
  };
}

std::vector<Parameter> pfc_rows() {
  return {
      choice(threshold, {"static"},
             "What XOFF is compared with: a fixed occupancy of the incoming lane.")
          .not_yet({"dynamic"})
          .value("static")
          .when(flow_control, {"pfc"}),
      size("fabric.switch.pfc.xoff",
           "Occupancy of an incoming lane above which its sender is paused.")
          .above(0)
          .required()
          .when(flow_control, {"pfc"})
          .when(threshold, {"static"}),
      size("fabric.switch.pfc.xon",
           "Occupancy of an incoming lane below which its sender may go on; at most XOFF.")
          .from(0)
          .required()
          .when(flow_control, {"pfc"})
          .when(threshold, {"static"}),
      time("fabric.switch.pfc.response",
           "Time that a sender takes to obey a pause, on top of the latency.")
          .from(0)
          .value("0 ns")
          .when(flow_control, {"pfc"}),
      size("fabric.switch.pfc.headroom",
           "Room above XOFF kept for each incoming lane, for what arrives until a pause takes "
           "hold; auto: as much as cable and response time need.")
          .words({"auto"})
          .from(0)
          .value("auto")
          .when(flow_control, {"pfc"}),
      choice("fabric.switch.pfc.chatter", {"resolved"},
             "How repeated pausing of a congested lane is computed: every pause is followed.")
          .not_yet({"averaged"})
          .value("resolved")
          .when(flow_control, {"pfc"}),
      planned("fabric.switch.pfc.alpha", "Share of the free memory that a lane may use.")
          .when(flow_control, {"pfc"})
          .when(threshold, {"dynamic"}),
  };
}

std::vector<Parameter> class_rows() {
  return {
      list("fabric.classes",
           "Traffic classes of every link (virtual lanes, priorities), first to last; without it "
           "one class named default.")
          .between(1, 8),
      text("fabric.classes[].name", "Name by which the workload chooses the class.").required(),
      number("fabric.classes[].weight", "Share of a busy link relative to the other classes.")
          .between(0.001, 1000)
          .value("1")
          .when("fabric.class_arbitration", {"weighted"}),
      choice("fabric.class_arbitration", {"weighted", "strict"},
             "How classes share a link: by weight, or the earlier in the list always first.")
          .value("weighted"),
  };
}

std::vector<Parameter> routing_rows() {
  const std::vector<std::string> later = {"adaptive", "spray"};
  const std::string help =
      "How a flow chooses among equal paths: by its target's number (d-mod-k), or by a hash. "
      "Without it dmodk with credits, ecmp with pfc.";
  return {
      choice(routing, {"dmodk", "ecmp"}, help)
          .not_yet(later)
          .value("dmodk")
          .when(flow_control, {"credit"}),
      choice(routing, {"dmodk", "ecmp"}, help)
          .not_yet(later)
          .value("ecmp")
          .when(flow_control, {"pfc"}),
      integer("fabric.routing.seed", "Seed of the hash. Independent of run.seed.")
          .from(0)
          .value("1")
          .when(routing, {"ecmp"}),
      choice("fabric.routing.hash", {"independent", "polarised"},
             "Whether the switches of a path hash differently, or alike so that later tiers use "
             "few of their ports.")
          .value("independent")
          .when(routing, {"ecmp"}),
      planned("fabric.parts", "Name of the price row of switches, NICs and cables."),
  };
}

}  // namespace

std::vector<Parameter> fabric_rows() {
  std::vector<Parameter> rows = link_rows();
  for (const auto& more : {switch_rows(), pfc_rows(), class_rows(), routing_rows()}) {
    rows.insert(rows.end(), more.begin(), more.end());
  }
  return rows;
}

}  // namespace tailrace
