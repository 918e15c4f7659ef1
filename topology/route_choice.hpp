// SPDX-License-Identifier: Apache-2.0
// How a switch picks one of several equally short ways: hash of the flow, or destination mod k.
#pragma once

#include <cstdint>

#include "solver/base/mix64.hpp"
#include "topology/routing.hpp"

namespace tailrace {

/// The choices of one flow.
class RouteChoice {
 public:
  RouteChoice(const RoutingOptions& options, const RouteRequest& request)
      : dmodk_(options.kind == RoutingKind::dmodk),
        polarised_(options.polarised),
        target_(static_cast<std::uint32_t>(request.target.value)) {
    if (dmodk_) return;
    const auto source = static_cast<std::uint64_t>(request.source.value);
    flow_hash_ = mix64(options.seed);
    flow_hash_ = mix64(flow_hash_ ^ request.hash_key);
    flow_hash_ = mix64(flow_hash_ ^ (source << 32 | target_));
  }

  bool dmodk() const { return dmodk_; }

  /// One of `count` ways at `node`, 0 <= choice < count. `stride` is how many ways the switches
  /// below have already told apart: d-mod-k takes (target / stride) mod count.
  std::uint32_t pick(NodeId node, std::uint32_t count, std::uint32_t stride) const {
    if (dmodk_) return target_ / stride % count;
    const std::uint64_t salt = static_cast<std::uint64_t>(node.value) + 1;
    const std::uint64_t hash =
        polarised_ ? flow_hash_ : mix64(flow_hash_ ^ salt * 0xd1342543de82ef95ULL);
    return static_cast<std::uint32_t>((hash >> 32) * count >> 32);
  }

 private:
  bool dmodk_, polarised_;
  std::uint32_t target_;  // index of the target endpoint
  std::uint64_t flow_hash_ = 0;
};

}  // namespace tailrace
