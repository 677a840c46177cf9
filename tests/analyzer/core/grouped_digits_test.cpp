#include "analyzer/core/grouped_digits.h"

#include <gtest/gtest.h>

namespace ridgepoint {
namespace {

TEST(GroupedDigits, StandInThreesInFrontOfThePoint) {
  EXPECT_EQ(grouped_digits(""), "");
  EXPECT_EQ(grouped_digits("7"), "7");
  EXPECT_EQ(grouped_digits("999"), "999");
  EXPECT_EQ(grouped_digits("1000"), "1,000");
  EXPECT_EQ(grouped_digits("4096.5432"), "4,096.5432");
  EXPECT_EQ(grouped_digits("1234567"), "1,234,567");
  EXPECT_EQ(grouped_digits("0.25"), "0.25");
}

TEST(GroupedDigits, GroupsCounts) {
  EXPECT_EQ(grouped_count(0), "0");
  EXPECT_EQ(grouped_count(65712), "65,712");
  EXPECT_EQ(grouped_count(-100), "-100");
  EXPECT_EQ(grouped_count(-1000), "-1,000");
}

}  // namespace
}  // namespace ridgepoint
