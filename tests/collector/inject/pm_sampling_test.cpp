// `ridgepoint profile --pm-sampling` the whole way, with a program whose GPU is a fake: a launch
// that is sampled is busy in four samples, whose values are the number of the launch in percent,
// and kernels named "long..." take six intervals of 10 ms.
#include <gmock/gmock.h>

#include <cstdlib>
#include <nlohmann/json.hpp>

#include "tests/collector/inject/fake_gpu_run.h"

namespace ridgepoint {
namespace {

using ::testing::Each;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

class PmSampling : public test::FakeGpuRun {
 protected:
  test::ProgramResult profile(const std::string& acts, std::vector<std::string> options = {},
                              const std::string& level = "-q") {
    options.insert(options.begin(), {level, "--force", "--no-power", "--pm-sampling=10000"});
    return profile_acts(options, "init " + acts);
  }
  // Of each series: its kernel, which launch of it, and what it saw.
  static std::vector<std::string> seen(const Session& session) {
    std::vector<std::string> all;
    for (const PmSeries& series : session.pm_series) {
      EXPECT_EQ(series.names.size(), 5U);
      EXPECT_EQ(series.start_s.size(), 6U) << "nothing else ran meanwhile";
      EXPECT_DOUBLE_EQ(series.interval_s, 0.01);
      const std::vector<double>& column = series.columns.at(0);
      EXPECT_THAT(series.columns, Each(column));
      all.push_back(session.kernels.at(static_cast<std::size_t>(series.kernel)).name + " " +
                    std::to_string(series.nth) + " on " + std::to_string(series.device) + ": " +
                    std::to_string(static_cast<int>(column.at(1))));
    }
    return all;
  }
};

TEST_F(PmSampling, EveryLongLaunchHasItsSeriesAndTheTimelineIsWhole) {
  const auto result = profile("launch long_a 2 launch long_b 1 launch long_a 1");
  ASSERT_EQ(result.exit_code, 0) << result.err;
  const Session s = session();
  EXPECT_THAT(seen(s), ElementsAre("long_a 1 on 0: 1", "long_a 2 on 0: 2", "long_b 1 on 0: 3",
                                   "long_a 3 on 0: 4"));
  EXPECT_EQ(s.launches.size(), 4U);
  EXPECT_EQ(s.kernels.size(), 2U);
  EXPECT_EQ(s.policy.counter_profile, "none");
  EXPECT_TRUE(s.issues.empty()) << s.issues[0].text;
}

TEST_F(PmSampling, ReportsShowTheBusyPartOfEachLaunch) {
  profile("launch long_a 1");
  const std::vector<std::string> report = {"ridgepoint", "report", "a.ridge", "-f"};
  const auto as = [&](const std::string& format, std::vector<std::string> more = {}) {
    std::vector<std::string> words = report;
    words.push_back(format);
    words.insert(words.end(), more.begin(), more.end());
    return test::run_program(words, folder.path().string()).out;
  };
  EXPECT_THAT(as("text"), HasSubstr("Launch 1 of long_a over time"));
  EXPECT_THAT(as("html"), HasSubstr("Launch 1 of long_a over time"));
  const auto json = nlohmann::json::parse(as("json"));
  const auto& trace = json.at("pm_sampling").at(0);
  EXPECT_TRUE(trace.at("variant").is_null());
  EXPECT_EQ(trace.at("kernel"), "long_a");
  EXPECT_EQ(trace.at("launch"), 1);
  EXPECT_DOUBLE_EQ(trace.at("duration_s"), 0.04);
  EXPECT_EQ(trace.at("channels").at(0).at("id"), "sm_active_share");
  EXPECT_THAT(trace.at("channels").at(0).at("values").get<std::vector<double>>(),
              ElementsAre(0.01, 0.01, 0.01, 0.01));
  EXPECT_THAT(as("csv", {"--csv-layout", "series"}),
              HasSubstr(",sm_active_share,0.01,share,long_a,1\r\n"));
}

TEST_F(PmSampling, FiltersChooseAndTheRestRunsAsItIs) {
  profile("launch long_a 3 launch long_b 2", {"-k", "long_b"});
  EXPECT_THAT(seen(session()), ElementsAre("long_b 1 on 0: 4", "long_b 2 on 0: 5"));
  EXPECT_EQ(session().launches.size(), 5U);
  profile("launch long_a 3 launch long_b 2", {"--nth", "2"});
  EXPECT_THAT(seen(session()), ElementsAre("long_a 2 on 0: 2", "long_b 2 on 0: 5"));
  profile("launch long_a 5", {"--launch-skip", "1", "--launch-count", "2"});
  EXPECT_THAT(seen(session()), ElementsAre("long_a 2 on 0: 2", "long_a 3 on 0: 3"));
  EXPECT_EQ(session().launches.size(), 5U) << "the timeline goes on";
  profile("push step launch long_a 1 pop launch long_a 1", {"--nvtx", "^step$"});
  EXPECT_THAT(seen(session()), ElementsAre("long_a 1 on 0: 1"));
}

TEST_F(PmSampling, AFirstRunChoosesByTime) {
  const auto result =
      profile("launch slow 1 launch long_a 1 launch slow 1", {"--min-duration", "10"});
  EXPECT_EQ(result.exit_code, 2) << "slow takes 50 us by its record, and no time when sampled";
  EXPECT_THAT(result.err, HasSubstr("no launch was sampled over time"));
  EXPECT_EQ(codes(session()).count("pm_sampling.too_short"), 1U);
}

TEST_F(PmSampling, AKernelThatIsTooShortIsSampledOnceAndLeftAloneFromThenOn) {
  const auto result = profile("launch k 5 launch long_a 1");
  EXPECT_EQ(result.exit_code, 0) << result.err;
  const Session s = session();
  EXPECT_THAT(seen(s), ElementsAre("long_a 1 on 0: 6"));
  ASSERT_EQ(codes(s).count("pm_sampling.too_short"), 1U);
  EXPECT_THAT(s.issues[0].text, HasSubstr("1 kernels"));
  EXPECT_EQ(s.launches.size(), 6U);
}

// They are listed without a record, and must let go of what keeps them out of a sampled launch.
TEST_F(PmSampling, LaunchesTooFastToBeTimedAreNotInTheWay) {
  const auto result = profile("burst k 20000 launch long_a 1 say done");
  EXPECT_EQ(result.exit_code, 0) << result.err;
  EXPECT_EQ(result.out, "done\n");
  EXPECT_EQ(session().launches.size(), 20001U);
  EXPECT_THAT(seen(session()), ElementsAre("long_a 1 on 0: 1"));
}

TEST_F(PmSampling, EachGpuHasItsOwnSampler) {
  profile("launch long_a 1 device 1 launch long_a 2 device 0 launch long_a 1");
  EXPECT_THAT(seen(session()), ElementsAre("long_a 1 on 0: 1", "long_a 1 on 1: 2",
                                           "long_a 2 on 1: 3", "long_a 2 on 0: 4"));
}

TEST_F(PmSampling, AKernelThatWaitsForALaterLaunchDelaysTheProgramAndNoMore) {
  const auto result = profile("launch waits 1 launch frees 1 launch long_a 1 say done",
                              {"--replay-timeout", "0.2", "-k", "waits|long"});
  EXPECT_EQ(result.exit_code, 0) << result.err;
  EXPECT_EQ(result.out, "done\n");
  EXPECT_THAT(seen(session()), ElementsAre("long_a 1 on 0: 3"));
  EXPECT_EQ(codes(session()).count("pm_sampling.waits"), 1U);
}

TEST_F(PmSampling, LaunchesThatFailAndThoseOfACaptureHaveNoSeries) {
  profile("fail long_a capture launch long_a 1 endcapture launch long_a 1");
  EXPECT_EQ(session().pm_series.size(), 1U);
}

TEST_F(PmSampling, ASessionKeepsSoManyAndSaysHowManyMoreThereWere) {
  profile("launch long_a 34");
  EXPECT_EQ(session().pm_series.size(), 32U);
  const Session s = session();
  ASSERT_EQ(codes(s).count("pm_sampling.limit"), 1U);
  EXPECT_THAT(s.issues[0].text, HasSubstr("2 more launches"));
}

TEST_F(PmSampling, WhereItIsRefusedTheTimelineStaysAndTheExitCodeSaysSo) {
  setenv("FAKE_CUPTI_PM", "35", 1);
  const auto result = profile("launch long_a 2 say done");
  EXPECT_EQ(result.exit_code, 5);
  EXPECT_EQ(result.out, "done\n");
  EXPECT_THAT(result.err, HasSubstr("only administrators"));
  EXPECT_EQ(session().launches.size(), 2U);
  EXPECT_EQ(codes(session()), std::multiset<std::string>{"pm_sampling.unavailable"});
}

TEST_F(PmSampling, AKilledProgramKeepsTheSeriesThatWereWritten) {
  profile("launch long_a 2 sleep 2600 kill 9");
  EXPECT_EQ(session().pm_series.size(), 2U);
  EXPECT_EQ(codes(session()).count("profile.cut_short"), 1U);
}

TEST_F(PmSampling, WhatExcludesItIsRefusedBeforeTheProgramRuns) {
  for (const std::vector<std::string>& options :
       std::vector<std::vector<std::string>>{{"-c", "lite"},
                                             {"--stalls"},
                                             {"--replay", "application"},
                                             {"--cache-control", "none"}}) {
    const auto result = profile("say started", options);
    EXPECT_EQ(result.exit_code, 3) << options[0];
    EXPECT_EQ(result.out, "") << options[0];
  }
}

TEST_F(PmSampling, ThePlanIsToldBeforeTheProgramRuns) {
  const auto result = profile("launch long_a 1", {"-k", "long"}, "--record-host");
  EXPECT_THAT(result.err, HasSubstr("sampling over time: HBM, L2, tensor pipe and SM activity "
                                    "every 10000 us"));
  EXPECT_THAT(result.err, HasSubstr("chosen: kernel: long"));
}

}  // namespace
}  // namespace ridgepoint
