// SPDX-License-Identifier: Apache-2.0
// Numbers as the summary and the progress lines show them to people.
#include "solver/app/quantity_text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <span>
#include <string_view>

namespace tailrace {

namespace {

struct Unit {
  std::string_view name;
  double factor;
};

// `digits` significant digits, without an exponent; larger numbers keep all their whole digits.
std::string significant(double value, int digits) {
  if (value == 0) return "0";
  int decimals = digits - 1 - static_cast<int>(std::floor(std::log10(std::abs(value))));
  // 9.9996 has one digit before the point until it is rounded to 10.000.
  const double rounded = std::round(value * std::pow(10.0, decimals)) / std::pow(10.0, decimals);
  decimals = digits - 1 - static_cast<int>(std::floor(std::log10(std::abs(rounded))));
  return fmt::format("{:.{}f}", value, std::clamp(decimals, 0, 9));
}

// In the largest unit in which the value does not round to less than 1.
std::string with_unit(double value, int digits, std::span<const Unit> units) {
  if (std::isnan(value)) return "-";
  const Unit* chosen = &units.front();
  for (const Unit& unit : units) {
    if (std::abs(value) >= (1 - 0.5 * std::pow(10.0, -digits)) * unit.factor) chosen = &unit;
  }
  const double scaled = value / chosen->factor;
  const bool whole = chosen == &units.front() && scaled == std::round(scaled);
  const std::string number = whole ? fmt::format("{:.0f}", scaled) : significant(scaled, digits);
  return chosen->name.empty() ? number : fmt::format("{} {}", number, chosen->name);
}

}  // namespace

std::string time_text(double ns) {
  static constexpr Unit units[] = {{"ns", 1}, {"us", 1e3}, {"ms", 1e6}, {"s", 1e9}};
  return with_unit(ns, 4, units);
}

std::string bytes_text(double bytes) {
  static constexpr Unit units[] = {{"B", 1},    {"kB", 1e3},  {"MB", 1e6},
                                   {"GB", 1e9}, {"TB", 1e12}, {"PB", 1e15}};
  return with_unit(bytes, 4, units);
}

std::string count_text(std::int64_t count) {
  std::string text = std::to_string(count);
  const std::ptrdiff_t first_digit = count < 0 ? 1 : 0;
  for (auto at = static_cast<std::ptrdiff_t>(text.size()) - 3; at > first_digit; at -= 3) {
    text.insert(static_cast<std::size_t>(at), ",");
  }
  return text;
}

std::string plural_text(std::int64_t count, const std::string& noun, const std::string& plural) {
  return count_text(count) + " " + (count == 1 ? noun : plural.empty() ? noun + "s" : plural);
}

std::string large_count_text(double count) {
  static constexpr Unit units[] = {
      {"", 1}, {"thousand", 1e3}, {"million", 1e6}, {"billion", 1e9}, {"trillion", 1e12}};
  return with_unit(count, 3, units);
}

std::string percent_text(double fraction) {
  if (std::isnan(fraction)) return "-";
  if (fraction > 0 && fraction < 0.0005) return "< 0.1 %";
  return fmt::format("{:.1f} %", 100 * fraction);
}

std::string wall_text(double seconds) {
  if (std::isnan(seconds)) return "-";
  if (seconds < 0.9995) return fmt::format("{:.2f} s", seconds);
  if (seconds < 99.5) return fmt::format("{} s", significant(seconds, 3));
  const auto whole = static_cast<std::int64_t>(std::llround(std::min(seconds, 1e15)));
  constexpr std::int64_t minute = 60, hour = 3600, day = 86400;
  if (whole < hour) return fmt::format("{} min {:02} s", whole / minute, whole % minute);
  if (whole < day) return fmt::format("{} h {:02} min", whole / hour, whole % hour / minute);
  return fmt::format("{} d {:02} h", whole / day, whole % day / hour);
}

std::string number_text(double value) {
  if (std::isnan(value)) return "-";
  return significant(value, 4);
}

}  // namespace tailrace
