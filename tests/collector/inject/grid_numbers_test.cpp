#include "collector/inject/grid_numbers.h"

#include <gtest/gtest.h>

namespace ridgepoint::collector {
namespace {

class GridNumbersTest : public ::testing::Test {
 protected:
  void record(std::int64_t first, std::int64_t last) {
    for (std::int64_t grid = last; grid >= first; --grid) {  // not in their order
      numbers.recorded(grid);
    }
  }
  GridNumbers numbers;
};

TEST_F(GridNumbersTest, AsManyNumbersAreMissingAsLaunchesWereListed) {
  numbers.off({100, 0});
  numbers.on({100, 50});
  record(1, 100);
  record(151, 154);
  const auto compared = numbers.compare(104);
  EXPECT_EQ(compared.listed, 50U);
  EXPECT_EQ(compared.numbered, 50U);
}

TEST_F(GridNumbersTest, LaunchesThatNobodyListedAreFoundGapByGap) {
  numbers.off({100, 0});
  numbers.on({100, 50});
  numbers.off({104, 50});
  numbers.on({104, 60});
  numbers.off({108, 60});  // never on again: nothing is known of what came then
  record(1, 100);
  record(158, 161);  // 7 more than were listed
  record(172, 175);
  const auto compared = numbers.compare(108);
  EXPECT_EQ(compared.listed, 60U);
  EXPECT_EQ(compared.numbered, 67U);
}

TEST_F(GridNumbersTest, AGapWithoutLaunchesLeavesNoNumbersOut) {
  numbers.off({100, 0});
  numbers.on({100, 0});
  numbers.off({104, 0});
  numbers.on({104, 20});
  record(1, 104);
  record(125, 128);
  const auto compared = numbers.compare(108);
  EXPECT_EQ(compared.listed, 20U);
  EXPECT_EQ(compared.numbered, 20U);
}

class OtherWork : public ::testing::TestWithParam<const char*> {
 protected:
  // 8 numbers for 5 launches, then 5 for 5, with this between.
  static GridNumbers::Comparison compare(std::uint64_t others) {
    GridNumbers numbers;
    const auto other_work = [&](const std::string& now) {
      if (now == GetParam()) {
        numbers.others(others);
      }
    };
    numbers.last_stretch_begins();
    other_work("before the records went off");
    numbers.off({1, 0});
    other_work("meanwhile");
    numbers.on({1, 5});
    other_work("once they were on again");
    numbers.off({2, 5});
    numbers.on({2, 10});
    numbers.off({3, 10});
    for (const int grid : {1, 10, 16}) {
      numbers.recorded(grid);
    }
    return numbers.compare(3);
  }
};

TEST_P(OtherWork, ExplainsAsManyNumbersAsItCanHaveTaken) {
  EXPECT_FALSE(compare(0).agrees());
  EXPECT_FALSE(compare(1).agrees());
  EXPECT_TRUE(compare(3).agrees());
}

TEST_P(OtherWork, WithAGraphLeavesNothingToCompareThere) {
  const GridNumbers::Comparison compared = compare(GridNumbers::of_a_graph);
  EXPECT_TRUE(compared.agrees());
  EXPECT_LE(compared.listed, 5U);
}

INSTANTIATE_TEST_SUITE_P(Whenever, OtherWork,
                         ::testing::Values("before the records went off", "meanwhile",
                                           "once they were on again"));

TEST_F(GridNumbersTest, WithoutAllRecordsNothingIsCompared) {
  numbers.off({100, 0});
  numbers.on({100, 50});
  record(1, 99);
  record(151, 154);
  EXPECT_EQ(numbers.compare(104).numbered, 0U);
}

}  // namespace
}  // namespace ridgepoint::collector
