// SPDX-License-Identifier: Apache-2.0
// Workload `flows`: a list of entries "from, to, bytes, ..." whose ends are endpoints or groups.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "models/workload/workload.hpp"

namespace tailrace {

/// One end of an entry: a group of endpoints (index into FlowList::groups) or one endpoint.
struct EndpointRef {
  std::int32_t group = -1;  ///< -1: the one endpoint `node`
  NodeId node;
  bool operator==(const EndpointRef&) const = default;
};

/// One line of the list. All pairs from `from` to `to` send it; an endpoint that is on both sides
/// does not send to itself.
struct FlowEntry {
  EndpointRef from, to;
  double bytes = 0;         ///< payload of each message of each pair
  double start_ns = 0;      ///< start of the first message
  std::int64_t repeat = 1;  ///< messages: at start, start + period, ...
  double period_ns = 0;
  std::int32_t traffic_class = 0;
  std::vector<NodeId> via;
  std::string group;  ///< label of the messages; empty: none
};

struct FlowList {
  std::vector<std::vector<NodeId>> groups;  ///< members; an endpoint is in one group at most
  std::vector<FlowEntry> entries;
};

/// Flows in the order of the list, within an entry source by source. Entries of one pair with the
/// same class and way points are messages of ONE flow, the one of the first of them. Memory grows
/// with the list, not with the pairs, unless entries overlap in part (all pairs of S beside S3 to
/// S4): those are held pair by pair. Throws InputError when that would be too many, or when no
/// pair is left.
std::unique_ptr<Workload> make_flows(FlowList list);

}  // namespace tailrace
