// SPDX-License-Identifier: Apache-2.0
// Quantities: every unit, what is refused, and the texts for people.
#include "solver/base/units.hpp"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "solver/base/errors.hpp"
#include "solver/base/numbers.hpp"

namespace tailrace {
namespace {

std::string refusal(const std::string& text, Dimension dimension) {
  try {
    const double value = parse_quantity(text, dimension);
    ADD_FAILURE() << text << " was read as " << value;
  } catch (const InputError& error) {
    return error.what();
  }
  return "";
}

TEST(Units, EveryUnitHasItsFactor) {
  struct Case {
    const char* text;
    Dimension dimension;
    double value;  // ns, bytes, bytes per ns, W, FLOPS
  };
  // 1 Gbps = 1e9 bit/s = 1e9 / 8 bytes / 1e9 ns = 0.125 bytes per ns.
  const std::vector<Case> cases = {
      {"600 ns", Dimension::time, 600},
      {"1.5 us", Dimension::time, 1500},
      {"2 ms", Dimension::time, 2e6},
      {"3 s", Dimension::time, 3e9},
      {"7 B", Dimension::bytes, 7},
      {"2 kB", Dimension::bytes, 2000},
      {"2 KB", Dimension::bytes, 2000},
      {"1 MB", Dimension::bytes, 1e6},
      {"1 GB", Dimension::bytes, 1e9},
      {"1 TB", Dimension::bytes, 1e12},
      {"1 KiB", Dimension::bytes, 1024},
      {"1 MiB", Dimension::bytes, 1048576},
      {"1 GiB", Dimension::bytes, 1073741824},
      {"1 TiB", Dimension::bytes, 1099511627776},
      {"8e9 bps", Dimension::rate, 1},
      {"8e6 kbps", Dimension::rate, 1},
      {"8000 Mbps", Dimension::rate, 1},
      {"200 Gbps", Dimension::rate, 25},
      {"1 Tbps", Dimension::rate, 125},
      {"350 W", Dimension::power, 350},
      {"2 kW", Dimension::power, 2000},
      {"1 MW", Dimension::power, 1e6},
      {"312 TFLOPS", Dimension::flops, 3.12e14},
      {"1 GFLOPS", Dimension::flops, 1e9},
      {"1 PFLOPS", Dimension::flops, 1e15},
      {"0.25", Dimension::plain, 0.25},
  };
  for (const Case& c : cases) {
    EXPECT_DOUBLE_EQ(parse_quantity(c.text, c.dimension), c.value) << c.text;
  }
}

TEST(Units, ExactWhereTheNumberIs) {
  EXPECT_EQ(parse_quantity("400 Gbps", Dimension::rate), 50.0);
  EXPECT_EQ(parse_quantity("0.3 MB", Dimension::bytes), 300000.0);
  EXPECT_EQ(parse_quantity("1.1 kB", Dimension::bytes), 1100.0);
  EXPECT_EQ(bytes_per_ns_from_gbps(gbps_from_bytes_per_ns(25.0)), 25.0);
}

TEST(Units, SpaceAndSignsAreFree) {
  EXPECT_EQ(parse_quantity("200Gbps", Dimension::rate), 25.0);
  EXPECT_EQ(parse_quantity(" 1e3  us ", Dimension::time), 1e6);
  EXPECT_EQ(parse_quantity("+5 ns", Dimension::time), 5.0);
  EXPECT_EQ(parse_quantity("-5 ns", Dimension::time), -5.0);  // ranges are the table's
  EXPECT_EQ(parse_quantity(".5 us", Dimension::time), 500.0);
}

TEST(Units, WithoutUnitSaysWhatToWrite) {
  EXPECT_EQ(refusal("200", Dimension::rate),
            "200 what? write 200 Gbps; units: bps, kbps, Mbps, Gbps, Tbps");
  EXPECT_EQ(refusal("0", Dimension::time), "0 what? write 0 ns; units: ns, us, ms, s");
}

TEST(Units, WrongUnitNamesTheRightOnes) {
  EXPECT_EQ(refusal("600 MHz", Dimension::time),
            "'600 MHz': no unit of a time; units: ns, us, ms, s");
  EXPECT_EQ(refusal("64 KiB", Dimension::time),
            "'64 KiB': no unit of a time; units: ns, us, ms, s; KiB is the unit of a size");
  EXPECT_EQ(
      refusal("200 gbps", Dimension::rate),
      "'200 gbps': no unit of a rate; units: bps, kbps, Mbps, Gbps, Tbps; did you mean Gbps?");
  EXPECT_EQ(
      refusal("200 Gb/s", Dimension::rate),
      "'200 Gb/s': no unit of a rate; units: bps, kbps, Mbps, Gbps, Tbps; did you mean Gbps?");
  EXPECT_EQ(refusal("25 GB/s", Dimension::rate),
            "'25 GB/s': no unit of a rate; units: bps, kbps, Mbps, Gbps, Tbps; rates are bits per "
            "second: write 200 Gbps");
  EXPECT_EQ(refusal("5 \xc2\xb5s", Dimension::time),
            "'5 \xc2\xb5s': no unit of a time; units: ns, us, ms, s; did you mean us?");
}

TEST(Units, WhatIsNoNumberIsRefused) {
  for (const char* text : {"", "fast", "Gbps", "--5 ns", "1e ns", "0x10 ns", "nan ns", "inf ns",
                           "1,5 us", ". ns", "5 ns 6 ns", "1e400 ns", "1e308 s"}) {
    EXPECT_FALSE(refusal(text, Dimension::time).empty()) << text;
  }
  for (const char* text : {"", "nan", "inf", "-.inf", "1 2", "5 ns"}) {
    EXPECT_FALSE(refusal(text, Dimension::plain).empty()) << text;
  }
}

TEST(Units, TextsHaveThreeDigits) {
  EXPECT_EQ(format_time_ns(0), "0 ns");
  EXPECT_EQ(format_time_ns(600), "600 ns");
  EXPECT_EQ(format_time_ns(0.25), "0.250 ns");
  EXPECT_EQ(format_time_ns(1234567), "1.23 ms");
  EXPECT_EQ(format_time_ns(999.7), "1.00 us");
  EXPECT_EQ(format_time_ns(87.23e6), "87.2 ms");
  EXPECT_EQ(format_time_ns(-2500), "-2.50 us");
  EXPECT_EQ(format_bytes(4096), "4.10 kB");
  EXPECT_EQ(format_bytes(64), "64 B");
  EXPECT_EQ(format_bytes(1e12), "1.00 TB");
  EXPECT_EQ(format_rate(25), "200 Gbps");
  EXPECT_EQ(format_rate(0), "0 bps");
}

TEST(Numbers, TheWholeTextMustBeOne) {
  EXPECT_EQ(read_integer("12"), 12);
  EXPECT_EQ(read_integer("-3"), -3);
  EXPECT_EQ(read_integer("+3"), 3);
  for (const char* text : {"", "1.0", "1e3", "0x1", " 1", "1 ", "++1", "9223372036854775808"}) {
    EXPECT_FALSE(read_integer(text)) << text;
  }
  EXPECT_EQ(read_number("1e3"), 1000.0);
  EXPECT_FALSE(read_number("1e3x"));
}

TEST(Numbers, UsersTextFitsOneLine) {
  EXPECT_EQ(quoted("a\nb\x01"), "'a?b?'");
  EXPECT_EQ(quoted(std::string(100, 'x')), "'" + std::string(60, 'x') + "...'");
  // 59 letters and the first byte of a character of two: the character goes as a whole.
  EXPECT_EQ(quoted(std::string(59, 'x') + "\xc3\xa4" + std::string(9, 'x')),
            "'" + std::string(59, 'x') + "...'");
}

TEST(Errors, PlacesAndRequirements) {
  EXPECT_EQ((Mark{"d.yaml", 3, 7}).text(), "d.yaml:3:7");
  EXPECT_EQ((Mark{"d.yaml", 0, 0}).text(), "d.yaml");
  EXPECT_STREQ(InputError(Mark{"d.yaml", 3, 7}, "wrong").what(), "d.yaml:3:7: wrong");
  EXPECT_STREQ(InputError(Mark{}, "wrong").what(), "wrong");
  try {
    TAILRACE_REQUIRE(1 > 2, "numbers are as usual");
    FAIL() << "the requirement does not hold";
  } catch (const TailraceError& error) {
    const std::string text = error.what();
    EXPECT_EQ(text.find("tests/unit/units_test.cpp:"), 0u) << text;  // no path of this machine
    EXPECT_NE(text.find("numbers are as usual (required: 1 > 2)"), std::string::npos) << text;
  }
}

}  // namespace
}  // namespace tailrace
