#include "reports/presenters/format.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <optional>
#include <string>
#include <tuple>
#include <vector>

namespace ridgepoint {
namespace {

struct Case {
  double value;
  Unit unit;
  const char* text;
};

class FormatQuantity : public ::testing::TestWithParam<Case> {};

TEST_P(FormatQuantity, HasThreeDigitsAPrefixAndTheUnit) {
  EXPECT_EQ(format_quantity(GetParam().value, GetParam().unit), GetParam().text);
}

INSTANTIATE_TEST_SUITE_P(
    Units, FormatQuantity,
    ::testing::Values(
        Case{4.342e9, Unit::byte, "4.34 GB"}, Case{536870912, Unit::byte, "537 MB"},
        Case{512, Unit::byte, "512 B"}, Case{0, Unit::byte, "0 B"},
        Case{81920, Unit::memory_size, "80 KiB"}, Case{52428800, Unit::memory_size, "50 MiB"},
        Case{512, Unit::memory_size, "512 bytes"}, Case{std::nan(""), Unit::memory_size, "n/a"},
        Case{1.87e-3, Unit::second, "1.87 ms"}, Case{921e-9, Unit::second, "921 ns"},
        Case{23.4e-6, Unit::second, "23.4 µs"}, Case{75, Unit::second, "75.0 s"},
        Case{612e12, Unit::flop_per_s, "612 TFLOP/s"}, Case{4.8e12, Unit::byte_per_s, "4.80 TB/s"},
        Case{5.4976e11, Unit::flop, "550 GFLOP"}, Case{0.413, Unit::share, "41.3 %"},
        Case{2.56e-10, Unit::share, "< 0.001 %"}, Case{0, Unit::share, "0 %"},
        Case{3.25e-5, Unit::flop_per_byte, "< 0.001 FLOP/B"}, Case{1.0, Unit::share, "100 %"},
        Case{0, Unit::share, "0 %"}, Case{12.5, Unit::factor, "12.5x"},
        Case{64, Unit::flop_per_byte, "64.0 FLOP/B"},
        Case{4096, Unit::flop_per_byte, "4,096 FLOP/B"}, Case{1.98e9, Unit::hertz, "1.98 GHz"},
        Case{695, Unit::watt, "695 W"}, Case{8.9e6, Unit::token_per_s, "8.90 Mtokens/s"},
        Case{168, Unit::count, "168"}, Case{48000, Unit::count, "48,000"},
        Case{1.2e6, Unit::count, "1.20 M"}, Case{2.1e-4, Unit::none, "0.000210"}));

INSTANTIATE_TEST_SUITE_P(RoundingCarries, FormatQuantity,
                         ::testing::Values(Case{9.996e9, Unit::byte, "10.0 GB"},
                                           Case{999.4e6, Unit::byte, "999 MB"},
                                           Case{999.7e6, Unit::byte, "1.00 GB"},
                                           Case{0.99951e-3, Unit::second, "1.00 ms"}));

INSTANTIATE_TEST_SUITE_P(Signs, FormatQuantity,
                         ::testing::Values(Case{-1500, Unit::byte, "-1.50 kB"},
                                           Case{-0.051, Unit::share, "-5.10 %"}));

TEST(FormatQuantity, SaysNotAvailableForWhatIsNoNumber) {
  EXPECT_EQ(format_quantity(std::nan(""), Unit::byte), "n/a");
  EXPECT_EQ(format_quantity(std::numeric_limits<double>::infinity(), Unit::share), "n/a");
  EXPECT_EQ(format_quantity(std::optional<double>(), Unit::second), "n/a");
  EXPECT_EQ(format_quantity(std::optional<double>(), Unit::second, "not measured"), "not measured");
}

TEST(FormatQuantity, SurvivesTheLargestAndSmallestNumbers) {
  EXPECT_FALSE(format_quantity(std::numeric_limits<double>::max(), Unit::none).empty());
  EXPECT_FALSE(format_quantity(std::numeric_limits<double>::max(), Unit::share).empty());
  EXPECT_FALSE(format_quantity(std::numeric_limits<double>::denorm_min(), Unit::second).empty());
}

TEST(FormatCell, PrintsTextsAsTheyAreAndEmptyCellsAsNotAvailable) {
  EXPECT_EQ(format_cell(Cell(std::string("fused")), Unit::text), "fused");
  EXPECT_EQ(format_cell(Cell(), Unit::byte), "n/a");
  EXPECT_EQ(format_cell(Cell(2e9), Unit::byte), "2.00 GB");
}

TEST(FormatNamed, KnowsTheUnitsOfEvidenceAndKeepsUnknownOnes) {
  EXPECT_EQ(format_named(0.793, "share"), "79.3 %");
  EXPECT_EQ(format_named(2.5e12, "FLOP/J"), "2.50 TFLOP/J");
  EXPECT_EQ(format_named(168, "1"), "168");
  EXPECT_EQ(format_named(3, "warps"), "3 warps");
  EXPECT_EQ(format_named(3, "\x1b[31m"), "3 ?[31m");
}

struct Alike {
  std::vector<std::optional<double>> values;
  const char* unit;
  std::vector<std::string> texts;
};

TEST(FormatAlike, GivesAValueAndItsLimitOneUnitAndNearOneAnotherOneNumberOfDecimals) {
  const Alike cases[] = {
      {{967e-6, 1e-3}, "s", {"0.967 ms", "1.00 ms"}},
      {{996e-6, 1e-3}, "s", {"0.996 ms", "1.000 ms"}},
      {{0.798e-3, 1.19e-3}, "s", {"0.798 ms", "1.19 ms"}},
      {{8.88e9, 18.2e9}, "byte", {"8.88 GB", "18.2 GB"}},
      {{0.0996, 0.1004}, "share", {"9.96 %", "10.04 %"}},
      {{0.095, 0.1}, "share", {"9.50 %", "10.0 %"}},
      {{4.38e-3, 65e-3}, "s", {"4.38 ms", "65.0 ms"}},
      {{8.06e9, 8.52e9}, "byte", {"8.06 GB", "8.52 GB"}},
      {{0.035, 0.8}, "share", {"3.50 %", "80.0 %"}},
      {{168, 128}, "1", {"168", "128"}},
      {{3, 12}, "warps", {"3 warps", "12 warps"}},
      {{4200, 950.5}, "FLOP/byte", {"4,200 FLOP/B", "950 FLOP/B"}},
      {{120, 18e9}, "byte", {"120 B", "18.0 GB"}},
      {{0, 2e-4}, "1", {"0", "0.000200"}},
      {{std::nullopt, 1e-3}, "s", {"", "1.00 ms"}},
      {{std::nan(""), 1e-3}, "s", {"n/a", "1.00 ms"}},
      {{std::nullopt, std::nullopt}, "s", {"", ""}},
  };
  for (const Alike& one : cases) {
    EXPECT_EQ(format_alike(one.values, one.unit), one.texts);
  }
}

TEST(FormatJudged, ShowsTheDifferenceThatAVerdictIsAbout) {
  const Alike cases[] = {
      {{17.2626e9, 17.26e9}, "byte", {"17.263 GB", "17.260 GB"}},
      {{0.75623, 0.7563}, "share", {"75.62 %", "75.63 %"}},
      {{1e-3, 1e-3}, "s", {"1.00 ms", "1.00 ms"}},
      {{0.8, std::nextafter(0.8, 1)}, "share", {"80.0 %", "80.0 %"}},
      {{4.38e-3, 5e-3, 4.381e-3}, "s", {"4.38 ms", "5.00 ms", "4.38 ms"}},
      {{std::nullopt, std::nullopt}, "s", {"", ""}},
      {{std::nan(""), 1e-3}, "s", {"n/a", "1.00 ms"}},
      {{81920, 58368, std::nullopt}, "memory_size", {"80 KiB", "57 KiB", ""}},
      {{81921, 81920}, "memory_size", {"81,921 bytes", "81,920 bytes"}},
  };
  for (const Alike& one : cases) {
    EXPECT_EQ(format_judged(one.values, one.unit), one.texts);
  }
}

// What a reader makes of a printed number: its digits times its SI prefix.
double read_back(const std::string& text, const std::string& unit) {
  const std::map<std::string, double> prefixes = {
      {"p", 1e-12}, {"n", 1e-9}, {"µ", 1e-6}, {"m", 1e-3}, {"", 1},    {"k", 1e3},
      {"M", 1e6},   {"G", 1e9},  {"T", 1e12}, {"P", 1e15}, {"E", 1e18}};
  std::string digits = text.substr(0, text.find(' '));
  digits.erase(std::remove(digits.begin(), digits.end(), ','), digits.end());
  const std::string suffix = text.substr(text.find(' ') + 1);
  return std::stod(digits) * prefixes.at(suffix.substr(0, suffix.size() - unit.size()));
}

RC_GTEST_PROP(FormatQuantity, PrintedNumbersReadBackToThreeDigits, ()) {
  const auto [unit, name, lowest] =
      *rc::gen::element(std::make_tuple(Unit::byte, std::string("B"), 0),
                        std::make_tuple(Unit::second, std::string("s"), -12),
                        std::make_tuple(Unit::flop_per_s, std::string("FLOP/s"), 0),
                        std::make_tuple(Unit::hertz, std::string("Hz"), 0));
  const int exponent = *rc::gen::inRange(lowest, unit == Unit::second ? 6 : 21);
  const double value = *rc::gen::inRange(1000, 10000) * 1e-3 * std::pow(10.0, exponent);
  RC_ASSERT(std::abs(read_back(format_quantity(value, unit), name) / value - 1) <= 0.0051);
}

}  // namespace
}  // namespace ridgepoint
