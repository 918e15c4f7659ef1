// SPDX-License-Identifier: Apache-2.0
// Flows of the ring collectives; the equations stand in ring.hpp.
#include "models/collectives/ring.hpp"

#include <utility>

#include "solver/base/errors.hpp"

namespace tailrace {
namespace {

const char* name_of(RingOperation operation) {
  switch (operation) {
    case RingOperation::all_reduce:
      return "all_reduce";
    case RingOperation::all_gather:
      return "all_gather";
    case RingOperation::reduce_scatter:
      return "reduce_scatter";
  }
  return "";
}

class Ring final : public CollectiveWorkload {
 public:
  Ring(RingOperation operation, CollectiveInput input)
      : CollectiveWorkload(name_of(operation), "ring", std::move(input)), kind_(operation) {}

  std::int64_t flow_count() const override { return rank_count(); }

  FlowSpec flow(FlowId id) const override {
    TAILRACE_REQUIRE(id.value >= 0 && id.value < flow_count(), "no such flow");
    FlowSpec spec;
    spec.source = rank(id.value);
    spec.target = rank(id.value + 1);
    spec.traffic_class = input_.traffic_class;
    spec.upstream = FlowId{(id.value + rank_count() - 1) % rank_count()};
    spec.head_start_bytes = static_cast<double>(share(id.value));
    return spec;
  }

  WorkloadSize size() const override {
    const auto passes =
        static_cast<double>((kind_ == RingOperation::all_reduce ? 2 : 1) * (rank_count() - 1));
    return {flow_count(), flow_count(), passes * static_cast<double>(input_.bytes)};
  }

 private:
  double payload_bytes(std::int64_t i) const override {
    const std::int64_t once = input_.bytes - share(i + 1);
    const std::int64_t again = kind_ == RingOperation::all_reduce ? input_.bytes - share(i + 2) : 0;
    return static_cast<double>(once + again);
  }

  const RingOperation kind_;
};

}  // namespace

std::unique_ptr<Workload> make_ring(RingOperation operation, CollectiveInput input) {
  return std::make_unique<Ring>(operation, std::move(input));
}

}  // namespace tailrace
