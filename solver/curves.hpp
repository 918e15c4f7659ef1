// SPDX-License-Identifier: Apache-2.0
// Short piecewise-linear histories of cumulative curves, as far back as residence in a queue needs.
//
// A curve is a ring of points (step, bytes); between two points it is a straight line. The oldest
// point is dropped as soon as the reader's time has passed the second-oldest, so a curve is as long
// as the queue's content has bends, not as long as the queue is deep. Points that lie on the line
// of their neighbours within `merge_tolerance_bytes` are not kept.
#pragma once

#include <Kokkos_Core.hpp>
#include <cstdint>

namespace tailrace {

/// Rounding of a sum of some hundred curves; far below a packet.
inline constexpr double merge_tolerance_bytes = 1e-4;

/// Plain pointers to a pool of curves, for kernels. [curves] unless said otherwise.
struct CurvePoolView {
  std::uint32_t* offset;  ///< first point of the ring in the pool
  std::uint32_t* first;   ///< running number of the oldest point; ring index = first & mask
  std::uint16_t* count;
  std::uint16_t* capacity;   ///< power of two
  std::int32_t* step;        ///< [points]
  double* value_bytes;       ///< [points]
  std::int32_t* full;        ///< [curves] curves that are full after this step ...
  std::int32_t* full_count;  ///< [1] ... and how many

  KOKKOS_INLINE_FUNCTION std::uint32_t at(std::int32_t c, std::uint32_t i) const {
    return offset[c] + ((first[c] + i) & (static_cast<std::uint32_t>(capacity[c]) - 1U));
  }

  KOKKOS_INLINE_FUNCTION void clear(std::int32_t c) const { count[c] = 0; }

  KOKKOS_INLINE_FUNCTION void push(std::int32_t c, std::int32_t n, double bytes) const {
    const std::uint32_t place = at(c, count[c]);
    step[place] = n;
    value_bytes[place] = bytes;
    if (++count[c] >= capacity[c]) {  // the host doubles it before the next step
      full[Kokkos::atomic_fetch_add(full_count, 1)] = c;
    }
  }

  /// Appends (n, bytes), or moves the last point there when it lies on the last line.
  KOKKOS_INLINE_FUNCTION void append(std::int32_t c, std::int32_t n, double bytes) const {
    if (count[c] >= 2) {
      const std::uint32_t last = at(c, count[c] - 1U), before = at(c, count[c] - 2U);
      const double slope = (value_bytes[last] - value_bytes[before]) / (step[last] - step[before]);
      const double off = value_bytes[last] + slope * (n - step[last]) - bytes;
      if (off < merge_tolerance_bytes && off > -merge_tolerance_bytes) {
        step[last] = n;
        value_bytes[last] = bytes;
        return;
      }
    }
    push(c, n, bytes);
  }

  KOKKOS_INLINE_FUNCTION void pop(std::int32_t c) const {
    ++first[c];
    --count[c];
  }

  /// Value at `time` (steps), not before that of the last call. Forgets what lies before.
  KOKKOS_INLINE_FUNCTION double value_at(std::int32_t c, double time) const {
    while (count[c] >= 2 && step[at(c, 1)] <= time) {
      pop(c);
    }
    const std::uint32_t a = at(c, 0);
    if (count[c] == 1) {
      return value_bytes[a];
    }
    const std::uint32_t b = at(c, 1);
    return value_bytes[a] +
           (value_bytes[b] - value_bytes[a]) * ((time - step[a]) / (step[b] - step[a]));
  }

  /// Time (steps) at which the curve reached `bytes`, not below those of the last call.
  KOKKOS_INLINE_FUNCTION double time_of(std::int32_t c, double bytes) const {
    while (count[c] >= 2 && value_bytes[at(c, 1)] <= bytes) {
      pop(c);
    }
    const std::uint32_t a = at(c, 0);
    if (count[c] == 1 || bytes <= value_bytes[a]) {
      return step[a];
    }
    const std::uint32_t b = at(c, 1);
    return step[a] +
           (step[b] - step[a]) * ((bytes - value_bytes[a]) / (value_bytes[b] - value_bytes[a]));
  }
};

/// Owner of the pool. Grows between steps, never in one.
class CurvePool {
 public:
  /// `curves` curves with room for `capacity` points each (a power of two).
  void allocate(std::int64_t curves, std::uint16_t capacity);
  CurvePoolView view() const;
  /// Doubles every curve that filled up in the last step. Returns whether pointers have changed.
  bool grow_full();
  std::int64_t bytes() const;

 private:
  Kokkos::View<std::uint32_t*> offset_, first_;
  Kokkos::View<std::uint16_t*> count_, capacity_;
  Kokkos::View<std::int32_t*> step_;
  Kokkos::View<double*> value_bytes_;
  Kokkos::View<std::int32_t*> full_;
  Kokkos::View<std::int32_t> full_count_;
  std::uint32_t used_ = 0;  ///< points handed out
};

/// Moves full curves to rings of twice the size at the end of the pool. Launch of grow_full().
void move_full_curves(const CurvePoolView& pool, std::int32_t moved, std::uint32_t used);

}  // namespace tailrace
