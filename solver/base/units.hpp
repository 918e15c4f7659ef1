// SPDX-License-Identifier: Apache-2.0
// All conversions between the units of decks and files and those inside: ns, bytes, bytes per ns.
#pragma once

#include <string>

namespace tailrace {

enum class Dimension { time, bytes, rate, power, flops, plain };

/// 1 Gbps = 1e9 bit/s = 0.125 bytes per ns.
constexpr double gbps_from_bytes_per_ns(double bytes_per_ns) { return bytes_per_ns * 8.0; }
constexpr double bytes_per_ns_from_gbps(double gbps) { return gbps * 0.125; }

/// Parses "200 Gbps", "600 ns", "64 KiB", "1e3 us"; decimal units kB/KB, MB, GB, TB and binary
/// KiB, MiB, GiB, TiB; times ns, us, ms, s; rates bps, kbps, Mbps, Gbps, Tbps; power W, kW, MW.
/// Returns the value in ns, bytes, bytes_per_ns, W. Throws InputError (without a place) that says
/// what is wrong and which units are allowed.
double parse_quantity(const std::string& text, Dimension dimension);

/// "1.23 ms", "64.0 KiB", "200 Gbps": for people; three significant digits.
std::string format_time_ns(double ns);
std::string format_bytes(double bytes);  ///< decimal units
std::string format_rate(double bytes_per_ns);

}  // namespace tailrace
