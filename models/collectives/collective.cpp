// SPDX-License-Identifier: Apache-2.0
// What all collectives share: whole-byte shares, one message per flow, checks and the choice.
#include "models/collectives/collective.hpp"

#include <fmt/format.h>

#include <array>
#include <utility>

#include "models/collectives/all_to_all.hpp"
#include "models/collectives/ring.hpp"
#include "models/collectives/send_recv.hpp"
#include "solver/base/errors.hpp"

namespace tailrace {
namespace {

struct Operation {
  const char* name;
  const char* algorithm;
  bool one_byte_per_rank;  ///< every rank owns a share of S, which cannot be empty
};

constexpr std::array<Operation, 5> operations{{{"all_reduce", "ring", false},
                                               {"all_gather", "ring", true},
                                               {"reduce_scatter", "ring", true},
                                               {"all_to_all", "pairwise", true},
                                               {"send_recv", "direct", false}}};

const Operation& find_operation(const std::string& name) {
  for (const Operation& operation : operations) {
    if (name == operation.name) return operation;
  }
  throw InputError(
      fmt::format("workload.operation: '{}' is unknown; allowed: all_reduce, "
                  "all_gather, reduce_scatter, all_to_all, send_recv",
                  name));
}

}  // namespace

std::int64_t share_bytes(std::int64_t bytes, std::int64_t ranks, std::int64_t share) {
  // floor(j S / n) = j floor(S / n) + floor(j (S mod n) / n) does not overflow.
  const std::int64_t whole = bytes / ranks;
  const std::int64_t rest = bytes % ranks;
  const std::int64_t j = share % ranks;
  return whole + (j + 1) * rest / ranks - j * rest / ranks;
}

CollectiveWorkload::CollectiveWorkload(std::string operation, std::string algorithm,
                                       CollectiveInput input)
    : input_(std::move(input)), operation_(std::move(operation)), algorithm_(std::move(algorithm)) {
  TAILRACE_REQUIRE(input_.ranks.size() >= 2, "a collective needs two ranks");
  TAILRACE_REQUIRE(input_.bytes >= 1, "a collective moves at least one byte");
}

void CollectiveWorkload::messages(FlowId id, std::vector<MessageSpec>& messages) const {
  TAILRACE_REQUIRE(id.value >= 0 && id.value < flow_count(), "no such flow");
  messages.assign(1, {payload_bytes(id.value), input_.start_ns, -1});
}

std::vector<CollectiveSpec> CollectiveWorkload::collectives() const {
  CollectiveSpec spec;
  spec.name = operation_;
  spec.operation = operation_;
  spec.algorithm = algorithm_;
  spec.bytes = static_cast<double>(input_.bytes);
  spec.ranks = static_cast<std::int32_t>(rank_count());
  spec.start_ns = input_.start_ns;
  spec.flow_count = flow_count();
  return {spec};
}

std::unique_ptr<Workload> make_collective(const std::string& operation,
                                          const std::string& algorithm, CollectiveInput input) {
  const Operation& known = find_operation(operation);
  if (!algorithm.empty() && algorithm != known.algorithm) {
    throw InputError(fmt::format("workload.algorithm: {} has no algorithm '{}'; allowed: {}",
                                 operation, algorithm, known.algorithm));
  }
  const std::size_t ranks = input.ranks.size();
  if (ranks < 2) {
    throw InputError(
        fmt::format("workload.ranks: {} over {} rank{} has nothing to send; give at least 2",
                    operation, ranks, ranks == 1 ? "" : "s"));
  }
  const std::int64_t least = known.one_byte_per_rank ? static_cast<std::int64_t>(ranks) : 1;
  if (input.bytes < least) {
    throw InputError(fmt::format("workload.bytes: {} B over {} ranks; {} needs at least {} B{}",
                                 input.bytes, ranks, operation, least,
                                 least > 1 ? ", one byte for each rank's share" : ""));
  }
  if (operation == "all_reduce") return make_ring(RingOperation::all_reduce, std::move(input));
  if (operation == "all_gather") return make_ring(RingOperation::all_gather, std::move(input));
  if (operation == "reduce_scatter") {
    return make_ring(RingOperation::reduce_scatter, std::move(input));
  }
  if (operation == "all_to_all") return make_all_to_all(std::move(input));
  return make_send_recv(std::move(input));
}

}  // namespace tailrace
