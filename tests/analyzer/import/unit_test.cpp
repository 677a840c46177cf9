#include "analyzer/import/unit.h"

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <cmath>
#include <string>
#include <utility>

#include "analyzer/import/number.h"

namespace ridgepoint::importing {
namespace {

double factor(std::string_view unit) {
  EXPECT_TRUE(unit_scale(unit).known) << unit;
  return unit_scale(unit).factor;
}

TEST(Unit, BytesTakeDecimalPrefixes) {
  EXPECT_EQ(factor("byte"), 1);
  EXPECT_EQ(factor("Kbyte"), 1e3) << "32.768 Kbyte is the 32,768 bytes of shared memory";
  EXPECT_EQ(factor("Mbyte"), 1e6);
  EXPECT_EQ(factor("Gbyte"), 1e9);
  EXPECT_EQ(factor("Tbyte"), 1e12);
  EXPECT_EQ(factor("Kibyte"), 1024);
}

TEST(Unit, TimesBecomeNanosecondsInEverySpelling) {
  for (const char* unit : {"ns", "nsecond", "nsec"}) {
    EXPECT_DOUBLE_EQ(factor(unit), 1) << unit;
  }
  for (const char* unit : {"us", "usecond"}) {
    EXPECT_DOUBLE_EQ(factor(unit), 1e3) << unit;
  }
  for (const char* unit : {"ms", "msecond"}) {
    EXPECT_DOUBLE_EQ(factor(unit), 1e6) << unit;
  }
  for (const char* unit : {"s", "second"}) {
    EXPECT_DOUBLE_EQ(factor(unit), 1e9) << unit;
  }
}

TEST(Unit, RatesAreBySecond) {
  EXPECT_EQ(factor("byte/s"), 1);
  EXPECT_EQ(factor("Gbyte/s"), 1e9);
  EXPECT_EQ(factor("Tbyte/second"), 1e12);
  EXPECT_DOUBLE_EQ(factor("sector/ns"), 1e9);
  EXPECT_DOUBLE_EQ(factor("sector/ms"), 1e3);
  EXPECT_DOUBLE_EQ(factor("cycle/nsecond"), 1e9);
  EXPECT_DOUBLE_EQ(factor("cycle/usecond"), 1e6);
}

TEST(Unit, FrequenciesAreInHertz) {
  EXPECT_EQ(factor("hz"), 1);
  EXPECT_EQ(factor("Hz"), 1);
  EXPECT_EQ(factor("Mhz"), 1e6);
  EXPECT_EQ(factor("Ghz"), 1e9);
}

TEST(Unit, CountsAndSharesStayAsTheyAre) {
  for (const char* unit :
       {"", "%", "inst", "inst/cycle", "cycle", "warp", "thread", "block", "byte/sector",
        "register/thread", "branches", "sectors", "SM", "pass", "request", "cluster"}) {
    EXPECT_EQ(factor(unit), 1) << unit;
  }
  EXPECT_EQ(factor("Kbyte/block"), 1e3);
  EXPECT_EQ(factor("Kbyte/cycle"), 1e3);
  EXPECT_EQ(factor("Ginst"), 1e9);
}

TEST(Unit, SaysWhatItDoesNotKnow) {
  for (const char* unit : {"furlong", "byte/fortnight", "Qbyte", "furlong/s"}) {
    EXPECT_FALSE(unit_scale(unit).known) << unit;
    EXPECT_EQ(unit_scale(unit).factor, 1) << unit;
  }
}

// As profilers print: grouped thousands, two decimals, the point or the comma.
std::string printed(double value, NumberStyle style) {
  std::string text = fmt::format("{:.2f}", value);
  for (std::size_t at = text.size() - 3; at > 3; at -= 3) {
    text.insert(at - 3, ",");
  }
  for (char& c : text) {
    c = style == NumberStyle::point ? c : (c == '.' ? ',' : (c == ',' ? '.' : c));
  }
  return text;
}

RC_GTEST_PROP(Unit, WhatAProfilerPrintsReadsBackInEveryPrefixAndStyle, ()) {
  const auto [unit, size] = *rc::gen::element(
      std::make_pair("byte", 1.0), std::make_pair("Kbyte", 1e3), std::make_pair("Mbyte", 1e6),
      std::make_pair("Gbyte", 1e9), std::make_pair("Tbyte/s", 1e12), std::make_pair("nsecond", 1.0),
      std::make_pair("usecond", 1e3), std::make_pair("msecond", 1e6), std::make_pair("second", 1e9),
      std::make_pair("GHz", 1e9));
  const NumberStyle style = *rc::gen::element(NumberStyle::point, NumberStyle::comma);
  const double hundredths = *rc::gen::inRange(0, 2000000000);
  const Cell cell = parse_cell(printed(hundredths / 100, style), style);
  RC_ASSERT(cell.kind == Cell::Kind::number);
  RC_ASSERT(unit_scale(unit).known);
  const double expected = hundredths / 100 * size;
  RC_ASSERT(std::abs(cell.value * unit_scale(unit).factor - expected) <= 1e-12 * expected);
}

}  // namespace
}  // namespace ridgepoint::importing
