// A timeline: every launch is listed, and what has no time or no record is said.
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <filesystem>

#include "tests/collector/inject/injection.h"

namespace ridgepoint {
namespace {

namespace fs = std::filesystem;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

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

// A program that ended while CUPTI loaded its profiler for this one question crashed.
TEST_F(Injection, ATimelineLoadsNoProfilerIntoTheProgram) {
  setenv("FAKE_CUPTI_NO_PROFILER", "1", 1);
  for (const std::vector<std::string>& options :
       {std::vector<std::string>{"-c", "none"}, {"-c", "none", "--stalls"}}) {
    std::vector<std::string> words = options;
    words.emplace_back("--force");
    const auto result = profile(words, "init launch k 1 sleep 100 launch k 1");
    EXPECT_EQ(result.exit_code, 0) << result.err;
    EXPECT_EQ(session().devices.at(0).chip, "GH100") << "the launcher asked";
  }
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

TEST_F(Injection, KernelsThatNoCallbackToldOfAreFoundByCuptisNumbers) {
  // Where records come back on, for a kernel that is new, they tell what came before.
  const std::string some = "init burst k 20000 unheard 77 sleep 30 launch k 1 ";
  ASSERT_EQ(profile({"-c", "none"}, some + "burst other 9000").exit_code, 0);
  int numbered = 0;
  int listed = 0;
  ASSERT_EQ(std::sscanf(text_of("timeline.unlisted_launches").c_str(),
                        "Where launches were listed without a record, CUPTI numbered %d kernels, "
                        "and %d launches are listed.",
                        &numbered, &listed),
            2);
  EXPECT_EQ(numbered - listed, 77);
  EXPECT_GT(listed, 10000);

  ASSERT_EQ(
      profile({"-c", "none", "--force"}, "init burst k 20000 sleep 30 fail k burst other 9000")
          .exit_code,
      0);
  EXPECT_EQ(codes(session()).count("timeline.unlisted_launches"), 0U) << "all were heard";

  ASSERT_EQ(profile({"-c", "none", "--force"}, some + "copy 20 burst other 9000").exit_code, 0);
  EXPECT_EQ(codes(session()).count("timeline.unlisted_launches"), 0U)
      << "20 copies can have taken 80 numbers";
}

TEST_F(Injection, RecordsThatCuptiDropsAreCounted) {
  setenv("FAKE_CUPTI_DROP", "17", 1);
  ASSERT_EQ(profile({"-c", "none"}, "init launch k 3").exit_code, 0);
  EXPECT_THAT(text_of("timeline.dropped"), HasSubstr("dropped 17 records"));
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

// The GPU decides how often a loop in a graph runs: nothing on the host knows.
TEST_F(Injection, RoundsOfALoopInAGraphAreListedAsFarAsTheyAreRecordedAndThatIsSaid) {
  const std::vector<std::string> nodes = {"-c", "none", "--graphs", "node", "--force"};
  const auto said = [&] {
    const Session s = session();
    EXPECT_THAT(codes(s), ElementsAre("timeline.conditional_graphs"));
    return s.issues.empty() ? "" : s.issues[0].text;
  };
  ASSERT_EQ(profile(nodes, "init graph 2 loop 5 loop 3").exit_code, 0);
  EXPECT_EQ(session().launches.size(), 2 * 3U + (2 + 5) + (2 + 3));
  EXPECT_THAT(said(), HasSubstr("8 kernels in them have a record"));

  setenv("FAKE_CUPTI_MOST_ROUNDS", "0", 1);
  ASSERT_EQ(profile(nodes, "init graph 2 loop 5").exit_code, 0);
  EXPECT_EQ(session().launches.size(), 2 * 3U + 2);
  EXPECT_THAT(said(), HasSubstr("none of their rounds is listed"));

  ASSERT_EQ(profile({"-c", "none", "--force"}, "init loop 5").exit_code, 0);
  const Session whole = session();
  EXPECT_EQ(whole.launches.size(), 1U);
  EXPECT_THAT(codes(whole), ElementsAre("timeline.conditional_graphs", "timeline.graphs"));
  EXPECT_THAT(whole.issues.back().text, HasSubstr("rounds of its loops are not counted apart"));
}

TEST_F(Injection, AGraphThatIsInstantiatedAndNotLaunchedIsNoIssue) {
  ASSERT_EQ(profile({"-c", "none"}, "init instantiate launch k 1").exit_code, 0);
  EXPECT_TRUE(session().issues.empty());
}

TEST_F(Injection, ALaunchIntoAGraphIsNotALaunchYet) {
  ASSERT_EQ(profile({"-c", "none"}, "init capture launch k 2 endcapture launch k 1").exit_code, 0);
  EXPECT_EQ(session().launches.size(), 1U);
  EXPECT_TRUE(session().issues.empty());
}

}  // namespace
}  // namespace ridgepoint
