// SPDX-License-Identifier: Apache-2.0
// Reading plain numbers from the text of a deck, and showing a user's text in a message.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace tailrace {

/// The whole of `text` as a decimal number ("12", "-0.5", "1e3"); nothing if it is anything else.
/// "inf" and "nan" are read as such, for the caller to refuse with the right reason.
std::optional<double> read_number(std::string_view text);

/// The whole of `text` as a whole number of 64 bits; nothing if it is anything else.
std::optional<std::int64_t> read_integer(std::string_view text);

/// `value` in the fewest digits that still give it back when read: "0.1", "266240", "1e+30".
std::string shortest(double value);

/// What a user wrote, in quotes, fit for one line of a message: cut after 60 characters, control
/// characters shown as '?'.
std::string quoted(std::string_view text);
/// Keeps std::quoted from being found instead where <iomanip> is included.
inline std::string quoted(const std::string& text) { return quoted(std::string_view(text)); }
inline std::string quoted(const char* text) { return quoted(std::string_view(text)); }

}  // namespace tailrace
