#include "analyzer/compare/change_text.h"

#include <gtest/gtest.h>

namespace ridgepoint {
namespace {

TEST(ChangeText, MoreAndLessTimeAreSaidInOneWayWithTheDigitsOfTheTables) {
  EXPECT_EQ(time_change(0.309), "30.9 % more time");
  EXPECT_EQ(time_change(0.082), "8.2 % more time");
  EXPECT_EQ(time_change(-0.041), "4.1 % less time");
  EXPECT_EQ(time_change(0.0004), "same time");
  EXPECT_EQ(signed_change(0.309), "+30.9 %");
  EXPECT_EQ(signed_change(-0.041), "-4.1 %");
  EXPECT_EQ(signed_change(0), "+0.0 %");
}

TEST(ChangeText, ManyTimesAsMuchHasNoDigitBehindThePoint) {
  EXPECT_EQ(signed_change(12.3), "+1,230 %");
  EXPECT_EQ(time_change(12.3), "1,230 % more time");
}

TEST(ChangeText, AChangeFromNextToNothingHasNoFigure) {
  EXPECT_EQ(signed_change(1e9), "over +100,000 %");
  EXPECT_EQ(change_size(1e9), "over 100,000 %");
}

}  // namespace
}  // namespace ridgepoint
