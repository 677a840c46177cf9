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
  CuptiApi api;
  RareRecords records{api};
};

TEST_F(RareRecordsTest, CopiesAreRecordedUntilNoneCameForAWhile) {
  copy();
  records.only_launches();
  EXPECT_EQ(copies, 1) << "one came since the last look";
  records.only_launches();
  EXPECT_EQ(copies, 0);
  copy();
  records.only_launches();
  records.only_launches();
  records.only_launches();
  EXPECT_EQ(copies, 0);
}

TEST_F(RareRecordsTest, RecordsStayOnWhileACopyIsBeingMade) {
  records.before_copy();
  records.only_launches();
  records.only_launches();
  EXPECT_EQ(copies, 1);
  records.after_copy();
  records.only_launches();
  EXPECT_EQ(copies, 0);
}

TEST_F(RareRecordsTest, GraphsAreRecordedFromTheFirstThatIsMadeToTheEnd) {
  EXPECT_EQ(graphs, 0);
  records.before_graph();
  records.before_graph();
  records.only_launches();
  records.only_launches();
  EXPECT_EQ(graphs, 1);
}

TEST_F(RareRecordsTest, ARefusalIsKeptForTheReport) {
  records.only_launches();
  records.only_launches();
  EXPECT_FALSE(records.refused());
  refuses = true;
  records.before_copy();
  records.after_copy();
  EXPECT_TRUE(records.refused());
}

TEST_F(RareRecordsTest, NoCopyOfAnyThreadIsWithoutItsRecord) {
  std::atomic<bool> done{false};
  std::atomic<int> unrecorded{0};
  std::thread other([&] {
    while (!done) {
      records.before_copy();
      unrecorded += copies == 1 ? 0 : 1;
      records.after_copy();
    }
  });
  for (int i = 0; i < 100'000; ++i) {
    records.only_launches();
  }
  done = true;
  other.join();
  EXPECT_EQ(unrecorded, 0);
}

}  // namespace
}  // namespace ridgepoint::collector
