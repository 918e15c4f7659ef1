// SPDX-License-Identifier: Apache-2.0
// Flows of the all-to-all, computed from their number.
#include "models/collectives/all_to_all.hpp"

#include <utility>

#include "solver/base/errors.hpp"

namespace tailrace {
namespace {

class AllToAll final : public CollectiveWorkload {
 public:
  explicit AllToAll(CollectiveInput input)
      : CollectiveWorkload("all_to_all", "pairwise", std::move(input)) {}

  std::int64_t flow_count() const override { return rank_count() * (rank_count() - 1); }

  FlowSpec flow(FlowId id) const override {
    TAILRACE_REQUIRE(id.value >= 0 && id.value < flow_count(), "no such flow");
    FlowSpec spec;
    spec.source = rank(source(id.value));
    spec.target = rank(target(id.value));
    spec.traffic_class = input_.traffic_class;
    return spec;
  }

  WorkloadSize size() const override {
    const auto others = static_cast<double>(rank_count() - 1);
    return {flow_count(), flow_count(), others * static_cast<double>(input_.bytes)};
  }

 private:
  std::int64_t source(std::int64_t flow) const { return flow / (rank_count() - 1); }
  std::int64_t target(std::int64_t flow) const {
    return source(flow) + 1 + flow % (rank_count() - 1);
  }
  double payload_bytes(std::int64_t flow) const override {
    return static_cast<double>(share(target(flow)));
  }
};

}  // namespace

std::unique_ptr<Workload> make_all_to_all(CollectiveInput input) {
  return std::make_unique<AllToAll>(std::move(input));
}

}  // namespace tailrace
