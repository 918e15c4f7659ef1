// SPDX-License-Identifier: Apache-2.0
// Flows of the send-receive ring.
#include "models/collectives/send_recv.hpp"

#include <utility>

#include "solver/base/errors.hpp"

namespace tailrace {
namespace {

class SendRecv final : public CollectiveWorkload {
 public:
  explicit SendRecv(CollectiveInput input)
      : CollectiveWorkload("send_recv", "direct", std::move(input)) {}

  std::int64_t flow_count() const override { return rank_count(); }

  FlowSpec flow(FlowId id) const override {
    TAILRACE_REQUIRE(id.value >= 0 && id.value < flow_count(), "no such flow");
    FlowSpec spec;
    spec.source = rank(id.value);
    spec.target = rank(id.value + 1);
    spec.traffic_class = input_.traffic_class;
    return spec;
  }

  WorkloadSize size() const override {
    return {flow_count(), flow_count(),
            static_cast<double>(rank_count()) * static_cast<double>(input_.bytes)};
  }

 private:
  double payload_bytes(std::int64_t) const override { return static_cast<double>(input_.bytes); }
};

}  // namespace

std::unique_ptr<Workload> make_send_recv(CollectiveInput input) {
  return std::make_unique<SendRecv>(std::move(input));
}

}  // namespace tailrace
