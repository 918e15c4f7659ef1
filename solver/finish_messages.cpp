// SPDX-License-Identifier: Apache-2.0
// Follows the last curve of each flow over the ends of its messages.
#include "solver/finish_messages.hpp"

#include "solver/launch.hpp"

namespace tailrace {

namespace {

/// When the curve that went from `now` at n to `next` at n+1 reached `end`, in steps. A message
/// that could not have come before n even on an empty fabric has come as if it were alone. Else the
/// curve is a straight line; where it ends short within the step, the rate of the step before tells
/// how far it went, and where it began within the step too, the route's capacity does. `earliest`
/// is negative for pipelines, whose bursts all begin at the same place in a step: earliest + 1.
KOKKOS_INLINE_FUNCTION double passing_time(double n, double now, double next, double end,
                                           double rate_before, double budget, double earliest) {
  if (earliest >= n) {
    return earliest < n + 1 ? earliest : n + 1;
  }
  const double begin = rate_before == 0 && earliest < 0 ? earliest + 1 : 0;
  const double known = rate_before > 0 ? rate_before : budget;
  const double rate = next - now > known ? next - now : known;
  const double part = begin + (end - now) / rate;
  return n + (part < 1 ? (part > 0 ? part : 0) : 1);
}

/// Rate at the end of the step, bytes per whole step. A burst of a pipeline that began in it had
/// only a part of it, -earliest.
KOKKOS_INLINE_FUNCTION double step_rate(double bytes, double rate_before, double budget,
                                        double earliest) {
  if (earliest >= 0) {
    return bytes;
  }
  const double full = budget * -earliest, off = bytes - full;
  if (off < 1e-9 * full && off > -1e-9 * full) {  // at the route's capacity since it began
    return budget;
  }
  if (rate_before > 0) {
    return bytes;
  }
  return off < 0 ? bytes / -earliest : budget;
}

}  // namespace

void finish_messages(const StateView& state, std::int64_t step) {
  const StateView s = state;
  const double n = static_cast<double>(step);
  for_each_item(
      "tailrace::finish_messages::finish_messages", s.arrival_count, KOKKOS_LAMBDA(std::int32_t a) {
        const double now = s.left_now[s.arrival_hop[a]];
        const double next = s.left_next[s.arrival_hop[a]];
        if (next == now) {
          s.arrival_rate_bytes[a] = 0;
          return;
        }
        std::int64_t m = s.arrival_next[a];
        const std::int64_t last = s.arrival_message_begin[a + 1];
        for (; m < last && s.arrival_wire_end_bytes[m] <= next + rounding_bytes; ++m) {
          s.message_finish_steps[m] =
              passing_time(n, now, next, s.arrival_wire_end_bytes[m], s.arrival_rate_bytes[a],
                           s.arrival_budget_bytes[a], s.arrival_earliest_steps[m]) +
              s.arrival_latency_steps[a];
        }
        const double earliest = s.arrival_earliest_steps[last - 1];
        s.arrival_next[a] = m;
        s.arrival_rate_bytes[a] =
            step_rate(next - now, s.arrival_rate_bytes[a], s.arrival_budget_bytes[a], earliest);
      });
}

Delivered count_delivered(const StateView& state, double per_byte) {
  const StateView s = state;
  const auto add = KOKKOS_LAMBDA(std::int32_t a, std::int64_t & messages, std::int64_t & units) {
    messages += s.arrival_next[a] - s.arrival_message_begin[a];
    units += static_cast<std::int64_t>(s.left_now[s.arrival_hop[a]] * per_byte + 0.5);
  };
  Delivered delivered;
  if (runs_in_place(s.arrival_count)) {
    for (std::int32_t a = 0; a < s.arrival_count; ++a) {
      add(a, delivered.messages, delivered.units);
    }
    return delivered;
  }
  Kokkos::parallel_reduce("tailrace::finish_messages::count_delivered",
                          Kokkos::RangePolicy<Execution>(0, s.arrival_count), add,
                          delivered.messages, delivered.units);
  return delivered;
}

}  // namespace tailrace
