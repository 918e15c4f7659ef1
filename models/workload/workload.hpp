// SPDX-License-Identifier: Apache-2.0
// What the endpoints send: flows, their messages, and the collectives that they make up.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "solver/base/deck.hpp"
#include "solver/base/ids.hpp"
#include "topology/graph.hpp"

namespace tailrace {

/// One flow: a connection from one endpoint to another along one route.
struct FlowSpec {
  NodeId source, target;
  std::int32_t traffic_class = 0;
  std::uint64_t hash_key = 0;  ///< for the router
  std::vector<NodeId> via;     ///< way points, usually empty
  /// A flow of a pipeline forwards what its endpoint has received by flow `upstream`: it may send
  /// `head_start_bytes` of its payload at once, and the rest as it comes in. Invalid: no limit but
  /// its messages' start times.
  FlowId upstream;
  double head_start_bytes = 0;
};

/// One message: a stretch of a flow's payload. A flow's messages are sent in the order of their
/// start times.
struct MessageSpec {
  double bytes = 0;  ///< payload; whole bytes; at least 1
  double start_ns = 0;
  std::int32_t group = -1;  ///< index into Workload::groups(), or -1
};

/// A collective operation: flows [first_flow, first_flow + flow_count); it ends when all of their
/// messages have.
struct CollectiveSpec {
  std::string name;       ///< e.g. "all_reduce"
  std::string operation;  ///< all_reduce, all_gather, reduce_scatter, all_to_all, send_recv
  std::string algorithm;  ///< ring, pairwise, direct
  double bytes = 0;       ///< S in nccl-tests' sense
  std::int32_t ranks = 0;
  double start_ns = 0;
  std::int64_t first_flow = 0, flow_count = 0;
};

/// How much a workload is, for --dry-run and the summary.
struct WorkloadSize {
  std::int64_t flows = 0;
  std::int64_t messages = 0;
  double payload_bytes = 0;
};

/// The workload of a run, generated on demand: no rank ever holds all flows. Every call gives the
/// same answer on every rank. Host code; thread-safe after construction.
class Workload {
 public:
  virtual ~Workload() = default;
  virtual std::int64_t flow_count() const = 0;
  virtual FlowSpec flow(FlowId id) const = 0;
  /// Messages of one flow, by start time (replaces the content of `messages`).
  virtual void messages(FlowId id, std::vector<MessageSpec>& messages) const = 0;
  /// Exact. Here by asking every flow; generators that know the sums say them at once.
  virtual WorkloadSize size() const;
  virtual std::vector<CollectiveSpec> collectives() const { return {}; }
  virtual std::vector<std::string> groups() const { return {}; }
  /// Things that the user should know ("3 flows of zero bytes were left out").
  virtual std::vector<std::string> warnings() const { return {}; }
};

/// Reads `workload` (kind flows | pattern | collective). Throws InputError with places.
std::unique_ptr<Workload> make_workload(const Deck& deck, const Graph& graph);

}  // namespace tailrace
