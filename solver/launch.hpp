// SPDX-License-Identifier: Apache-2.0
// Starts a loop over work items: in place when it is short and the memory is the host's.
#pragma once

#include <Kokkos_Core.hpp>
#include <cstdint>
#include <string>

#include "solver/state.hpp"

namespace tailrace {

/// Below this many items a loop costs less than waking the threads does (about 2 us).
inline constexpr std::int32_t in_place_items = 128;

/// Whether a loop over so many items runs on the calling thread.
inline bool runs_in_place(std::int32_t count) {
  constexpr bool on_host =
      Kokkos::SpaceAccessibility<Kokkos::HostSpace, Execution::memory_space>::accessible;
  return on_host && (count < in_place_items || Execution().concurrency() == 1);
}

/// Runs `body(i)` for i in [0, count). `body` is copied; it holds plain pointers only.
template <class Body>
void for_each_item(const char* label, std::int32_t count, const Body& body) {
  if (runs_in_place(count)) {
    for (std::int32_t i = 0; i < count; ++i) {
      body(i);
    }
    return;
  }
  Kokkos::parallel_for(label, Kokkos::RangePolicy<Execution>(0, count), body);
}

}  // namespace tailrace
