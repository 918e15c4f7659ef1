// SPDX-License-Identifier: Apache-2.0
// Quantities with units: read from decks, written for people.
#include "solver/base/units.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <cmath>
#include <string_view>
#include <vector>

#include "solver/base/errors.hpp"
#include "solver/base/numbers.hpp"

namespace tailrace {

namespace {

struct Unit {
  std::string_view name;
  double factor;  // what 1 of it is in the unit used inside
};

struct Scale {
  Dimension dimension;
  std::string_view noun;     // "a rate"
  std::string_view example;  // the unit to suggest when there is none
  std::vector<Unit> units;
};

const std::vector<Scale>& scales() {
  static const std::vector<Scale> table = {
      {Dimension::time, "a time", "ns", {{"ns", 1.0}, {"us", 1e3}, {"ms", 1e6}, {"s", 1e9}}},
      {Dimension::bytes,
       "a size",
       "B",
       {{"B", 1.0},
        {"kB", 1e3},
        {"KB", 1e3},
        {"MB", 1e6},
        {"GB", 1e9},
        {"TB", 1e12},
        {"KiB", 1024.0},
        {"MiB", 1048576.0},
        {"GiB", 1073741824.0},
        {"TiB", 1099511627776.0}}},
      {Dimension::rate,
       "a rate",
       "Gbps",
       {{"bps", 0.125e-9},
        {"kbps", 0.125e-6},
        {"Mbps", 0.125e-3},
        {"Gbps", 0.125},
        {"Tbps", 125.0}}},
      {Dimension::power, "a power", "W", {{"W", 1.0}, {"kW", 1e3}, {"MW", 1e6}}},
      {Dimension::flops,
       "a number of operations per second",
       "TFLOPS",
       {{"GFLOPS", 1e9}, {"TFLOPS", 1e12}, {"PFLOPS", 1e15}}}};
  return table;
}

const Scale* scale_of(Dimension dimension) {
  for (const Scale& scale : scales()) {
    if (scale.dimension == dimension) return &scale;
  }
  return nullptr;
}

std::string lower(std::string_view text) {
  std::string result(text);
  std::transform(result.begin(), result.end(), result.begin(),
                 [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  return result;
}

const Unit* find_unit(const Scale& scale, std::string_view name) {
  for (const Unit& unit : scale.units) {
    if (unit.name == name) return &unit;
  }
  return nullptr;
}

std::string allowed_units(const Scale& scale) {
  std::string list;
  for (const Unit& unit : scale.units) {
    if (!list.empty()) list += ", ";
    list += unit.name;
  }
  return list;
}

// The way out for a unit that is not one of the scale's.
std::string unit_hint(const Scale& scale, double value, std::string_view name) {
  if (scale.dimension == Dimension::rate && name.size() == 4 && name.substr(1) == "B/s") {
    const std::string bits = std::string(1, name.front()) + "bps";
    if (find_unit(scale, bits)) {
      return fmt::format("; rates are bits per second: write {} {}", shortest(value * 8.0), bits);
    }
  }
  std::string plain(name);
  if (name == "\xc2\xb5s" || name == "\xce\xbcs") plain = "us";
  if (plain.size() > 3 && plain.substr(plain.size() - 3) == "b/s") {
    plain = plain.substr(0, plain.size() - 3) + "bps";
  }
  for (const Unit& unit : scale.units) {
    if (lower(unit.name) == lower(plain)) return fmt::format("; did you mean {}?", unit.name);
  }
  for (const Scale& other : scales()) {
    if (find_unit(other, name)) return fmt::format("; {} is the unit of {}", name, other.noun);
  }
  return "";
}

double to_inside(const Scale& scale, double value, const Unit& unit) {
  const double result = value * unit.factor;
  if (scale.dimension != Dimension::bytes) return result;
  // 0.3 MB are whole bytes although 0.3 is not a whole binary fraction.
  const double whole = std::round(result);
  return std::abs(result - whole) <= 1e-9 * whole ? whole : result;
}

std::string_view trimmed(std::string_view text) {
  while (!text.empty() && text.front() == ' ') text.remove_prefix(1);
  while (!text.empty() && text.back() == ' ') text.remove_suffix(1);
  return text;
}

// Length of the number that `text` starts with; "1e3 us" has an exponent, "1 EB" has none.
std::size_t number_length(std::string_view text) {
  std::size_t i = 0;
  const auto digit = [&](std::size_t at) {
    return at < text.size() && std::isdigit(static_cast<unsigned char>(text[at]));
  };
  if (i < text.size() && (text[i] == '-' || text[i] == '+')) ++i;
  while (digit(i)) ++i;
  if (i < text.size() && text[i] == '.') ++i;
  while (digit(i)) ++i;
  if (i < text.size() && (text[i] == 'e' || text[i] == 'E')) {
    std::size_t exponent = i + 1;
    if (exponent < text.size() && (text[exponent] == '-' || text[exponent] == '+')) ++exponent;
    if (digit(exponent)) {
      i = exponent;
      while (digit(i)) ++i;
    }
  }
  return i;
}

// Three significant digits: "1.23", "64.0", "200".
std::string three_digits(double value) {
  const double size = std::abs(value);
  const int decimals = size < 0.9995 ? 3 : size < 9.995 ? 2 : size < 99.95 ? 1 : 0;
  return fmt::format("{:.{}f}", value, decimals);
}

// In the largest unit in which the value does not round to less than 1; whole numbers of the
// smallest unit stay whole.
std::string in_largest_unit(double value, const std::vector<Unit>& units) {
  if (!std::isfinite(value)) return fmt::format("{} {}", value, units.front().name);
  const Unit* chosen = &units.front();
  for (const Unit& unit : units) {
    if (std::abs(value) >= 0.9995 * unit.factor) chosen = &unit;
  }
  const double scaled = value / chosen->factor;
  if (chosen == &units.front() && scaled == std::round(scaled)) {
    return fmt::format("{:.0f} {}", scaled, chosen->name);
  }
  return fmt::format("{} {}", three_digits(scaled), chosen->name);
}

}  // namespace

double parse_quantity(const std::string& text, Dimension dimension) {
  const std::string_view whole = trimmed(text);
  if (dimension == Dimension::plain) {
    const auto value = read_number(whole);
    if (!value || !std::isfinite(*value)) {
      throw InputError(quoted(text) + " is not a number; write e.g. 0.5");
    }
    return *value;
  }
  const Scale& scale = *scale_of(dimension);
  const std::size_t length = number_length(whole);
  const auto value = read_number(whole.substr(0, length));
  if (!value) {
    throw InputError(fmt::format("{} is not {}; write a number and a unit ({}), e.g. 200 {}",
                                 quoted(text), scale.noun, allowed_units(scale), scale.example));
  }
  const std::string_view name = trimmed(whole.substr(length));
  if (name.empty()) {
    throw InputError(fmt::format("{} what? write {} {}; units: {}", whole, whole, scale.example,
                                 allowed_units(scale)));
  }
  const Unit* unit = find_unit(scale, name);
  if (!unit) {
    throw InputError(fmt::format("{}: no unit of {}; units: {}{}", quoted(text), scale.noun,
                                 allowed_units(scale), unit_hint(scale, *value, name)));
  }
  const double result = to_inside(scale, *value, *unit);
  if (!std::isfinite(result)) throw InputError(quoted(text) + " is too large");
  return result;
}

std::string format_time_ns(double ns) {
  return in_largest_unit(ns, {{"ns", 1.0}, {"us", 1e3}, {"ms", 1e6}, {"s", 1e9}});
}

std::string format_bytes(double bytes) {
  return in_largest_unit(bytes, {{"B", 1.0}, {"kB", 1e3}, {"MB", 1e6}, {"GB", 1e9}, {"TB", 1e12}});
}

std::string format_rate(double bytes_per_ns) {
  return in_largest_unit(bytes_per_ns, {{"bps", 0.125e-9},
                                        {"kbps", 0.125e-6},
                                        {"Mbps", 0.125e-3},
                                        {"Gbps", 0.125},
                                        {"Tbps", 125.0}});
}

}  // namespace tailrace
