// A program that runs once a pass (--replay application and range).
#include <cmath>
#include <cstdlib>
#include <map>

#include "tests/collector/inject/injection.h"

namespace ridgepoint {
namespace {

using ::testing::ElementsAre;

TEST_F(Injection, TheProgramRunsOnceAPassAndItsLaunchesArePutTogether) {
  setenv("FAKE_CUPTI_PER_PASS", "20", 1);
  const auto result =
      profile({"-c", "default", "--replay", "application"},
              "init say run grid 7 launch a 2 grid 9 launch a 1 launch ncclKernel 1");
  EXPECT_EQ(result.exit_code, 0) << result.err;
  const Session s = session();
  EXPECT_EQ(s.policy.replay_mode, "application");
  ASSERT_GT(s.policy.passes, 1);
  EXPECT_EQ(result.out.size(), 4U * static_cast<std::size_t>(s.policy.passes)) << "one run a pass";
  EXPECT_GT(s.counters.names.size(), 20U);
  for (const std::vector<double>& values : s.counters.columns) {
    EXPECT_THAT(values, ElementsAre(1, 2, 3, 4)) << "all passes, kernels that wait for peers too";
  }
  EXPECT_EQ(codes(s).count("application.mismatch"), 0U);
  EXPECT_THAT(files(), ElementsAre("a.ridge"));
}

TEST_F(Injection, ProcessesOfARunFindThoseOfTheNext) {
  setenv("FAKE_CUPTI_PER_PASS", "40", 1);
  profile({"-c", "default", "--replay", "application", "-o", "run-%p.ridge"},
          "init launch a 1 spawn init launch b 2");
  ASSERT_EQ(files().size(), 2U);
  for (const std::string& name : files()) {
    const Session s = session(name);
    EXPECT_EQ(s.policy.passes, 2);
    EXPECT_GT(s.counters.names.size(), 40U);
    EXPECT_EQ(codes(s).count("application.mismatch"), 0U);
  }
}

TEST_F(Injection, RunsNumberDevicesAlikeWhicheverComesFirst) {
  profile({"-c", "lite", "--replay", "application"},
          "init device 1 launch k 1 device 0 launch k 1");
  const Session s = session();
  ASSERT_EQ(s.devices.size(), 2U);
  EXPECT_EQ(s.launches.at(0).device, 1U);
  EXPECT_EQ(s.launches.at(1).device, 0U);
}

TEST_F(Injection, ARangeIsCountedAsAWhole) {
  setenv("FAKE_CUPTI_PER_PASS", "20", 1);
  const auto result = profile({"-c", "default", "--replay", "range", "--nvtx", "train@step"},
                              "init launch a 1 dpush train step launch a 2 elsewhere b push inner "
                              "launch c 1 pop dpop train launch a 1 dpush train step2 launch a 1 "
                              "dpop train");
  EXPECT_EQ(result.exit_code, 0) << result.err;
  const Session s = session();
  EXPECT_EQ(s.policy.replay_mode, "range");
  EXPECT_GT(s.policy.passes, 1);
  ASSERT_EQ(s.launches.size(), 2U);
  for (const std::vector<double>& values : s.counters.columns) {
    EXPECT_THAT(values, ElementsAre(2 + 3 + 4 + 5, 7)) << "launches 2 to 5, and 7";
  }
  EXPECT_EQ(s.kernels[s.launches[0].kernel].name, "NVTX range: train@step");
  EXPECT_EQ(s.ranges[static_cast<std::size_t>(s.launches[0].range)].name, "step");
  EXPECT_EQ(codes(s).count("application.mismatch"), 0U);
}

TEST_F(Injection, ARangeThatOpensBeforeTheGpuIsUsedIsMissedAndSaidSo) {
  profile({"-c", "lite", "--replay", "range", "--nvtx", "step"},
          "push step init launch k 1 pop push step launch k 1 pop");
  const Session s = session();
  EXPECT_THAT(column(s), ElementsAre(2));
  EXPECT_EQ(codes(s).count("range.no_context"), 1U);
}

TEST_F(Injection, RangesOfTheFilterCanBeCountedAndLeftOutLikeLaunches) {
  const std::string acts =
      "init launch k 1 push step launch k 1 pop push step launch k 1 pop push step launch k 1 pop";
  profile({"-c", "lite", "--replay", "range", "--nvtx", "step", "--nth", "2"}, acts);
  EXPECT_THAT(column(session()), ElementsAre(3));
  profile({"-c", "lite", "--replay", "range", "--nvtx", "step", "--launch-skip", "1",
           "--launch-count", "1", "--force"},
          acts);
  EXPECT_THAT(column(session()), ElementsAre(3));
}

TEST_F(Injection, ARangeCountsOnEveryDeviceAndOneAtATime) {
  profile({"-c", "lite", "--replay", "range", "--nvtx", "step"},
          "init launch k 1 device 1 launch k 1 push step launch k 1 device 0 launch k 2 push step "
          "launch k 1 pop pop");
  const Session s = session();
  ASSERT_EQ(s.launches.size(), 2U);
  std::map<std::uint32_t, double> by_device;
  for (std::size_t i = 0; i < s.launches.size(); ++i) {
    by_device[s.launches[i].device] = column(s)[i];
  }
  EXPECT_THAT(by_device, ::testing::UnorderedElementsAre(::testing::Pair(0, 4 + 5 + 6),
                                                         ::testing::Pair(1, 3)));
  EXPECT_EQ(codes(s).count("range.overlap"), 0U) << "an inner step is part of the outer";
}

TEST_F(Injection, ARangeWhoseKernelsDoNotEndIsGivenUp) {
  const auto result =
      profile({"-c", "lite", "--replay", "range", "--nvtx", "step", "--replay-timeout", "0.05"},
              "init launch k 1 push step launch k 1 pop push step launch waits 1 "
              "pop launch frees 1 push step launch k 1 pop");
  EXPECT_EQ(result.exit_code, 0) << result.err;
  const Session s = session();
  ASSERT_EQ(s.launches.size(), 2U);
  EXPECT_EQ(column(s)[0], 2);
  EXPECT_TRUE(std::isnan(column(s)[1]));
  EXPECT_EQ(codes(s).count("range.waits"), 1U);
}

}  // namespace
}  // namespace ridgepoint
