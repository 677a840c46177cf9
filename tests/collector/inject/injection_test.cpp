// The whole way: launcher, injection library, journal, session, with a program whose GPU is a fake.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <map>
#include <set>

#include "analyzer/session/session_file.h"
#include "tests/support/program.h"
#include "tests/support/temp_dir.h"

namespace ridgepoint {
namespace {

namespace fs = std::filesystem;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

const std::string host = RIDGEPOINT_INJECTION_HOST;

class Injection : public ::testing::Test {
 protected:
  void SetUp() override {
    for (const char* variable :
         {"FAKE_CUPTI_PASSES", "FAKE_CUPTI_SUBSCRIBE", "FAKE_CUPTI_ENABLE",
          "FAKE_CUPTI_LOSE_RECORD", "FAKE_CUPTI_PER_PASS", "FAKE_CUDA_BUSY"}) {
      unsetenv(variable);
    }
    setenv("RIDGEPOINT_CUPTI", RIDGEPOINT_FAKE_CUPTI, 1);
  }
  // ridgepoint profile OPTIONS -- injection_host ACTS
  test::ProgramResult profile(std::vector<std::string> options, const std::string& acts) {
    std::vector<std::string> words = {"ridgepoint", "profile", "-q"};
    if (std::find(options.begin(), options.end(), "-o") == options.end()) {
      options.insert(options.end(), {"-o", "a.ridge"});
    }
    words.insert(words.end(), options.begin(), options.end());
    words.insert(words.end(), {"--", host});
    for (std::size_t at = 0; at < acts.size();) {
      const std::size_t end = std::min(acts.find(' ', at), acts.size());
      words.push_back(acts.substr(at, end - at));
      at = end + 1;
    }
    return test::run_program(words, folder.path().string());
  }
  Session session(const std::string& name = "a.ridge") {
    const Result<Session> read = read_session(folder / name);
    EXPECT_TRUE(read) << format_error(read.error());
    return read.value_or(Session());
  }
  std::vector<std::string> files() {
    std::vector<std::string> names;
    for (const auto& entry : fs::directory_iterator(folder.path())) {
      names.push_back(entry.path().filename().string());
    }
    std::sort(names.begin(), names.end());
    return names;
  }
  static std::set<std::string> codes(const Session& session) {
    std::set<std::string> found;
    for (const Issue& issue : session.issues) {
      found.insert(issue.code);
    }
    return found;
  }
  static std::vector<double> column(const Session& session) {
    return session.counters.columns.empty() ? std::vector<double>() : session.counters.columns[0];
  }
  test::TempDir folder;
};

TEST_F(Injection, ATimelineHasEveryLaunchAndLeavesOneFile) {
  const auto result = profile({"-c", "none"}, "init launch _Z5firstv 3 launch _Z6secondv 2");
  EXPECT_EQ(result.exit_code, 0) << result.err;
  EXPECT_THAT(files(), ElementsAre("a.ridge"));
  const Session s = session();
  EXPECT_EQ(s.launches.size(), 5U);
  ASSERT_EQ(s.kernels.size(), 2U);
  EXPECT_EQ(s.kernels[0].name, "first()");
  EXPECT_EQ(s.kernels[0].registers_per_thread, 40);
  EXPECT_EQ(s.devices.at(0).chip, "GH100");
  EXPECT_EQ(s.producer.mode, "profile");
  EXPECT_EQ(codes(s).count("timeline.records_missing"), 0U);
  EXPECT_EQ(codes(s).count("profile.cut_short"), 0U);
}

TEST_F(Injection, CeilingsMeasuredEarlierOnThisDeviceStandInTheSession) {
  setenv("XDG_CACHE_HOME", folder.path().c_str(), 1);
  profile({"-c", "none", "-o", "before.ridge"}, "init launch k 1");
  Session earlier;
  earlier.devices = session("before.ridge").devices;
  EXPECT_TRUE(earlier.devices.at(0).measured_ceilings.empty());
  earlier.devices[0].measured_ceilings = {{"hbm.read", 4.2e12, 1e9, 1.9e9, std::nullopt}};
  fs::create_directories(folder / "ridgepoint/ceilings");
  const std::string uuid = "GPU-abababab-abab-abab-abab-abababababab";  // the fake's
  ASSERT_TRUE(write_session(earlier, folder / ("ridgepoint/ceilings/" + uuid + ".ridge")));
  profile({"-c", "none"}, "init launch k 1");
  unsetenv("XDG_CACHE_HOME");
  const Session s = session();
  ASSERT_EQ(s.devices.at(0).measured_ceilings.size(), 1U);
  EXPECT_EQ(s.devices[0].measured_ceilings[0].value, 4.2e12);
}

TEST_F(Injection, ARecordThatCuptiLosesIsReported) {
  setenv("FAKE_CUPTI_LOSE_RECORD", "2", 1);
  profile({"-c", "none"}, "init launch k 3");
  EXPECT_EQ(codes(session()).count("timeline.records_missing"), 1U);
}

int timed(const Session& session) {
  return static_cast<int>(
      std::count_if(session.launches.begin(), session.launches.end(),
                    [](const Launch& launch) { return launch.end_ns > launch.start_ns; }));
}

TEST_F(Injection, LaunchesTooFastToBeTimedAreAllListedAndTimedInPart) {
  const auto result = profile({"-c", "none"}, "init burst k 20000 launch other 1 fail k");
  ASSERT_EQ(result.exit_code, 0) << result.err;
  const Session s = session();
  EXPECT_EQ(s.launches.size(), 20001U);
  EXPECT_EQ(s.kernels.size(), 2U) << "a kernel with and without times is one kernel";
  EXPECT_GE(timed(s), 64);
  EXPECT_LT(timed(s), 10000);
  EXPECT_EQ(codes(s).count("timeline.sampled"), 1U);
  EXPECT_EQ(codes(s).count("timeline.records_missing"), 0U);
  for (const Launch& launch : s.launches) {
    ASSERT_EQ(launch.grid.x, 7U);
    ASSERT_EQ(launch.block.x, 128U);
    ASSERT_EQ(launch.stream, 7U);
    ASSERT_GT(launch.start_ns, 0);
  }
}

// It launches ahead of a busy GPU, as far as the driver lets it.
TEST_F(Injection, AProgramWhoseKernelsTakeLongerThanTheirLaunchHasEveryTime) {
  setenv("FAKE_CUDA_BUSY", "1", 1);
  ASSERT_EQ(profile({"-c", "none"}, "init burst k 1024 sleep 30 burst k 1024").exit_code, 0);
  EXPECT_EQ(timed(session()), 2048);
  EXPECT_TRUE(session().issues.empty());
}

TEST_F(Injection, EveryLaunchIsTimedWhenAskedFor) {
  ASSERT_EQ(profile({"-c", "none", "--every-launch"}, "init burst k 20000").exit_code, 0);
  EXPECT_EQ(timed(session()), 20000);
  EXPECT_TRUE(session().issues.empty());
}

TEST_F(Injection, ARecordThatIsLostAmongFastLaunchesIsReported) {
  setenv("FAKE_CUPTI_LOSE_RECORD", "5", 1);
  ASSERT_EQ(profile({"-c", "none"}, "init burst k 20000").exit_code, 0);
  EXPECT_EQ(codes(session()).count("timeline.records_missing"), 1U);
}

// CUPTI is asked for fewer records then: of kernels, copies and fills.
TEST_F(Injection, NothingIsRecordedWhileAProgramOnlyLaunches) {
  const auto result =
      profile({"-c", "none"}, "init copy 1 heard burst k 30000 heard copy 1 heard graph 1 heard");
  int before = 0;
  int launching = 0;
  int copied = 0;
  int graphs = 0;
  ASSERT_EQ(std::sscanf(result.out.c_str(), "heard %d heard %d heard %d heard %d", &before,
                        &launching, &copied, &graphs),
            4)
      << result.out << result.err;
  EXPECT_EQ(before - launching, 3);
  EXPECT_EQ(copied - launching, 2) << "from the first copy on";
  EXPECT_EQ(graphs - copied, 1) << "once there is a graph";
}

TEST_F(Injection, CopiesAndGraphsAmongFastLaunchesAllHaveTheirRecords) {
  const auto result = profile(
      {"-c", "none"}, "init copy 2 burst k 30000 copy 3 burst k 5000 copy 1 graph 2 burst k 9000");
  ASSERT_EQ(result.exit_code, 0) << result.err;
  const Session s = session();
  EXPECT_EQ(s.memory_operations.size(), 6U);
  EXPECT_EQ(s.launches.size(), 44002U);
  EXPECT_EQ(codes(s).count("timeline.records_missing"), 0U);
}

TEST_F(Injection, AGraphIsOneRowOrItsKernels) {
  ASSERT_EQ(profile({"-c", "none"}, "init launch k 1 push step graph 4 pop").exit_code, 0);
  const Session whole = session();
  ASSERT_EQ(whole.launches.size(), 5U);
  ASSERT_EQ(whole.kernels.size(), 2U);
  EXPECT_EQ(whole.kernels[1].name, "[CUDA graph 2]");
  EXPECT_FALSE(whole.kernels[1].registers_per_thread);
  EXPECT_EQ(whole.launches[4].end_ns - whole.launches[4].start_ns, 900);
  EXPECT_EQ(whole.launches[4].range, 0);
  EXPECT_THAT(codes(whole), ElementsAre("timeline.graphs"));

  ASSERT_EQ(
      profile({"-c", "none", "--graphs", "node", "--force"}, "init launch k 1 graph 4").exit_code,
      0);
  const Session nodes = session();
  EXPECT_EQ(nodes.launches.size(), 13U);
  EXPECT_TRUE(nodes.issues.empty()) << nodes.issues[0].text;
}

TEST_F(Injection, AGraphWithoutARecordIsReported) {
  setenv("FAKE_CUPTI_LOSE_RECORD", "2", 1);
  for (const char* level : {"graph", "node"}) {
    ASSERT_EQ(profile({"-c", "none", "--graphs", level, "--force"}, "init graph 4").exit_code, 0);
    EXPECT_EQ(codes(session()).count("timeline.records_missing"), 1U) << level;
  }
}

TEST_F(Injection, ALaunchIntoAGraphIsNotALaunchYet) {
  ASSERT_EQ(profile({"-c", "none"}, "init capture launch k 2 endcapture launch k 1").exit_code, 0);
  EXPECT_EQ(session().launches.size(), 1U);
  EXPECT_TRUE(session().issues.empty());
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

TEST_F(Injection, AFailedLaunchIsNoLaunch) {
  profile({"-c", "lite"}, "init launch k 1 fail k launch k 1");
  EXPECT_EQ(session().launches.size(), 2U);
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

TEST_F(Injection, OnlyChosenKernelsAreCounted) {
  profile({"-c", "lite", "-k", "^b$"}, "init launch a 2 launch b 1 launch a 60 launch b 2");
  const Session s = session();
  EXPECT_THAT(column(s), ElementsAre(3, 64, 65));
  EXPECT_EQ(codes(s).count("profile.not_chosen"), 1U);
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

TEST_F(Injection, SkipAndCountChooseAWindow) {
  profile({"-c", "lite", "--launch-skip", "3", "--launch-count", "2"}, "init launch a 10");
  EXPECT_THAT(column(session()), ElementsAre(4, 5));
}

TEST_F(Injection, RangesChooseLaunchesOfOtherThreadsToo) {
  profile({"-c", "lite", "--nvtx", "^step$"},
          "init launch k 1 push step push inner launch k 1 elsewhere k pop pop elsewhere k");
  const Session s = session();
  EXPECT_THAT(column(s), ElementsAre(2, 3));
  ASSERT_EQ(s.ranges.size(), 2U);
  EXPECT_EQ(s.ranges[1].name, "inner");
  EXPECT_EQ(s.ranges[1].parent, 0);
  EXPECT_GE(s.ranges[0].end_ns, s.ranges[1].end_ns);
  EXPECT_EQ(s.launches[1].range, 1);
}

TEST_F(Injection, AnNvtxFilterThatMatchesNothingNamesTheRangesThatThereWere) {
  const auto wrong =
      profile({"-c", "lite", "--nvtx", "Step"},
              "init push step launch k 1 pop dpush train step launch k 1 dpop train");
  EXPECT_EQ(wrong.exit_code, 2);
  EXPECT_THAT(wrong.err, HasSubstr("no launch was counted"));
  EXPECT_THAT(wrong.err, HasSubstr("its NVTX ranges are step, train@step,"));
  const auto none = profile({"-c", "lite", "--nvtx", "step", "--force"}, "init launch k 1");
  EXPECT_EQ(none.exit_code, 2);
  EXPECT_THAT(none.err, HasSubstr("opened no NVTX range"));
}

TEST_F(Injection, FilesOfRootBelongToTheOwnerOfTheFolder) {
  constexpr uid_t user = 12345;
  if (geteuid() != 0 || chown(folder.path().c_str(), user, 54321) != 0) {
    GTEST_SKIP() << "only root can make files in the folder of another user";
  }
  profile({"-c", "none", "--report", "a.html"}, "init launch k 1");
  EXPECT_THAT(files(), ElementsAre("a.html", "a.ridge"));
  for (const std::string& name : files()) {
    struct stat status {};
    ASSERT_EQ(stat((folder / name).c_str(), &status), 0);
    EXPECT_EQ(status.st_uid, user) << name;
  }
}

TEST_F(Injection, ARangeInsideAnotherOfADomainIsChosen) {
  profile({"-c", "lite", "--nvtx", "train@^step/^layer"},
          "init dpush train step launch k 1 dpush other layer launch k 1 dpop other dpush train "
          "layer push x launch k 1 elsewhere k pop dpop train launch k 1 dpop train");
  EXPECT_THAT(column(session()), ElementsAre(3, 4));
}

TEST_F(Injection, AThreadWithRangesOfItsOwnIsChosenByTheScopeOfTheProcess) {
  const std::string acts = "init push step elsewherein backward k elsewhere k pop";
  profile({"-c", "lite", "--nvtx", "step"}, acts);
  EXPECT_THAT(column(session()), ElementsAre(2));
  profile({"-c", "lite", "--nvtx", "step", "--nvtx-scope", "process", "--force"}, acts);
  EXPECT_THAT(column(session()), ElementsAre(1, 2));
  EXPECT_EQ(profile({"-c", "lite", "--nvtx", "step", "--nvtx-scope", "thread", "--force"}, acts)
                .exit_code,
            2);
}

TEST_F(Injection, DevicesAreChosenAndEveryLaunchNamesItsOwn) {
  profile({"-c", "lite"}, "init launch a 2 device 1 launch a 2 device 0 launch b 1");
  const Session all = session();
  ASSERT_EQ(all.devices.size(), 2U);
  std::vector<std::uint32_t> devices;
  for (const Launch& launch : all.launches) {
    devices.push_back(launch.device);
  }
  EXPECT_THAT(devices, ElementsAre(0, 0, 1, 1, 0));
  EXPECT_THAT(column(all), ElementsAre(1, 2, 3, 4, 5));
  profile({"-c", "lite", "--force", "--device", "1"},
          "init launch a 2 device 1 launch a 2 device 0 launch b 1");
  EXPECT_THAT(column(session()), ElementsAre(3, 4));
}

TEST_F(Injection, TheNthLaunchOfEachKernelIsChosen) {
  profile({"-c", "lite", "--nth", "2,4-"}, "init launch a 3 launch b 2 launch a 3");
  EXPECT_THAT(column(session()), ElementsAre(2, 5, 6, 7, 8));
}

TEST_F(Injection, TheKernelsWithTheMostTimeAreFoundByAFirstRun) {
  const auto result = profile({"-c", "lite", "--top", "1"},
                              "init say hello launch quick 9 launch slow 2 launch quick 1");
  EXPECT_EQ(result.exit_code, 0) << result.err;
  EXPECT_EQ(result.out, "hello\nhello\n") << "the program runs twice";
  const Session s = session();
  EXPECT_THAT(column(s), ElementsAre(10, 11));
  ASSERT_EQ(s.kernels.size(), 1U);
  EXPECT_EQ(s.kernels[0].name, "slow");
  EXPECT_THAT(files(), ElementsAre("a.ridge")) << "the first run's journal is gone";
  EXPECT_THAT(s.policy.filters, ::testing::Contains("top kernels by time: 1"));
}

TEST_F(Injection, ShortLaunchesAreLeftOutByKernelAndShape) {
  // The fake's kernels take 0.5 us, slow ones 50 us.
  const std::string acts = "init launch quick 2 launch slow 1 push warm launch slower 1 pop";
  profile({"-c", "lite", "--min-duration", "10"}, acts);
  EXPECT_THAT(column(session()), ElementsAre(3, 4));
  profile({"-c", "lite", "--min-duration", "10", "--nvtx", "warm", "--force"}, acts);
  EXPECT_THAT(column(session()), ElementsAre(4)) << "with the other filters";
  const auto none = profile({"-c", "lite", "--min-duration", "51", "--force"}, acts);
  EXPECT_EQ(none.exit_code, 2);
  EXPECT_THAT(none.err, HasSubstr("no launch was counted"));
}

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

TEST_F(Injection, ThePlanIsToldBeforeTheProgramRuns) {
  setenv("FAKE_CUPTI_PER_PASS", "20", 1);
  const auto result =
      test::run_program({"ridgepoint", "profile", "-o", "a.ridge", "--nth", "1", "--", "sh", "-c",
                         "echo started >&2; exec " + host + " init launch k 2"},
                        folder.path().string());
  EXPECT_EQ(result.exit_code, 0) << result.err;
  const std::size_t plan = result.err.find("plan for GH100: ");
  ASSERT_NE(plan, std::string::npos) << result.err;
  EXPECT_LT(plan, result.err.find("started\n"));
  EXPECT_THAT(result.err, HasSubstr("replay: kernel"));
  EXPECT_THAT(result.err, HasSubstr("chosen: nth launch of a kernel: 1"));
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

TEST_F(Injection, RunsNumberDevicesAlikeWhicheverComesFirst) {
  profile({"-c", "lite", "--replay", "application"},
          "init device 1 launch k 1 device 0 launch k 1");
  const Session s = session();
  ASSERT_EQ(s.devices.size(), 2U);
  EXPECT_EQ(s.launches.at(0).device, 1U);
  EXPECT_EQ(s.launches.at(1).device, 0U);
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

TEST_F(Injection, AProgramThatFailsInItsTimingRunIsNotRunAgain) {
  const auto result = profile({"-c", "lite", "--top", "1"}, "init launch k 1 say once exit 4");
  EXPECT_EQ(result.exit_code, 6);
  EXPECT_EQ(result.out, "once\n");
  EXPECT_TRUE(files().empty());
}

TEST_F(Injection, RangesOpenedBeforeTheGpuIsUsedCountAsWell) {
  profile({"-c", "lite", "--nvtx", "^step$"}, "push step init launch k 1 pop launch k 1");
  EXPECT_THAT(column(session()), ElementsAre(1));
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

TEST_F(Injection, TheProgramsStreamsAndExitCodeAreItsOwn) {
  const auto result =
      profile({"-c", "none", "--pass-exit-code"}, "init say hello launch k 1 exit 3");
  EXPECT_EQ(result.exit_code, 3);
  EXPECT_EQ(result.out, "hello\n");
}

TEST_F(Injection, AProgramThatFailsIsExitCode6AndKeepsItsSession) {
  const auto result = profile({"-c", "none"}, "init launch k 1 exit 3");
  EXPECT_EQ(result.exit_code, 6);
  EXPECT_THAT(result.err, HasSubstr("exit code 3"));
  EXPECT_EQ(session().launches.size(), 1U);
}

TEST_F(Injection, AKilledProgramLeavesWhatWasWrittenAndSaysWhy) {
  for (const char* signal : {"9", "11", "6", "2"}) {
    const auto result = profile({"-c", "lite", "--force"},
                                std::string("init launch k 4 sleep 2500 kill ") + signal);
    EXPECT_EQ(result.exit_code, 6);
    EXPECT_THAT(result.err, HasSubstr(std::string("signal ") + signal));
    const Session s = session();
    EXPECT_EQ(codes(s).count("profile.cut_short"), 1U);
    EXPECT_THAT(column(s), ElementsAre(1, 2, 3, 4)) << "read while the program slept";
  }
}

// With a full disk, or a limit on file sizes, what was written before it stays.
TEST_F(Injection, AJournalThatCannotGrowEndsTheRecordingAndNotTheProgram) {
  const auto result = profile({"-c", "none"},
                              "init launch first 2 sleep 1200 limit 20000 launch "
                              "second 5000 sleep 1200 launch third 1 say alive");
  EXPECT_EQ(result.out, "alive\n");
  EXPECT_EQ(result.exit_code, 0) << result.err;
  const Session s = session();
  EXPECT_EQ(codes(s).count("profile.cut_short"), 1U);
  EXPECT_LT(s.launches.size(), 5000U);
  EXPECT_GE(s.launches.size(), 2U);
  EXPECT_EQ(s.kernels.at(s.launches.at(0).kernel).mangled, "first");
}

TEST_F(Injection, UnderscoreExitIsACutShortSession) {
  profile({"-c", "none"}, "init launch k 1 sleep 1200 _exit 0");
  EXPECT_EQ(codes(session()).count("profile.cut_short"), 1U);
}

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
  profile({"-c", "lite", "--force"}, "init launch k 3 sleep 1200 kill 9");
  ASSERT_EQ(codes(session()).count("profile.cut_short"), 1U);
  EXPECT_FALSE(session().policy.measuring_s);
}

TEST_F(Injection, AForkedChildDisturbsNothing) {
  const auto result = profile({"-c", "lite"}, "init launch k 2 fork launch k 1");
  EXPECT_EQ(result.exit_code, 0) << result.err;
  EXPECT_THAT(files(), ElementsAre("a.ridge"));
  EXPECT_EQ(session().launches.size(), 3U);
}

TEST_F(Injection, EveryProcessThatUsesTheGpuHasItsSession) {
  profile({"-c", "none"}, "init launch k 1 spawn init launch k 2");
  EXPECT_EQ(files().size(), 2U);
  fs::remove(folder / "a.ridge");
  for (const auto& name : files()) {
    fs::remove(folder / name);
  }
  profile({"-c", "none", "-o", "run-%p.ridge"}, "init launch k 1");
  ASSERT_EQ(files().size(), 1U);
  EXPECT_NE(files()[0], "run-%p.ridge");
}

TEST_F(Injection, ChildrenAreFollowedUnlessToldOtherwise) {
  profile({"-c", "none"}, "spawn init launch k 2");
  EXPECT_EQ(session().launches.size(), 2U);
  fs::remove(folder / "a.ridge");
  const auto result = profile({"-c", "none", "--no-children"}, "spawn init launch k 2");
  EXPECT_EQ(result.exit_code, 2);
  EXPECT_TRUE(files().empty());
}

TEST_F(Injection, AProcessThatLaunchesNothingLeavesNoFile) {
  const auto result = profile({}, "init push step pop");
  EXPECT_EQ(result.exit_code, 2) << "no verdict: nothing was measured";
  EXPECT_TRUE(files().empty());
}

TEST_F(Injection, ASecondProfilerIsNamedAndTheProgramGoesOn) {
  setenv("FAKE_CUPTI_SUBSCRIBE", std::to_string(39).c_str(), 1);
  const auto result = profile({"-c", "lite"}, "init say alive launch k 1");
  EXPECT_EQ(result.out, "alive\n");
  EXPECT_EQ(result.exit_code, 5);
  EXPECT_THAT(result.err, HasSubstr("another profiler"));
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

TEST_F(Injection, WithoutSettingsTheLibraryDoesNothing) {
  setenv("CUDA_INJECTION64_PATH", RIDGEPOINT_INJECTION, 1);
  const std::string command =
      "cd '" + folder.path().string() + "' && '" + host + "' init launch k 3 say done > out";
  EXPECT_EQ(std::system(command.c_str()), 0);
  unsetenv("CUDA_INJECTION64_PATH");
  EXPECT_THAT(files(), ElementsAre("out"));
}

}  // namespace
}  // namespace ridgepoint
