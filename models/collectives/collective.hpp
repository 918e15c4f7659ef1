// SPDX-License-Identifier: Apache-2.0
// Collective operations as flows: what all of them have, and the choice among them.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "models/workload/workload.hpp"

namespace tailrace {

/// One collective operation over a list of endpoints.
struct CollectiveInput {
  std::vector<NodeId> ranks;  ///< in the order of the ring; at least 2, all different
  std::int64_t bytes = 0;     ///< S in nccl-tests' sense, payload, at least 1 (see each operation)
  double start_ns = 0;
  std::int32_t traffic_class = 0;
};

/// Share j of S bytes in n whole-byte shares: bytes [floor(j S / n), floor((j+1) S / n)), j modulo
/// n. Shares differ by one byte at most and add up to S, so nothing is lost when n does not divide
/// S. In bytes.
std::int64_t share_bytes(std::int64_t bytes, std::int64_t ranks, std::int64_t share);

/// The flows of a collective: flow 0 .. flow_count-1 of a workload of its own.
class CollectiveWorkload : public Workload {
 public:
  void messages(FlowId id, std::vector<MessageSpec>& messages) const final;
  std::vector<CollectiveSpec> collectives() const final;

 protected:
  CollectiveWorkload(std::string operation, std::string algorithm, CollectiveInput input);
  virtual double payload_bytes(std::int64_t flow) const = 0;

  std::int64_t rank_count() const { return static_cast<std::int64_t>(input_.ranks.size()); }
  NodeId rank(std::int64_t r) const {  ///< r modulo the number of ranks
    return input_.ranks[static_cast<std::size_t>(r % rank_count())];
  }
  std::int64_t share(std::int64_t j) const { return share_bytes(input_.bytes, rank_count(), j); }
  const CollectiveInput input_;

 private:
  const std::string operation_, algorithm_;
};

/// Operation by name: all_reduce, all_gather, reduce_scatter (algorithm ring), all_to_all
/// (pairwise), send_recv (direct). An empty algorithm takes the operation's own. Throws InputError
/// (without a place) for unknown names, fewer than two ranks, and S that leaves a rank without a
/// byte.
std::unique_ptr<Workload> make_collective(const std::string& operation,
                                          const std::string& algorithm, CollectiveInput input);

}  // namespace tailrace
