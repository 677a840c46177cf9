// How much of a run went into measuring.
#include <cstdlib>

#include "tests/collector/inject/injection.h"

namespace ridgepoint {
namespace {

TEST_F(Injection, ASessionTellsHowMuchOfTheRunWentIntoMeasuring) {
  for (const char* counters : {"lite", "default"}) {
    ASSERT_EQ(profile({"-c", counters, "--force"}, "init launch k 3 sleep 300").exit_code, 0);
    const Policy policy = session().policy;
    ASSERT_TRUE(policy.run_s && policy.measuring_s && policy.overhead_factor) << counters;
    EXPECT_GT(*policy.measuring_s, 0) << counters;
    EXPECT_GE(*policy.run_s, *policy.measuring_s + 0.3) << "the program slept undisturbed";
    EXPECT_NEAR(*policy.overhead_factor, *policy.run_s / (*policy.run_s - *policy.measuring_s),
                1e-9);
  }
}

// CUPTI takes long to begin. The program is held up by it when it launches meanwhile, and else not.
TEST_F(Injection, OpeningTheCountersCountsAsMeasuringOnlyForALaunchThatWaits) {
  setenv("FAKE_CUPTI_PASSES", "3", 1);
  setenv("FAKE_CUPTI_FIRST_PASS_MS", "600", 1);
  const auto measuring_s = [&](const std::vector<std::string>& options, const std::string& acts) {
    std::vector<std::string> words = {"-c", "default", "--force"};
    words.insert(words.end(), options.begin(), options.end());
    EXPECT_EQ(profile(words, "init alloc 64 launch k 1 sleep 100 " + acts).exit_code, 0);
    return session().policy.measuring_s.value_or(-1);
  };
  const double beside = measuring_s({}, "sleep 1000");
  const double of_chosen = measuring_s({}, "launch k 1 sleep 100");
  const double of_others = measuring_s({"-k", "k"}, "launch other 1 sleep 100");
  EXPECT_GE(beside, 0);
  EXPECT_LT(beside, 0.3);
  EXPECT_GT(of_chosen, beside + 0.2);
  EXPECT_GT(of_others, beside + 0.2);
}

// Memory that is given back while the counters are opened waits for them.
TEST_F(Injection, WaitingForCountersThatAreOpenedCountsAsMeasuring) {
  setenv("FAKE_CUPTI_PASSES", "3", 1);
  setenv("FAKE_CUPTI_FIRST_PASS_MS", "600", 1);
  ASSERT_EQ(profile({"-c", "default", "--force"}, "init alloc 64 launch add 2 sleep 100 free value")
                .exit_code,
            0);
  const Policy policy = session().policy;
  ASSERT_TRUE(policy.measuring_s);
  EXPECT_GT(*policy.measuring_s, 0.35);
}

TEST_F(Injection, RunsForMeasuringAloneCountAsMeasuring) {
  setenv("FAKE_CUPTI_PER_PASS", "8", 1);
  for (const std::vector<std::string>& options :
       {std::vector<std::string>{"-c", "default", "--replay", "application"},
        {"-c", "lite", "--top", "1"}}) {
    std::vector<std::string> words = options;
    words.emplace_back("--force");
    ASSERT_EQ(profile(words, "init launch k 1 sleep 200").exit_code, 0) << options[1];
    const Policy policy = session().policy;
    ASSERT_TRUE(policy.run_s && policy.measuring_s) << options[1];
    EXPECT_GE(*policy.run_s, 0.4) << options[1];
    EXPECT_GE(*policy.measuring_s, 0.2) << options[1];
  }
}

TEST_F(Injection, WhatMeasuringCostIsUnknownOfATimelineAndOfACutShortRun) {
  profile({"-c", "none"}, "init launch k 3");
  EXPECT_FALSE(session().policy.measuring_s);
  profile({"-c", "lite", "--force"}, "init launch k 3 sleep 1200 killed 9");
  ASSERT_EQ(codes(session()).count("profile.cut_short"), 1U);
  EXPECT_FALSE(session().policy.measuring_s);
}

}  // namespace
}  // namespace ridgepoint
