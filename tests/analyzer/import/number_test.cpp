#include "analyzer/import/number.h"

#include <gtest/gtest.h>

#include <clocale>

namespace ridgepoint::importing {
namespace {

double number(std::string_view text, NumberStyle style = NumberStyle::point) {
  const Cell cell = parse_cell(text, style);
  EXPECT_EQ(cell.kind, Cell::Kind::number) << text;
  return cell.value;
}

Cell::Kind kind(std::string_view text, NumberStyle style = NumberStyle::point) {
  return parse_cell(text, style).kind;
}

TEST(Number, ReadsThousandsSeparators) {
  EXPECT_EQ(number("987,824"), 987824);
  EXPECT_EQ(number("17,043,387,978,456,012"), 17043387978456012.0);
  EXPECT_EQ(number("981,844.52"), 981844.52);
  EXPECT_EQ(number("-1,234.5"), -1234.5);
  EXPECT_EQ(number("1 234 567,5", NumberStyle::comma), 1234567.5);
  EXPECT_EQ(number("1\xE2\x80\xAF"
                   "234"),
            1234)
      << "narrow no-break space";
  EXPECT_EQ(number("1'234.5"), 1234.5);
}

TEST(Number, ReadsTheDecimalComma) {
  EXPECT_EQ(number("0,499072", NumberStyle::comma), 0.499072);
  EXPECT_EQ(number("1.234,5", NumberStyle::comma), 1234.5);
  EXPECT_EQ(number("262.144", NumberStyle::comma), 262144);
}

TEST(Number, ReadsPlainAndScientific) {
  EXPECT_EQ(number("0"), 0);
  EXPECT_EQ(number(" 42 "), 42);
  EXPECT_EQ(number("1.5e-07"), 1.5e-07);
  EXPECT_EQ(number("2E3"), 2000);
  EXPECT_EQ(number("6 (1; 2; 3)"), 6) << "instances of a counter follow its value";
}

TEST(Number, DoesNotDependOnTheLocaleOfTheReader) {
  const char* const set = std::setlocale(LC_NUMERIC, "de_DE.UTF-8");
  EXPECT_EQ(number("1,234.5"), 1234.5);
  if (set != nullptr) {
    std::setlocale(LC_NUMERIC, "C");
  }
}

TEST(Number, KnowsTheWordsForNoValue) {
  for (const char* word : {"nan", "NaN", "-nan", "inf", "-Inf", "infinity", "n/a", "N/A", "-"}) {
    EXPECT_EQ(kind(word), Cell::Kind::not_a_number) << word;
  }
  EXPECT_EQ(kind(""), Cell::Kind::empty);
  EXPECT_EQ(kind("  "), Cell::Kind::empty);
}

TEST(Number, LeavesTextsAndMalformedNumbersAlone) {
  for (const char* text : {"PolicySpread", "all", "1,23", "1,2345", "1,,234", "0x10", "1.2.3",
                           "12a", "1e999", ",5", "--1", "1_000"}) {
    EXPECT_EQ(kind(text), Cell::Kind::text) << text;
  }
  EXPECT_EQ(kind(std::string(100, '9')), Cell::Kind::text);
}

TEST(NumberStyleShownBy, IsEmptyWhereBothStylesFit) {
  EXPECT_EQ(style_shown_by("1.5"), NumberStyle::point);
  EXPECT_EQ(style_shown_by("0.499072"), NumberStyle::point);
  EXPECT_EQ(style_shown_by("1,234.50"), NumberStyle::point);
  EXPECT_EQ(style_shown_by("1,234,567"), NumberStyle::point);
  EXPECT_EQ(style_shown_by("1,50"), NumberStyle::comma);
  EXPECT_EQ(style_shown_by("1.234,50"), NumberStyle::comma);
  EXPECT_EQ(style_shown_by("1.234.567"), NumberStyle::comma);
  EXPECT_EQ(style_shown_by("1,234"), std::nullopt);
  EXPECT_EQ(style_shown_by("1.234"), std::nullopt);
  EXPECT_EQ(style_shown_by("1234"), std::nullopt);
  EXPECT_EQ(style_shown_by("f(1,5)"), std::nullopt);
}

}  // namespace
}  // namespace ridgepoint::importing
