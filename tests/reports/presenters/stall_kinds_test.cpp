#include "reports/presenters/stall_kinds.h"

#include <gmock/gmock.h>

namespace ridgepoint {
namespace {

TEST(StallKinds, GroupReasonsByWhatTheWarpsWaitFor) {
  EXPECT_EQ(stall_kind({"long_scoreboard", 1, true}), StallKind::memory);
  EXPECT_EQ(stall_kind({"mio_throttle", 1, true}), StallKind::other_memory);
  EXPECT_EQ(stall_kind({"gmma", 1, false}), StallKind::math);
  EXPECT_EQ(stall_kind({"membar", 1, false}), StallKind::barrier);
  EXPECT_EQ(stall_kind({"not_selected", 1, false}), StallKind::issue);
  EXPECT_EQ(stall_kind({"a reason of next year", 1, false}), StallKind::other);
}

TEST(StallKinds, PutMemoryFirstAndTheLargestOfAKindFirst) {
  const auto sorted = by_kind({{"selected", 0.4, false},
                               {"drain", 0.1, true},
                               {"mio_throttle", 0.2, true},
                               {"long_scoreboard", 0.05, true}});
  std::vector<std::string> reasons;
  for (const StallShare& stall : sorted) {
    reasons.push_back(stall.reason);
  }
  EXPECT_THAT(reasons,
              ::testing::ElementsAre("long_scoreboard", "mio_throttle", "drain", "selected"));
}

TEST(StallKinds, HaveALabelEach) {
  for (const StallKind kind : stall_kinds) {
    EXPECT_STRNE(label(kind), "");
  }
}

}  // namespace
}  // namespace ridgepoint
