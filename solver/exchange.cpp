// SPDX-License-Identifier: Apache-2.0
// Packs, sends, receives and unpacks what the ranks tell each other in a step.
#include "solver/exchange.hpp"

#include "solver/launch.hpp"

namespace tailrace {

namespace {

KOKKOS_INLINE_FUNCTION double* item_address(const StateView& s, std::int32_t item) {
  return item % 2 == HaloItem::hop ? s.left_now + item / 2 : s.returned + item / 2;
}

}  // namespace

void pack(const State& state, double* buffer) {
  const StateView s = state.view();
  const std::int32_t* items = state.pack_index.data();
  for_each_item(
      "tailrace::exchange::pack", static_cast<std::int32_t>(state.pack_index.extent(0)),
      KOKKOS_LAMBDA(std::int32_t i) { buffer[i] = *item_address(s, items[i]); });
}

void unpack(const State& state, const double* buffer) {
  const StateView s = state.view();
  const std::int32_t* items = state.unpack_index.data();
  for_each_item(
      "tailrace::exchange::unpack", static_cast<std::int32_t>(state.unpack_index.extent(0)),
      KOKKOS_LAMBDA(std::int32_t i) { *item_address(s, items[i]) = buffer[i]; });
}

void exchange(const State& state, Halo& halo) {
  if (state.pack_index.extent(0) + state.unpack_index.extent(0) == 0) {
    return;
  }
  constexpr bool on_host =
      Kokkos::SpaceAccessibility<Kokkos::HostSpace, Execution::memory_space>::accessible;
  using HostBuffer =
      Kokkos::View<double*, Kokkos::HostSpace, Kokkos::MemoryTraits<Kokkos::Unmanaged>>;
  using HostInput =
      Kokkos::View<const double*, Kokkos::HostSpace, Kokkos::MemoryTraits<Kokkos::Unmanaged>>;
  halo.post();
  if constexpr (on_host) {
    pack(state, halo.send_buffer());
  } else {
    pack(state, state.packed.data());
    Kokkos::deep_copy(HostBuffer(halo.send_buffer(), state.packed.extent(0)), state.packed);
  }
  halo.send();
  halo.wait();
  if constexpr (on_host) {
    unpack(state, halo.receive_buffer());
  } else {
    Kokkos::deep_copy(state.received, HostInput(halo.receive_buffer(), state.received.extent(0)));
    unpack(state, state.received.data());
  }
}

}  // namespace tailrace
