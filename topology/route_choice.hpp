// SPDX-License-Identifier: Apache-2.0
// How a switch picks one of several equally short ways: hash of the flow, or destination mod k.
#pragma once

#include <cstdint>

#include "topology/routing.hpp"

namespace tailrace {

/// Finaliser of splitmix64 (Steele, Lea, Flood 2014): every input bit changes every output bit
/// with probability one half.
inline std::uint64_t mix_bits(std::uint64_t x) {
  x += 0x9e3779b97f4a7c15ULL;
  x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9ULL;
  x = (x ^ (x >> 27)) * 0x94d049bb133111ebULL;
  return x ^ (x >> 31);
}

/// The choices of one flow.
class RouteChoice {
 public:
  RouteChoice(const RoutingOptions& options, const RouteRequest& request)
      : dmodk_(options.kind == RoutingKind::dmodk),
        polarised_(options.polarised),
        target_(static_cast<std::uint32_t>(request.target.value)) {
    if (dmodk_) return;
    const auto source = static_cast<std::uint64_t>(request.source.value);
    flow_hash_ = mix_bits(options.seed);
    flow_hash_ = mix_bits(flow_hash_ ^ request.hash_key);
    flow_hash_ = mix_bits(flow_hash_ ^ (source << 32 | target_));
  }

  bool dmodk() const { return dmodk_; }

  /// One of `count` ways at `node`, 0 <= choice < count. `stride` is how many ways the switches
  /// below have already told apart: d-mod-k takes (target / stride) mod count.
  std::uint32_t pick(NodeId node, std::uint32_t count, std::uint32_t stride) const {
    if (dmodk_) return target_ / stride % count;
    const std::uint64_t salt = static_cast<std::uint64_t>(node.value) + 1;
    const std::uint64_t hash =
        polarised_ ? flow_hash_ : mix_bits(flow_hash_ ^ salt * 0xd1342543de82ef95ULL);
    return static_cast<std::uint32_t>((hash >> 32) * count >> 32);
  }

 private:
  bool dmodk_, polarised_;
  std::uint32_t target_;  // index of the target endpoint
  std::uint64_t flow_hash_ = 0;
};

}  // namespace tailrace
