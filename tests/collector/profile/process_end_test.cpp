#include "collector/profile/process_end.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cerrno>

namespace ridgepoint::collector {
namespace {

using ::testing::HasSubstr;

std::string text_of(const ProcessEnd& end, const std::string& code) {
  const std::optional<Issue> issue = issue_of_end(end);
  EXPECT_EQ(issue ? issue->code : "", code);
  return issue ? issue->text : "";
}

TEST(ProcessEnd, AProcessThatRanItsExitHandlersNeedsNoWord) {
  ProcessEnd end;
  end.complete = true;
  EXPECT_FALSE(issue_of_end(end));
}

TEST(ProcessEnd, WhatIsKnownOfAnEarlyEndIsSaid) {
  ProcessEnd end;
  end.process = 7;
  EXPECT_THAT(text_of(end, "profile.cut_short"), HasSubstr("how is not known"));
  end.exit_code = 3;
  EXPECT_THAT(text_of(end, "profile.cut_short"),
              HasSubstr("process 7 have no end: it ended with exit code 3"));
  end.signal = 9;
  EXPECT_THAT(text_of(end, "profile.cut_short"), HasSubstr("ended with signal 9 (SIGKILL)"));
  end.early = early_end_text(11);
  EXPECT_THAT(text_of(end, "profile.cut_short"), HasSubstr("ended by signal 11 (SIGSEGV)"));
  end.complete = true;
  EXPECT_THAT(text_of(end, "profile.cut_short"), HasSubstr("its records were written before"));
  end.early = early_end_text(end_by_exit_call);
  EXPECT_THAT(text_of(end, "profile.ended"), HasSubstr("Process 7 ended by _exit"));
}

TEST(ProcessEnd, AJournalThatCouldNotGrowSaysWhy) {
  ProcessEnd end;
  end.complete = true;
  end.failure = ENOSPC;
  EXPECT_THAT(text_of(end, "profile.cut_short"), HasSubstr("No space left on device"));
  end.failure = 0;
  EXPECT_THAT(text_of(end, "profile.cut_short"), HasSubstr("the program closed it"));
}

TEST(ProcessEnd, AProcessWithoutRecordsIsSaidToHaveUsedTheGpu) {
  ProcessEnd end;
  end.process = 123;
  end.any_record = false;
  EXPECT_THAT(text_of(end, "profile.cut_short"),
              HasSubstr("Process 123 used the GPU and ended before its records were written"));
}

TEST(ProcessEnd, SignalsHaveTheirNames) {
  EXPECT_EQ(signal_text(2), "signal 2 (SIGINT, Ctrl+C)");
  EXPECT_EQ(signal_text(9), "signal 9 (SIGKILL)");
  EXPECT_EQ(signal_text(63), "signal 63");
}

}  // namespace
}  // namespace ridgepoint::collector
