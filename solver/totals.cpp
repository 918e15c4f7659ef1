// SPDX-License-Identifier: Apache-2.0
// Sums of injected, delivered and queued bytes over the hops of this rank.
#include "solver/totals.hpp"

#include <cmath>

#include "solver/finish_messages.hpp"
#include "solver/launch.hpp"

namespace tailrace {

FixedPoint::FixedPoint(double largest_bytes) {
  constexpr double finest = 65536, largest_sum = 1LL << 60;
  per_byte = finest;
  while (per_byte > 1.0 / 1024 && largest_bytes * per_byte > largest_sum) {
    per_byte /= 2;
  }
}

std::int64_t FixedPoint::of(double bytes) const { return std::llround(bytes * per_byte); }

ByteTotals sum_bytes(const StateView& state, const Layout& layout, const FixedPoint& unit) {
  const StateView s = state;
  const double per_byte = unit.per_byte;
  const std::int32_t queues = layout.queue_count();
  ByteTotals totals;
  Kokkos::parallel_reduce(
      "tailrace::totals::sum_bytes", Kokkos::RangePolicy<Execution>(0, queues),
      KOKKOS_LAMBDA(std::int32_t q, std::int64_t & injected, std::int64_t & between) {
        for (std::int32_t h = s.queue_hop_begin[q]; h < s.queue_hop_begin[q + 1]; ++h) {
          const std::int64_t left = static_cast<std::int64_t>(s.left_now[h] * per_byte + 0.5);
          if (s.queue_source[q] >= 0) {
            injected += left;
          } else {
            between +=
                static_cast<std::int64_t>(s.left_now[s.hop_upstream[h]] * per_byte + 0.5) - left;
          }
        }
      },
      totals.injected, totals.between);
  totals.delivered = count_delivered(s, per_byte).units;
  const std::int32_t classes = s.class_count;
  Kokkos::parallel_reduce(
      "tailrace::totals::sum_queued", Kokkos::RangePolicy<Execution>(0, s.link_count * classes),
      KOKKOS_LAMBDA(std::int32_t lane, std::int64_t & queued) {
        if (s.link_at_endpoint[lane / classes] == 0) {
          queued +=
              static_cast<std::int64_t>(s.statistics.backlog_now_bytes[lane] * per_byte + 0.5);
        }
      },
      totals.queued);
  return totals;
}

}  // namespace tailrace
