// SPDX-License-Identifier: Apache-2.0
// The choice of a workload by its kind, and what all workloads can do without knowing their sums.
#include "models/workload/workload.hpp"

#include "models/workload/flows.hpp"
#include "models/workload/readers.hpp"
#include "solver/base/errors.hpp"

namespace tailrace {

WorkloadSize Workload::size() const {
  WorkloadSize size;
  size.flows = flow_count();
  std::vector<MessageSpec> list;
  for (std::int64_t f = 0; f < size.flows; ++f) {
    messages(FlowId{f}, list);
    size.messages += static_cast<std::int64_t>(list.size());
    for (const MessageSpec& message : list) size.payload_bytes += message.bytes;
  }
  return size;
}

std::unique_ptr<Workload> make_workload(const Deck& deck, const Graph& graph) {
  const std::string kind = deck.text("workload.kind");
  if (kind == "pattern") return read_pattern(deck, graph);
  if (kind == "collective") return read_collective(deck, graph);
  TAILRACE_REQUIRE(kind == "flows", "no reader for a workload of kind " + kind);
  FlowList list = read_flows(deck, graph);
  try {
    return make_flows(std::move(list));
  } catch (const InputError& error) {
    throw InputError(deck.mark("workload.flows"), error.what());
  }
}

}  // namespace tailrace
