// Which launches are counted: by kernel, number, NVTX range, device and time.
#include <cstdlib>

#include "tests/collector/inject/injection.h"

namespace ridgepoint {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

TEST_F(Injection, OnlyChosenKernelsAreCounted) {
  profile({"-c", "lite", "-k", "^b$"}, "init launch a 2 launch b 1 launch a 60 launch b 2");
  const Session s = session();
  EXPECT_THAT(column(s), ElementsAre(3, 64, 65));
  EXPECT_EQ(codes(s).count("profile.not_chosen"), 1U);
}

TEST_F(Injection, SkipAndCountChooseAWindow) {
  profile({"-c", "lite", "--launch-skip", "3", "--launch-count", "2"}, "init launch a 10");
  EXPECT_THAT(column(session()), ElementsAre(4, 5));
}

TEST_F(Injection, TheNthLaunchOfEachKernelIsChosen) {
  profile({"-c", "lite", "--nth", "2,4-"}, "init launch a 3 launch b 2 launch a 3");
  EXPECT_THAT(column(session()), ElementsAre(2, 5, 6, 7, 8));
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

TEST_F(Injection, RangesOpenedBeforeTheGpuIsUsedCountAsWell) {
  profile({"-c", "lite", "--nvtx", "^step$"}, "push step init launch k 1 pop launch k 1");
  EXPECT_THAT(column(session()), ElementsAre(1));
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

TEST_F(Injection, AProgramThatFailsInItsTimingRunIsNotRunAgain) {
  const auto result = profile({"-c", "lite", "--top", "1"}, "init launch k 1 say once exit 4");
  EXPECT_EQ(result.exit_code, 6);
  EXPECT_EQ(result.out, "once\n");
  EXPECT_TRUE(files().empty());
}

TEST_F(Injection, ThePlanIsToldBeforeTheProgramRuns) {
  setenv("FAKE_CUPTI_PER_PASS", "20", 1);
  const auto result =
      test::run_program({"ridgepoint", "profile", "-o", "a.ridge", "--nth", "1", "--", "sh", "-c",
                         "echo started >&2; exec " RIDGEPOINT_INJECTION_HOST " init launch k 2"},
                        folder.path().string());
  EXPECT_EQ(result.exit_code, 0) << result.err;
  const std::size_t plan = result.err.find("plan for GH100: ");
  ASSERT_NE(plan, std::string::npos) << result.err;
  EXPECT_LT(plan, result.err.find("started\n"));
  EXPECT_THAT(result.err, HasSubstr("replay: kernel"));
  EXPECT_THAT(result.err, HasSubstr("chosen: nth launch of a kernel: 1"));
}

// Of no user's doing: the program runs, and the exit code is that of a device.
TEST_F(Injection, AChipThatCuptiDoesNotKnowIsADevicesFaultWithAndWithoutAPlan) {
  for (const char* chip : {"", "GX999", "\x1b[31m"}) {
    setenv("FAKE_CUPTI_CHIP", chip, 1);
    for (const bool quiet : {true, false}) {
      std::vector<std::string> options = {"-c", "lite", "--force"};
      if (quiet) {
        options.emplace_back("-q");
      }
      const auto result = profile_acts(options, "init say ran launch k 2");
      EXPECT_EQ(result.exit_code, 5) << chip << quiet << result.err;
      EXPECT_EQ(result.out, "ran\n") << chip << quiet;
      EXPECT_EQ(session().launches.size(), 2U) << "launches stay";
      EXPECT_EQ(result.err.find('\x1b'), std::string::npos) << result.err;
      EXPECT_NE(text_of("counters.unavailable"), "") << chip << quiet;
    }
  }
  unsetenv("FAKE_CUPTI_CHIP");
}

// What a program is handed at its start has a limit, which -c can break and the program cannot.
TEST_F(Injection, MoreCountersThanFitAreSaidToBeTooMany) {
  std::string names = "dram__bytes_read.sum";
  for (int i = 0; i < 6000; ++i) {
    names += ",dram__bytes_read_" + std::to_string(i) + ".sum";
  }
  // One word of the command line has the same limit, so that they come from a profile's option.
  const auto result = profile({"-c", names.substr(0, 131000)}, "init say ran launch k 1");
  EXPECT_EQ(result.exit_code, 3) << result.err;
  EXPECT_EQ(result.out, "");
  EXPECT_THAT(result.err, HasSubstr("RIDGEPOINT_PROFILE"));
  EXPECT_THAT(result.err, HasSubstr("hint: name fewer counters with -c"));
}

TEST_F(Injection, ALongCommandLineOfTheProgramIsNoHindrance) {
  const std::string text(100000, 'x');
  const auto result = profile({"-c", "none"}, "say " + text + " init launch k 1");
  EXPECT_EQ(result.exit_code, 0) << result.err.substr(0, 2000);
  EXPECT_EQ(result.out, text + "\n");
  EXPECT_EQ(session().launches.size(), 1U);
}

// File names and arguments of a Unix system are bytes.
TEST_F(Injection, PathsAndArgumentsThatAreNoTextWork) {
  const std::filesystem::path data = folder / "d\xff\xfe";
  std::filesystem::copy(std::string(RIDGEPOINT_SOURCE_DIR) + "/data", data,
                        std::filesystem::copy_options::recursive);
  std::filesystem::create_directory(folder / "o\xe9");
  setenv("RIDGEPOINT_DATA", data.c_str(), 1);
  const auto result =
      profile({"-c", "lite", "-o", "o\xe9/s\xff.ridge"}, "say a\xfe init launch k 2");
  unsetenv("RIDGEPOINT_DATA");
  EXPECT_EQ(result.exit_code, 0) << result.err;
  EXPECT_EQ(result.out, "a\xfe\n");
  EXPECT_THAT(column(session("o\xe9/s\xff.ridge")), ElementsAre(1, 2));
}

}  // namespace
}  // namespace ridgepoint
