// Counters of launches: whose they are, which cannot be had, and how counting ends.
#include <cmath>
#include <cstdlib>

#include "tests/collector/inject/injection.h"

namespace ridgepoint {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

TEST_F(Injection, AFailedLaunchIsNoLaunch) {
  profile({"-c", "lite"}, "init launch k 1 fail k launch k 1");
  EXPECT_EQ(session().launches.size(), 2U);
}

// A GPU newer than this CUPTI, or than the counter files.
TEST_F(Injection, OnAChipThatCuptiDoesNotKnowTheProgramRunsAndItsLaunchesAreListed) {
  setenv("FAKE_CUPTI_CHIP", "GX999", 1);
  for (const char* counters : {"lite", "default", "dram__bytes_read.sum"}) {
    SCOPED_TRACE(counters);
    const auto result = profile({"-c", counters, "--force"}, "init launch k 3");
    EXPECT_EQ(result.exit_code, 5) << result.err;
    EXPECT_THAT(result.err, HasSubstr("GX999"));
    const Session s = session();
    EXPECT_EQ(s.devices.at(0).chip, "GX999");
    ASSERT_EQ(s.launches.size(), 3U);
    for (const Launch& launch : s.launches) {
      EXPECT_GT(launch.end_ns, launch.start_ns);
    }
    EXPECT_THAT(column(s), IsEmpty());
    EXPECT_EQ(codes(s).count("counters.unavailable"), 1U);
    EXPECT_EQ(codes(s).count("profile.cut_short"), 0U);
  }
  unsetenv("FAKE_CUPTI_CHIP");
}

TEST_F(Injection, CountersBelongToTheirLaunches) {
  const auto result = profile({"-c", "lite"}, "init launch a 100 launch b 100");
  EXPECT_EQ(result.exit_code, 0) << result.err;
  const Session s = session();
  ASSERT_EQ(s.launches.size(), 200U);
  for (std::size_t i = 0; i < 200; ++i) {
    EXPECT_EQ(column(s)[i], static_cast<double>(i + 1)) << "launch " << i;
    EXPECT_EQ(s.kernels[s.launches[i].kernel].mangled, i < 100 ? "a" : "b");
  }
  EXPECT_EQ(s.policy.passes, 1);
  EXPECT_EQ(s.policy.replay_mode, "none");
}

TEST_F(Injection, ThreadsThatLaunchAtOnceDoNotMixTheirCounters) {
  const auto result = profile({"-c", "lite", "-k", "^b$"}, "init crowd 300");
  ASSERT_EQ(result.exit_code, 0) << result.err;
  const Session s = session();
  EXPECT_EQ(s.launches.size(), 4 * 100U);
  for (std::size_t i = 0; i < s.launches.size(); ++i) {
    // The fake gives launch n the counters n and the start 1000 n.
    EXPECT_EQ(column(s)[i] * 1000, static_cast<double>(s.launches[i].start_ns)) << "row " << i;
  }
}

TEST_F(Injection, SeveralPassesAreReplayedAndSaidSo) {
  setenv("FAKE_CUPTI_PASSES", "3", 1);
  profile({"-c", "default"}, "init alloc 64 launch k 2 launch ncclKernel 1");
  const Session s = session();
  EXPECT_EQ(s.policy.replay_mode, "kernel");
  EXPECT_EQ(s.policy.passes, 3);
  ASSERT_EQ(s.launches.size(), 3U);
  EXPECT_EQ(column(s)[1], 2);
  EXPECT_TRUE(std::isnan(column(s)[2])) << "a kernel that waits for peers is never replayed";
  EXPECT_EQ(codes(s).count("counters.not_replayed"), 1U);
}

// In memory that others have used too: members that are read before they are set show there.
TEST_F(Injection, ReplayedLaunchesKeepTheirOrderAndTheirTimes) {
  setenv("FAKE_CUPTI_PASSES", "3", 1);
  for (const char* fill : {"0", "1", "254"}) {
    setenv("MALLOC_PERTURB_", fill, 1);
    const auto result = profile({"-c", "default", "--force"},
                                "init alloc 64 launch a 8 launch b 8 launch c 8 launch d 8");
    unsetenv("MALLOC_PERTURB_");
    ASSERT_EQ(result.exit_code, 0) << result.err;
    const Session s = session();
    ASSERT_EQ(s.launches.size(), 32U);
    for (std::size_t i = 0; i < 32; ++i) {
      const std::string name(1, static_cast<char>('a' + i / 8));
      EXPECT_EQ(s.kernels[s.launches[i].kernel].mangled, name) << "launch " << i;
      EXPECT_EQ(column(s)[i], static_cast<double>(i + 1)) << "launch " << i;
      EXPECT_GT(s.launches[i].start_ns, 0) << "launch " << i << ", memory filled by " << fill;
    }
  }
}

// A counted launch returns when its kernel has ended, which waits for one that comes after it.
TEST_F(Injection, KernelsThatWaitForAnotherGpuOfTheProcessAreLeftAlone) {
  for (const char* counters : {"lite", "default"}) {
    const auto result = profile({"-c", counters, "--force"},
                                "init alloc 64 launch k 1 device 1 launch k 1 launch ncclKernel 1 "
                                "device 0 launch ncclKernel 1 launch k 1");
    EXPECT_EQ(result.exit_code, 0) << result.err;
    const Session s = session();
    ASSERT_EQ(s.launches.size(), 5U);
    EXPECT_TRUE(std::isnan(column(s)[2])) << counters;
    EXPECT_TRUE(std::isnan(column(s)[3])) << counters;
    EXPECT_EQ(codes(s).count("counters.peers"), 1U);
  }
  profile({"-c", "lite", "--force"}, "init launch ncclKernel 1");
  EXPECT_THAT(column(session()), ElementsAre(1)) << "alone on its GPU it is counted";
}

TEST_F(Injection, ALaunchBehindAKernelThatWaitsIsNotWaitedForForEver) {
  const auto result = profile({"-c", "lite", "--replay-timeout", "0.05"},
                              "init launch k 1 device 1 launch k 1 launch waits 1 launch k 1 "
                              "device 0 launch frees 1 launch k 1");
  EXPECT_EQ(result.exit_code, 0) << result.err;
  const Session s = session();
  ASSERT_EQ(s.launches.size(), 6U);
  EXPECT_TRUE(std::isnan(column(s)[3]));
  EXPECT_EQ(column(s)[5], 6) << "what comes after the wait is counted again";
  EXPECT_EQ(codes(s).count("counters.waits"), 1U);
}

TEST_F(Injection, RefusedPermissionKeepsTheLaunchesWithoutCounters) {
  setenv("FAKE_CUPTI_ENABLE", std::to_string(35).c_str(), 1);
  const auto result = profile({"-c", "lite"}, "init launch k 3");
  EXPECT_EQ(result.exit_code, 5);
  EXPECT_THAT(result.err, HasSubstr("only administrators"));
  const Session s = session();
  EXPECT_EQ(s.launches.size(), 3U);
  EXPECT_TRUE(s.counters.names.empty());
  EXPECT_GT(s.launches[0].end_ns, 0) << "its times are still known";
}

TEST_F(Injection, AProgramIsLeftAloneOnceAllThatWasAskedForIsCounted) {
  for (const char* counters : {"lite", "default"}) {
    const auto result = profile({"-c", counters, "--launch-count", "2", "--force"},
                                "init launch a 2 heard crowd 50");
    EXPECT_EQ(result.exit_code, 0) << result.err;
    EXPECT_EQ(result.out, "heard 0\n") << counters;
    const Session s = session();
    EXPECT_THAT(column(s), ElementsAre(1, 2)) << counters;
    ASSERT_EQ(codes(s).count("profile.not_chosen"), 1U);
  }
}

// The fake ends the program when CUPTI is called once more.
TEST_F(Injection, CuptiIsLeftAndNotCalledAgain) {
  for (const std::vector<std::string>& options :
       {std::vector<std::string>{"-c", "lite", "--launch-count", "1"},
        {"-c", "default", "--launch-count", "1"},
        {"-c", "lite", "--replay", "application", "--launch-count", "1"},
        {"-c", "lite", "--replay", "range", "--nvtx", "step", "--launch-count", "1"}}) {
    std::vector<std::string> words = options;
    words.insert(words.end(), {"--force", "--pass-exit-code"});
    const auto result =
        profile(words,
                "init launch k 1 push step launch k 1 pop launch k 1 heard device 1 "
                "context launch later 2 alloc 64 launch later 1 free push step "
                "launch k 1 pop sleep 700 say end");
    EXPECT_EQ(result.exit_code, 0) << options[2] << result.err;
    EXPECT_THAT(result.out, HasSubstr("heard 0\n")) << options[2];
    EXPECT_THAT(result.out, HasSubstr("end\n")) << options[2];
    const Session s = session();
    ASSERT_EQ(s.launches.size(), 1U) << options[2];
    EXPECT_EQ(column(s).size(), 1U) << options[2];
    ASSERT_EQ(s.devices.size(), 1U) << options[2];
    EXPECT_EQ(s.devices[0].chip, "GH100");
  }
}

TEST_F(Injection, ThreadsThatLaunchWhileCountingEndsAreNotHeldUp) {
  const auto result = profile({"-c", "lite", "--launch-count", "20"}, "init crowd 200 launch a 5");
  EXPECT_EQ(result.exit_code, 0) << result.err;
  EXPECT_EQ(session().launches.size(), 20U);
}

}  // namespace
}  // namespace ridgepoint
