// SPDX-License-Identifier: Apache-2.0
// Rows of the parameter table: endpoints, the run itself, and its output.
#include "solver/base/parameter_rows.hpp"

namespace tailrace {

std::vector<Parameter> endpoint_rows() {
  return {
      choice("endpoint.rate_control", {"none"},
             "What slows a sender down besides flow control: nothing (line rate).")
          .not_yet({"dcqcn", "ib_cc"})
          .value("none"),
      size("endpoint.mtu", "Payload of a full packet.").between(64, 1 << 20).value("4096 B"),
      size("endpoint.header", "Bytes on the wire besides the payload, per packet.")
          .between(0, 4096)
          .value("64 B"),
      time("endpoint.forward_delay",
           "Time from the arrival of bytes at an endpoint to when it may send them on, in a ring.")
          .from(0)
          .value("0 ns"),
      size("endpoint.slice",
           "Bytes that an endpoint gathers before it sends them on, in a ring; 0 B: none.")
          .from(0)
          .value("0 B"),
      choice("endpoint.acknowledgements", {"none", "shared"},
             "Whether acknowledgements travel back as traffic of their own, in the class of their "
             "flow: they share the links and wait in queues. Twice the hops; messages then also "
             "have the time at which their sender knows.")
          .value("none"),
      size("endpoint.acknowledgement_size",
           "Bytes on the wire of an acknowledgement; there is one per packet.")
          .between(1, 4096)
          .value("64 B")
          .when("endpoint.acknowledgements", {"shared"}),
      planned("endpoint.dcqcn", "Parameters of DCQCN.").when("endpoint.rate_control", {"dcqcn"}),
      planned("endpoint.ib_cc", "Parameters of InfiniBand congestion control.")
          .when("endpoint.rate_control", {"ib_cc"}),
      planned("endpoint.scale_up", "The scale-up domain of a server."),
      planned("endpoint.qps_per_connection", "Queue pairs per connection."),
  };
}

std::vector<Parameter> run_rows() {
  return {
      time("run.time_limit", "Simulated time at which the run ends, whatever is still on the way.")
          .from(0.001)
          .required(),
      time("run.dt", "Time step; auto: the longest that fits into every link's latency.")
          .words({"auto"})
          .from(0.001)
          .value("auto"),
      integer("run.seed", "Seed of all that is random and has no seed of its own.")
          .from(0)
          .value("1"),
      choice("run.sleep", {"off"}, "Whether lanes in which nothing changes are skipped.")
          .not_yet({"on"})
          .value("off"),
      planned("run.tolerance", "Tolerance of sleeping lanes."),
      planned("run.checkpoint", "Checkpoints."),
      planned("run.seeds", "Several seeds in one run."),
      planned("study", "Studies of many runs."),
      planned("cost", "Prices and power."),
  };
}

std::vector<Parameter> output_rows() {
  const std::string one_of = " Give one of fullest, tiers and list.";
  return {
      time("output.interval",
           "Simulated time between samples of the series; auto: some 1,000 in a run; none: no "
           "series.")
          .words({"auto", "none"})
          .from(0.001)
          .value("auto"),
      choice(
          "output.lanes", {"fullest", "all", "none"},
          "Lanes whose series are kept; or a mapping {fullest: n}, {tiers: [..]} or {list: [..]}.")
          .value("fullest"),
      integer("output.lanes.fullest", "Keep the lanes with the largest backlogs, so many." + one_of)
          .between(1, 1e9)
          .value("1000"),
      list("output.lanes.tiers", "Keep the lanes of these tiers." + one_of).from(1),
      text("output.lanes.tiers[]",
           "Tier of the sending node (endpoint, leaf, spine, core), or of both ends (leaf-spine)."),
      list("output.lanes.list", "Keep these lanes." + one_of).from(1),
      text("output.lanes.list[]", "A lane by its two ends: leaf0->spine1."),
      choice("output.flows", {"all", "none"},
             "Flows whose rates are kept as series; or a mapping {list: [..]}.")
          .value("none"),
      list("output.flows.list", "Keep these flows.").from(1).required(),
      text("output.flows.list[]", "Number of a flow, or its two ends: e0->e5."),
      choice("output.messages", {"all", "none"},
             "Messages whose times are kept; or a mapping {every: n}.")
          .value("all"),
      integer("output.messages.every", "Keep every n-th message.").between(1, 1e12).required(),
      integer("output.compression", "Level of compression of the datasets, 0 (none) to 9.")
          .between(0, 9)
          .value("4"),
  };
}

}  // namespace tailrace
