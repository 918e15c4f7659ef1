// SPDX-License-Identifier: Apache-2.0
// What all workloads can do without knowing their sums.
#include "models/workload/workload.hpp"

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

}  // namespace tailrace
