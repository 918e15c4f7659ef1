// SPDX-License-Identifier: Apache-2.0
// Rows of the parameter table: the workload.
#include "solver/base/parameter_rows.hpp"

namespace tailrace {

namespace {

const std::string kind = "workload.kind";
const std::string pattern = "workload.pattern";
const std::string operation = "workload.operation";
const std::vector<std::string> pattern_or_collective = {"pattern", "collective"};

std::vector<Parameter> flow_rows() {
  return {
      list("workload.flows", "The flows, one mapping each.")
          .from(1)
          .required()
          .when(kind, {"flows"}),
      text("workload.flows[].from", "Sending endpoint, or a group's name for all its members.")
          .required()
          .when(kind, {"flows"}),
      text("workload.flows[].to", "Receiving endpoint, or a group's name for all its members.")
          .required()
          .when(kind, {"flows"}),
      size("workload.flows[].bytes", "Payload of each message.")
          .from(1)
          .required()
          .when(kind, {"flows"}),
      time("workload.flows[].start", "When the first message may start.")
          .from(0)
          .value("0 ns")
          .when(kind, {"flows"}),
      list("workload.flows[].via", "Switches that the route must pass, in order.")
          .when(kind, {"flows"}),
      text("workload.flows[].via[]", "Name of a switch.").when(kind, {"flows"}),
      text("workload.flows[].class",
           "Name of the traffic class; without it the first of fabric.classes.")
          .when(kind, {"flows"}),
      text("workload.flows[].group", "Name under which the messages are summed up in the output.")
          .when(kind, {"flows"}),
      integer("workload.flows[].repeat", "Number of messages.")
          .between(1, 1e9)
          .value("1")
          .when(kind, {"flows"}),
      time("workload.flows[].period",
           "From the start of one message to the start of the next; needed when repeat is above 1.")
          .above(0)
          .when(kind, {"flows"}),
  };
}

std::vector<Parameter> pattern_rows() {
  const std::vector<std::string> pattern_kind = {"pattern"};
  return {
      choice(pattern, {"permutation", "incast", "uniform", "shift", "all_to_all"},
             "Who sends to whom: each to one other at random; several to one; random pairs at "
             "random times; each to the one a fixed distance on; all pairs within groups.")
          .required()
          .when(kind, pattern_kind),
      integer("workload.seed", "Seed of the random choices. Independent of run.seed.")
          .from(0)
          .value("1")
          .when(kind, pattern_kind)
          .when(pattern, {"permutation", "uniform"}),
      integer("workload.senders", "Number of senders of an incast.")
          .between(1, 1e8)
          .required()
          .when(kind, pattern_kind)
          .when(pattern, {"incast"}),
      text("workload.target", "Receiver of an incast; without it the first endpoint.")
          .when(kind, pattern_kind)
          .when(pattern, {"incast"}),
      number("workload.load",
             "Mean rate that each endpoint sends, as a share of its link's capacity.")
          .between(0, 1)
          .above(0)
          .required()
          .when(kind, pattern_kind)
          .when(pattern, {"uniform"}),
      time("workload.duration", "How long messages go on starting.")
          .above(0)
          .required()
          .when(kind, pattern_kind)
          .when(pattern, {"uniform"}),
      integer("workload.peers",
              "Number of others, chosen at random, that each endpoint sends to; without it all.")
          .between(1, 1e8)
          .when(kind, pattern_kind)
          .when(pattern, {"uniform"}),
      integer("workload.distance", "Endpoint i sends to endpoint i + distance, counted round.")
          .between(-1e8, 1e8)
          .value("1")
          .when(kind, pattern_kind)
          .when(pattern, {"shift"}),
      integer("workload.group_size", "Endpoints per group; without it all endpoints are one group.")
          .between(2, 1e8)
          .when(kind, pattern_kind)
          .when(pattern, {"all_to_all"}),
      integer("workload.group_stride",
              "Distance between the members of a group: member m of group g is endpoint g + stride "
              "* m.")
          .between(1, 1e8)
          .value("1")
          .when(kind, pattern_kind)
          .when(pattern, {"all_to_all"}),
  };
}

std::vector<Parameter> collective_rows() {
  const std::vector<std::string> collective = {"collective"};
  const std::vector<std::string> later = {"tree", "halving_doubling", "hierarchical", "sharp"};
  return {
      choice(operation, {"all_reduce", "all_gather", "reduce_scatter", "all_to_all", "send_recv"},
             "The collective operation.")
          .not_yet({"broadcast", "reduce", "barrier", "all_to_allv"})
          .required()
          .when(kind, collective),
      choice("workload.algorithm", {"auto", "ring"}, "How the operation is carried out.")
          .not_yet(later)
          .value("auto")
          .when(kind, collective)
          .when(operation, {"all_reduce", "all_gather", "reduce_scatter"}),
      choice("workload.algorithm", {"auto", "pairwise"}, "How the operation is carried out.")
          .value("auto")
          .when(kind, collective)
          .when(operation, {"all_to_all"}),
      choice("workload.algorithm", {"auto", "direct"}, "How the operation is carried out.")
          .value("auto")
          .when(kind, collective)
          .when(operation, {"send_recv"}),
      integer("workload.ranks",
              "Endpoints that take part: the first so many, or a list of names in the order of the "
              "ranks; without it all.")
          .between(2, 1e8)
          .when(kind, collective),
      list("workload.ranks", "Names in the order of the ranks.").from(1).when(kind, collective),
      text("workload.ranks[]", "Name of an endpoint, or a group's name for all its members.")
          .when(kind, collective),
  };
}

std::vector<Parameter> common_rows() {
  return {
      size("workload.bytes",
           "Payload of each message of a pattern; size of a collective as nccl-tests count it.")
          .from(1)
          .required()
          .when(kind, pattern_or_collective),
      time("workload.start", "When the pattern or the collective starts.")
          .from(0)
          .value("0 ns")
          .when(kind, pattern_or_collective),
      text("workload.class", "Name of the traffic class; without it the first of fabric.classes.")
          .when(kind, pattern_or_collective),
  };
}

std::vector<Parameter> planned_rows() {
  std::vector<Parameter> rows;
  for (const char* key :
       {"model", "parallelism", "batch", "gpu", "recompute", "overlap", "collective"}) {
    rows.push_back(
        planned(std::string("workload.") + key, "Training steps.").when(kind, {"training_step"}));
  }
  for (const char* key : {"path", "format"}) {
    rows.push_back(planned(std::string("workload.") + key, "A workload read from a file.")
                       .when(kind, {"trace"}));
  }
  rows.push_back(planned("workload.jobs", "Several jobs on one fabric.").when(kind, {"jobs"}));
  return rows;
}

}  // namespace

std::vector<Parameter> workload_rows() {
  std::vector<Parameter> rows = {
      choice(kind, {"flows", "pattern", "collective"},
             "What is sent: flows one by one, a pattern of them, or a collective operation.")
          .not_yet({"training_step", "trace", "jobs"})
          .required(),
  };
  for (const auto& more :
       {common_rows(), flow_rows(), pattern_rows(), collective_rows(), planned_rows()}) {
    rows.insert(rows.end(), more.begin(), more.end());
  }
  return rows;
}

}  // namespace tailrace
