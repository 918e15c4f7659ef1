// SPDX-License-Identifier: Apache-2.0
// Integer types that tell ids of nodes, links, flows and ranks apart.
#pragma once

#include <compare>
#include <cstdint>
#include <functional>

namespace tailrace {

/// A typed index. `Tag` keeps ids of different things from being mixed up; `value` is the plain
/// number. -1 means "none".
template <class Tag, class Integer = std::int32_t>
struct Id {
  Integer value = -1;
  constexpr Id() = default;
  constexpr explicit Id(Integer v) : value(v) {}
  constexpr auto operator<=>(const Id&) const = default;
  constexpr bool valid() const { return value >= 0; }
};

using NodeId = Id<struct NodeTag>;                ///< node of the whole fabric (global)
using LinkId = Id<struct LinkTag>;                ///< link of the whole fabric (global)
using FlowId = Id<struct FlowTag, std::int64_t>;  ///< flow of the whole run (global)
using Rank = std::int32_t;                        ///< MPI rank

}  // namespace tailrace

template <class Tag, class Integer>
struct std::hash<tailrace::Id<Tag, Integer>> {
  std::size_t operator()(const tailrace::Id<Tag, Integer>& id) const {
    return std::hash<Integer>{}(id.value);
  }
};
