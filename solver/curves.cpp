// SPDX-License-Identifier: Apache-2.0
// Storage of the pool of curves and its growth between steps.
#include "solver/curves.hpp"

#include <limits>

#include "solver/base/errors.hpp"

namespace tailrace {

void CurvePool::allocate(std::int64_t curves, std::uint16_t capacity) {
  const std::size_t n = static_cast<std::size_t>(curves);
  const std::size_t points = n * capacity;
  TAILRACE_REQUIRE(points < std::numeric_limits<std::uint32_t>::max() / 2,
                   "too many curves on one rank: use more ranks");
  offset_ = Kokkos::View<std::uint32_t*>("curve_offset", n);
  first_ = Kokkos::View<std::uint32_t*>("curve_first", n);
  count_ = Kokkos::View<std::uint16_t*>("curve_count", n);
  capacity_ = Kokkos::View<std::uint16_t*>("curve_capacity", n);
  full_ = Kokkos::View<std::int32_t*>("curve_full", n);
  full_count_ = Kokkos::View<std::int32_t>("curve_full_count");
  step_ = Kokkos::View<std::int32_t*>(Kokkos::view_alloc("curve_step", Kokkos::WithoutInitializing),
                                      points);
  value_bytes_ = Kokkos::View<double*>(
      Kokkos::view_alloc("curve_value_bytes", Kokkos::WithoutInitializing), points);
  Kokkos::deep_copy(capacity_, capacity);
  const auto offset_h = Kokkos::create_mirror_view(offset_);
  for (std::size_t c = 0; c < n; ++c) {
    offset_h(c) = static_cast<std::uint32_t>(c * capacity);
  }
  Kokkos::deep_copy(offset_, offset_h);
  used_ = static_cast<std::uint32_t>(points);
}

CurvePoolView CurvePool::view() const {
  return {offset_.data(), first_.data(),       count_.data(), capacity_.data(),
          step_.data(),   value_bytes_.data(), full_.data(),  full_count_.data()};
}

void move_full_curves(const CurvePoolView& pool, std::int32_t moved, std::uint32_t used) {
  // One after another: the new places follow from the order, and few curves fill up in one step.
  Kokkos::parallel_for(
      "tailrace::curves::move_full_curves", Kokkos::RangePolicy<>(0, 1), KOKKOS_LAMBDA(int) {
        std::uint32_t place = used;
        for (std::int32_t i = 0; i < moved; ++i) {
          const std::int32_t c = pool.full[i];
          const std::uint32_t points = pool.count[c];
          for (std::uint32_t p = 0; p < points; ++p) {
            pool.step[place + p] = pool.step[pool.at(c, p)];
            pool.value_bytes[place + p] = pool.value_bytes[pool.at(c, p)];
          }
          pool.offset[c] = place;
          pool.first[c] = 0;
          pool.capacity[c] = static_cast<std::uint16_t>(2 * pool.capacity[c]);
          place += pool.capacity[c];
        }
      });
}

bool CurvePool::grow_full() {
  std::int32_t moved = 0;
  Kokkos::deep_copy(moved, full_count_);
  if (moved == 0) {
    return false;
  }
  const auto full_h = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), full_);
  const auto capacity_h = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), capacity_);
  std::uint64_t needed = used_;
  for (std::int32_t i = 0; i < moved; ++i) {
    const std::uint32_t capacity = capacity_h(static_cast<std::size_t>(full_h(i)));
    TAILRACE_REQUIRE(
        capacity <= std::numeric_limits<std::uint16_t>::max() / 2,
        "a queue's history has over 32,768 bends: its residence time is out of bounds");
    needed += 2 * capacity;
  }
  TAILRACE_REQUIRE(needed < std::numeric_limits<std::uint32_t>::max(),
                   "histories need over 4e9 points on one rank: use more ranks");
  bool moved_pool = false;
  if (needed > step_.extent(0)) {
    const std::size_t points = static_cast<std::size_t>(needed + needed / 4);
    Kokkos::resize(step_, points);
    Kokkos::resize(value_bytes_, points);
    moved_pool = true;
  }
  move_full_curves(view(), moved, used_);
  used_ = static_cast<std::uint32_t>(needed);
  Kokkos::deep_copy(full_count_, 0);
  return moved_pool;
}

std::int64_t CurvePool::bytes() const {
  return static_cast<std::int64_t>(step_.extent(0)) * 12 +
         static_cast<std::int64_t>(offset_.extent(0)) * 16;
}

}  // namespace tailrace
