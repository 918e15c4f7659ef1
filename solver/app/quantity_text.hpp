// SPDX-License-Identifier: Apache-2.0
// Numbers as the summary and the progress lines show them to people.
#pragma once

#include <cstdint>
#include <string>

namespace tailrace {

/// "87.23 ms": four significant digits in the largest unit that fits; "-" for NaN.
std::string time_text(double ns);

/// "1.074 GB" (decimal units), "0 B"; "-" for NaN.
std::string bytes_text(double bytes);

/// "12,345,678".
std::string count_text(std::int64_t count);

/// "1 link", "12,345 links"; the plural is the noun with an s unless it is given.
std::string plural_text(std::int64_t count, const std::string& noun,
                        const std::string& plural = "");

/// "123 million", "1.23 billion", "950": three significant digits; "-" for NaN.
std::string large_count_text(double count);

/// "12.3 %" of a fraction; "< 0.1 %" where it would read as nothing but is not; "-" for NaN.
std::string percent_text(double fraction);

/// Wall time: "0.52 s", "12.3 s", "4 min 05 s", "2 h 07 min", "3 d 04 h"; "-" for NaN.
std::string wall_text(double seconds);

/// "23.41": four significant digits, no unit; "-" for NaN.
std::string number_text(double value);

}  // namespace tailrace
