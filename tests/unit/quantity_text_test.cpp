// SPDX-License-Identifier: Apache-2.0
// Numbers as people read them: digits, units, and what happens at the edges of a unit.
#include "solver/app/quantity_text.hpp"

#include <gtest/gtest.h>

#include <cmath>

namespace tailrace {
namespace {

const double not_a_number = std::nan("");

TEST(QuantityText, TimesHaveFourDigitsAndTheLargestUnitThatFits) {
  EXPECT_EQ(time_text(0), "0 ns");
  EXPECT_EQ(time_text(600), "600 ns");
  EXPECT_EQ(time_text(12.3456), "12.35 ns");
  EXPECT_EQ(time_text(1000), "1.000 us");
  EXPECT_EQ(time_text(87.2312e6), "87.23 ms");
  EXPECT_EQ(time_text(1e9), "1.000 s");
  EXPECT_EQ(time_text(123456e9), "123456 s");
  EXPECT_EQ(time_text(not_a_number), "-");
}

// 999.96 us has five digits in us when rounded to four: it is 1.000 ms.
TEST(QuantityText, RoundingUpMovesOnToTheNextUnit) {
  EXPECT_EQ(time_text(999.96e3), "1.000 ms");
  EXPECT_EQ(time_text(999.94e3), "999.9 us");
  EXPECT_EQ(time_text(9.99996e3), "10.00 us");
  EXPECT_EQ(bytes_text(999999), "1.000 MB");
}

TEST(QuantityText, BytesAreDecimal) {
  EXPECT_EQ(bytes_text(0), "0 B");
  EXPECT_EQ(bytes_text(512), "512 B");
  EXPECT_EQ(bytes_text(65536), "65.54 kB");
  EXPECT_EQ(bytes_text(1073741824), "1.074 GB");
  EXPECT_EQ(bytes_text(2.5e15), "2.500 PB");
}

TEST(QuantityText, CountsAreGroupedByThousands) {
  EXPECT_EQ(count_text(0), "0");
  EXPECT_EQ(count_text(999), "999");
  EXPECT_EQ(count_text(1000), "1,000");
  EXPECT_EQ(count_text(-1000), "-1,000");
  EXPECT_EQ(count_text(-100), "-100");
  EXPECT_EQ(count_text(12345678), "12,345,678");
  EXPECT_EQ(plural_text(1, "link"), "1 link");
  EXPECT_EQ(plural_text(0, "link"), "0 links");
  EXPECT_EQ(plural_text(1250, "switch", "switches"), "1,250 switches");
}

TEST(QuantityText, LargeCountsAreSpelt) {
  EXPECT_EQ(large_count_text(0), "0");
  EXPECT_EQ(large_count_text(950), "950");
  EXPECT_EQ(large_count_text(123.4e6), "123 million");
  EXPECT_EQ(large_count_text(1.2345e9), "1.23 billion");
  EXPECT_EQ(large_count_text(0.25), "0.250");
}

TEST(QuantityText, SharesDoNotVanish) {
  EXPECT_EQ(percent_text(0), "0.0 %");
  EXPECT_EQ(percent_text(1e-5), "< 0.1 %");
  EXPECT_EQ(percent_text(0.1234), "12.3 %");
  EXPECT_EQ(percent_text(1), "100.0 %");
  EXPECT_EQ(percent_text(not_a_number), "-");
}

TEST(QuantityText, WallTimesUseTwoUnitsFromAMinuteOn) {
  EXPECT_EQ(wall_text(0), "0.00 s");
  EXPECT_EQ(wall_text(0.523), "0.52 s");
  EXPECT_EQ(wall_text(12.34), "12.3 s");
  EXPECT_EQ(wall_text(245), "4 min 05 s");
  EXPECT_EQ(wall_text(2 * 3600 + 7 * 60), "2 h 07 min");
  EXPECT_EQ(wall_text(3 * 86400 + 4 * 3600), "3 d 04 h");
  EXPECT_EQ(wall_text(not_a_number), "-");
}

TEST(QuantityText, PlainNumbersHaveFourDigits) {
  EXPECT_EQ(number_text(0), "0");
  EXPECT_EQ(number_text(1), "1.000");
  EXPECT_EQ(number_text(24.6154), "24.62");
  EXPECT_EQ(number_text(123456), "123456");
  EXPECT_EQ(number_text(not_a_number), "-");
}

}  // namespace
}  // namespace tailrace
