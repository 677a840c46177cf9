// Fast launches that are heard by functions of ours instead of callbacks: the list is the same.
#include <algorithm>
#include <cstdio>
#include <map>

#include "tests/collector/inject/injection.h"

namespace ridgepoint {
namespace {

using ::testing::HasSubstr;
using ::testing::IsEmpty;

// A program that has launched so fast, by its pointer, that callbacks are off.
const std::string fast = "init pointer k 4000 sleep 50 pointer k 4000 sleep 50 pointer k 6000 ";
constexpr std::size_t fast_launches = 14000;

class Detour : public Injection {
 protected:
  Session run(const std::string& acts, std::vector<std::string> options = {}) {
    options.insert(options.begin(), {"-c", "none"});
    result = profile(options, acts);
    EXPECT_EQ(result.exit_code, 0) << result.err;
    return session();
  }
  static std::map<std::string, std::size_t> launches_by_kernel(const Session& session) {
    std::map<std::string, std::size_t> counts;
    for (const Launch& launch : session.launches) {
      ++counts[session.kernels[launch.kernel].mangled];
    }
    return counts;
  }
  // What "heard" has printed, one after another.
  std::vector<int> heard() const {
    std::vector<int> all;
    for (std::size_t at = 0; (at = result.out.find("heard ", at)) != std::string::npos; ++at) {
      all.push_back(std::atoi(result.out.c_str() + at + 6));
    }
    return all;
  }
  test::ProgramResult result;
};
using Counts = std::map<std::string, std::size_t>;

TEST_F(Detour, LaunchesByAPointerAreAllListedWithoutCallbacks) {
  const Session s =
      run("init heard pointer k 4000 sleep 50 pointer k 4000 sleep 50 pointer k 6000 heard");
  EXPECT_EQ(launches_by_kernel(s), (Counts{{"k", fast_launches}}));
  EXPECT_EQ(codes(s).count("timeline.unlisted_launches"), 0U);
  EXPECT_EQ(codes(s).count("timeline.records_missing"), 0U);
  ASSERT_EQ(heard().size(), 2U);
  EXPECT_EQ(heard()[0] - heard()[1], 3 + 4) << "records of kernels, copies, fills; four calls";
  EXPECT_THAT(text_of("timeline.sampled"), HasSubstr("without CUPTI's callbacks"));
  for (const Launch& launch : s.launches) {
    ASSERT_EQ(launch.grid.x, 7U);
    ASSERT_EQ(launch.stream, 7U);
    ASSERT_GT(launch.start_ns, 0);
  }
}

TEST_F(Detour, CallbacksAreKeptWhenThatIsAskedFor) {
  const Session s =
      run("init heard pointer k 4000 sleep 50 pointer k 4000 sleep 50 pointer k 6000 heard",
          {"--listen", "callbacks"});
  EXPECT_EQ(launches_by_kernel(s), (Counts{{"k", fast_launches}}));
  ASSERT_EQ(heard().size(), 2U);
  EXPECT_EQ(heard()[0] - heard()[1], 3) << "records of kernels, copies and fills";
}

TEST_F(Detour, NewKernelsRangesAndFailuresAreTheSame) {
  const std::string acts = fast +
                           "push step pointer k 2000 pointer other 3 reject k pop pointer k 2000 "
                           "copy 1 pointer third 2000";
  const auto facts = [&](const Session& s) {
    std::map<std::string, std::size_t> all = launches_by_kernel(s);
    for (const Launch& launch : s.launches) {
      all["in step"] += launch.range == 0 ? 1 : 0;
    }
    all["copies"] = s.memory_operations.size();
    all["unlisted"] = codes(s).count("timeline.unlisted_launches");
    all["missing"] = codes(s).count("timeline.records_missing");
    return all;
  };
  const auto direct = facts(run(acts));
  EXPECT_EQ(direct, facts(run(acts, {"--force", "--listen", "callbacks"})));
  EXPECT_EQ(direct.at("in step"), 2003U);
  EXPECT_EQ(direct.at("other"), 3U);
}

// They run later, in the graph, if they do.
TEST_F(Detour, WhatIsLaunchedIntoACaptureIsNotListed) {
  const std::string acts = fast + "capture pointer k 300 endcapture pointer k 5000";
  const Session s = run(acts);
  EXPECT_EQ(launches_by_kernel(s), (Counts{{"k", fast_launches + 5000}}));
  EXPECT_EQ(launches_by_kernel(s),
            launches_by_kernel(run(acts, {"--force", "--listen", "callbacks"})));
}

TEST_F(Detour, LaunchesOfSeveralThreadsAreAllListed) {
  const Session s = run(fast + "pointercrowd 20000");
  EXPECT_EQ(launches_by_kernel(s), (Counts{{"k", fast_launches}, {"a", 40000}, {"b", 40000}}));
  EXPECT_EQ(codes(s).count("timeline.records_missing"), 0U);
}

TEST_F(Detour, ALibraryThatIsLoadedLateIsHeard) {
  const Session s = run(fast + std::string("getaddress late ") + RIDGEPOINT_LAUNCHING_LIBRARY +
                        " k 5000 pointer k 2000 unload pointer k 2000");
  EXPECT_EQ(launches_by_kernel(s), (Counts{{"k", fast_launches + 9000}}));
  EXPECT_EQ(codes(s).count("timeline.unlisted_launches"), 0U);
}

// It uses its pointer among the others: callbacks stay.
TEST_F(Detour, AProgramThatKeepsNoPointerIsHeardByCallbacks) {
  const Session s =
      run("init mixed k 4000 sleep 50 mixed k 4000 sleep 50 mixed k 6000 hidden k 100");
  EXPECT_EQ(launches_by_kernel(s), (Counts{{"k", 14100}}));
  EXPECT_EQ(codes(s).count("timeline.unlisted_launches"), 0U);
}

// Nobody can hear these; that they were made is seen by CUPTI's numbers.
TEST_F(Detour, ALaunchByAWayThatNobodyUsedBeforeIsReported) {
  const Session s = run(fast + "hidden k 77 pointer k 1000 pointer other 100 pointer k 3000");
  EXPECT_EQ(launches_by_kernel(s), (Counts{{"k", fast_launches + 4000}, {"other", 100}}));
  EXPECT_THAT(text_of("timeline.unlisted_launches"), HasSubstr("--listen callbacks"));
  int numbered = 0;
  int listed = 0;
  ASSERT_EQ(std::sscanf(text_of("timeline.unlisted_launches").c_str(),
                        "Where launches were listed without a record, CUPTI numbered %d kernels, "
                        "and %d launches",
                        &numbered, &listed),
            2);
  EXPECT_EQ(numbered - listed, 77);
}

// Once that is seen, there are callbacks again.
TEST_F(Detour, AfterSuchALaunchEveryWayIsHeard) {
  const Session s = run(fast +
                        "hidden k 77 pointer k 1000 pointer other 100 pointer k 3000 sleep 1200 "
                        "hidden k 3000 pointer k 2000");
  EXPECT_EQ(launches_by_kernel(s), (Counts{{"k", fast_launches + 9000}, {"other", 100}}));
  EXPECT_NE(text_of("timeline.unlisted_launches"), "");
}

TEST_F(Detour, AForkedChildLaunchesUnheardAndTheParentGoesOn) {
  const Session s = run(fast + "fork pointer k 1000");
  EXPECT_EQ(launches_by_kernel(s), (Counts{{"k", fast_launches + 1000}}));
}

TEST_F(Detour, AnEndWithoutExitHandlersLosesNothing) {
  const auto ended = profile({"-c", "none", "--pass-exit-code"}, fast + "_exit 3");
  EXPECT_EQ(ended.exit_code, 3) << ended.err;
  EXPECT_EQ(launches_by_kernel(session()), (Counts{{"k", fast_launches}}));
}

}  // namespace
}  // namespace ridgepoint
