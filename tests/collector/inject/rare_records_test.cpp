#include "collector/inject/rare_records.h"

#include <gtest/gtest.h>

#include <atomic>
#include <thread>

#include "collector/cupti/cupti_api.h"

namespace ridgepoint::collector {
namespace {

// What CUPTI is asked to record. Its table of functions has no room for a test's own data.
std::atomic<int> copies{0};
std::atomic<int> graphs{0};
std::atomic<bool> refuses{false};

CUptiResult change(CUpti_ActivityKind kind, int by) {
  copies += kind == CUPTI_ACTIVITY_KIND_MEMCPY ? by : 0;
  graphs += kind == CUPTI_ACTIVITY_KIND_GRAPH_TRACE ? by : 0;
  return CUPTI_SUCCESS;
}

class RareRecordsTest : public ::testing::Test {
 protected:
  RareRecordsTest() {
    copies = 1;
    graphs = 0;
    refuses = false;
    api.cuptiActivityEnable = [](CUpti_ActivityKind kind) {
      return refuses ? CUPTI_ERROR_UNKNOWN : change(kind, 1);
    };
    api.cuptiActivityDisable = [](CUpti_ActivityKind kind) { return change(kind, -1); };
  }
  void copy() {
    records.before_copy();
    EXPECT_EQ(copies, 1);
    records.after_copy();
  }
  void only_launches(int blocks) {
    for (int i = 0; i < blocks; ++i) {
      records.only_launches();
    }
  }
  CuptiApi api;
  RareRecords records{api};
};

TEST_F(RareRecordsTest, CopiesAreRecordedUntilNoneCameForLong) {
  only_launches(RareRecords::blocks_without_copy - 1);
  copy();
  only_launches(RareRecords::blocks_without_copy - 1);
  EXPECT_EQ(copies, 1) << "not so long since the last one";
  only_launches(1);
  EXPECT_EQ(copies, 0);
}

// Off and on again costs launches more than on all the time.
TEST_F(RareRecordsTest, OnceACopyCameAfterAllTheyStayRecorded) {
  only_launches(RareRecords::blocks_without_copy);
  copy();
  only_launches(10 * RareRecords::blocks_without_copy);
  EXPECT_EQ(copies, 1);
}

TEST_F(RareRecordsTest, RecordsStayOnWhileACopyIsBeingMade) {
  records.before_copy();
  only_launches(2 * RareRecords::blocks_without_copy);
  EXPECT_EQ(copies, 1);
  records.after_copy();
  only_launches(1);
  EXPECT_EQ(copies, 0);
}

TEST_F(RareRecordsTest, GraphsAreRecordedFromTheFirstThatIsMadeToTheEnd) {
  EXPECT_EQ(graphs, 0);
  records.before_graph();
  records.before_graph();
  only_launches(2 * RareRecords::blocks_without_copy);
  EXPECT_EQ(graphs, 1);
}

TEST_F(RareRecordsTest, ARefusalIsKeptForTheReport) {
  only_launches(RareRecords::blocks_without_copy);
  EXPECT_FALSE(records.refused());
  refuses = true;
  records.before_copy();
  records.after_copy();
  EXPECT_TRUE(records.refused());
}

// Of so many beginnings, as each can be switched off once only.
TEST_F(RareRecordsTest, NoCopyOfAnotherThreadIsWithoutItsRecord) {
  for (int round = 0; round < 2000; ++round) {
    RareRecords anew(api);
    copies = 1;
    std::atomic<bool> ready{false};
    int unrecorded = 0;
    std::thread other([&] {
      ready = true;
      for (int i = 0; i < 3; ++i) {
        anew.before_copy();
        unrecorded += copies == 1 ? 0 : 1;
        anew.after_copy();
      }
    });
    while (!ready) {
    }
    for (int i = 0; i < RareRecords::blocks_without_copy; ++i) {
      anew.only_launches();
    }
    other.join();
    ASSERT_EQ(unrecorded, 0) << round;
  }
}

}  // namespace
}  // namespace ridgepoint::collector
