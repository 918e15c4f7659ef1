// SPDX-License-Identifier: Apache-2.0
// Plain numbers from and to text, independent of the locale.
#include "solver/base/numbers.hpp"

#include <fmt/format.h>

#include <charconv>
#include <system_error>

namespace tailrace {

namespace {

template <class Number>
std::optional<Number> read_whole(std::string_view text) {
  if (!text.empty() && text.front() == '+') text.remove_prefix(1);
  if (text.empty() || text.front() == '+') return std::nullopt;
  Number value{};
  const char* end = text.data() + text.size();
  const auto [stop, error] = std::from_chars(text.data(), end, value);
  if (error != std::errc() || stop != end) return std::nullopt;
  return value;
}

}  // namespace

std::optional<double> read_number(std::string_view text) {
  std::string_view magnitude = text;
  if (!magnitude.empty() && (magnitude.front() == '-' || magnitude.front() == '+')) {
    magnitude.remove_prefix(1);
  }
  // YAML writes these with a point in front.
  if (magnitude == ".inf" || magnitude == ".Inf" || magnitude == ".INF" || magnitude == ".nan" ||
      magnitude == ".NaN" || magnitude == ".NAN") {
    return read_whole<double>(magnitude.substr(1));
  }
  return read_whole<double>(text);
}

std::optional<std::int64_t> read_integer(std::string_view text) {
  return read_whole<std::int64_t>(text);
}

std::string shortest(double value) { return fmt::format("{}", value); }

std::string quoted(std::string_view text) {
  constexpr std::size_t longest = 60;
  std::string result = "'";
  for (const char c : text.substr(0, longest)) {
    const auto byte = static_cast<unsigned char>(c);
    result += byte < 0x20 || byte == 0x7f ? '?' : c;
  }
  // A character of several bytes that was cut is left out whole.
  if (text.size() > longest) {
    while ((static_cast<unsigned char>(text[result.size() - 1]) & 0xc0) == 0x80 &&
           result.size() > 1) {
      result.pop_back();
    }
    result += "...";
  }
  return result + "'";
}

}  // namespace tailrace
