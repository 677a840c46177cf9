#include "analyzer/stalls/stall_names.h"

#include <gtest/gtest.h>

namespace ridgepoint {
namespace {

TEST(StallNames, ASentenceHasTheWordsOfTheTables) {
  EXPECT_EQ(stall_label("short_scoreboard"), "Short scoreboard");
  EXPECT_EQ(stall_words("short_scoreboard"), "short scoreboard");
  EXPECT_EQ(stall_words("membar"), "memory barrier");
}

TEST(StallNames, AbbreviationsKeepTheirCapitals) {
  EXPECT_EQ(stall_words("lg_throttle"), "LG throttle");
  EXPECT_EQ(stall_words("gmma"), "GMMA");
}

TEST(StallNames, AReasonOfALaterToolkitBecomesWords) {
  EXPECT_EQ(stall_label("some_new_state"), "Some new state");
  EXPECT_EQ(stall_words("some_new_state"), "some new state");
  EXPECT_EQ(stall_words(""), "");
  EXPECT_EQ(stall_explanation("some_new_state"), "");
}

}  // namespace
}  // namespace ridgepoint
