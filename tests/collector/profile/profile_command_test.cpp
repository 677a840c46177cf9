// `ridgepoint profile` around programs that know no GPU.
#include <fcntl.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <regex>
#include <sstream>

#include "collector/cuda/driver_version.h"
#include "tests/collector/profile/nothing_measured.h"
#include "tests/support/program.h"
#include "tests/support/temp_dir.h"

namespace ridgepoint {
namespace {

namespace fs = std::filesystem;
using ::testing::HasSubstr;

class ProfileCommand : public ::testing::Test {
 protected:
  test::ProgramResult profile(std::vector<std::string> words) {
    words.insert(words.begin(), {"ridgepoint", "profile"});
    return test::run_program(words, folder.path().string());
  }
  bool is_empty() { return fs::is_empty(folder.path()); }
  test::TempDir folder;
};

TEST_F(ProfileCommand, StreamsPassThroughUnchanged) {
  const auto result =
      profile({"-q", "--pass-exit-code", "--", "sh", "-c", "echo out; echo err >&2"});
  EXPECT_EQ(result.out, "out\n");
  EXPECT_EQ(result.err.rfind("err\n", 0), 0U) << result.err;
  EXPECT_EQ(result.exit_code, 0);
}

TEST_F(ProfileCommand, ExitCodesAreReportedAndPassedOnWhenAsked) {
  EXPECT_EQ(profile({"--", "sh", "-c", "exit 7"}).exit_code, 6);
  EXPECT_THAT(profile({"--", "sh", "-c", "exit 7"}).err, HasSubstr("exit code 7"));
  EXPECT_EQ(profile({"--pass-exit-code", "--", "sh", "-c", "exit 7"}).exit_code, 7);
  EXPECT_EQ(profile({"--pass-exit-code", "--", "sh", "-c", "kill -9 $$"}).exit_code, 128 + 9);
  EXPECT_THAT(profile({"--", "sh", "-c", "kill -9 $$"}).err, HasSubstr("signal 9"));
}

TEST_F(ProfileCommand, AProgramWithoutGpuIsNoVerdictAndNoFile) {
  const auto result = profile({"--", "true"});
  EXPECT_EQ(result.exit_code, test::nothing_measured());
  EXPECT_THAT(result.err, HasSubstr("nothing on an NVIDIA GPU"));
  EXPECT_TRUE(is_empty());
}

TEST_F(ProfileCommand, WithoutADriverThatIsSaidBeforeTheProgramRuns) {
  if (collector::has_driver()) {
    GTEST_SKIP() << "there is a driver";
  }
  const auto result = profile({"--", "sh", "-c", "echo ran; echo started >&2"});
  EXPECT_EQ(result.exit_code, 5) << "as doctor's";
  EXPECT_EQ(result.out, "ran\n");
  const std::size_t said = result.err.find("no NVIDIA driver is loaded");
  ASSERT_NE(said, std::string::npos) << result.err;
  EXPECT_LT(said, result.err.find("started\n"));
  EXPECT_EQ(profile({"--", "sh", "-c", "exit 7"}).exit_code, 6) << "the program's failure";
  EXPECT_EQ(profile({"--pass-exit-code", "--", "sh", "-c", "exit 7"}).exit_code, 7);
  EXPECT_EQ(profile({"--pass-exit-code", "--", "true"}).exit_code, 0);
}

TEST_F(ProfileCommand, ChildrenThatUseNoGpuAreSilentAndLeaveNothing) {
  const auto result =
      profile({"--pass-exit-code", "-q", "--", "sh", "-c",
               "for i in 1 2 3; do sh -c 'true' & done; (exec sh -c true); wait; echo done"});
  EXPECT_EQ(result.out, "done\n");
  EXPECT_EQ(result.exit_code, 0);
  EXPECT_TRUE(is_empty());
}

TEST_F(ProfileCommand, WhatFollowsTheTwoDashesIsTheProgramsAlone) {
  const auto result = profile({"--pass-exit-code", "--report", "r.html", "--", "echo", "-o",
                               "hidden.ridge", "--force", "-q", "--", "there"});
  EXPECT_EQ(result.out, "-o hidden.ridge --force -q -- there\n") << result.err;
  EXPECT_EQ(profile({"--report", "r.html", "--report", "s.json", "--pass-exit-code", "--", "sh",
                     "-c", "exit 9"})
                .exit_code,
            9);
}

TEST_F(ProfileCommand, AProgramThatIsNotThereIsBadUsage) {
  const auto result = profile({"--", "/no/such/program"});
  EXPECT_EQ(result.exit_code, 3);
  EXPECT_THAT(result.err, HasSubstr("\nhint: "));
}

TEST_F(ProfileCommand, MistakesStopItBeforeTheProgramStarts) {
  const std::vector<std::vector<std::string>> mistakes = {
      {"-k", "(", "--", "touch", "started"},
      {"-o", "%q.ridge", "--", "touch", "started"},
      {"--launch-count", "-2", "--", "touch", "started"},
      {"--report", "a.pdf", "--", "touch", "started"},
      {"-o", "%p/a.ridge", "--", "touch", "started"},
  };
  for (const auto& mistake : mistakes) {
    EXPECT_EQ(profile(mistake).exit_code, 3) << mistake[1];
    EXPECT_TRUE(is_empty()) << mistake[1];
  }
}

TEST_F(ProfileCommand, AnExistingSessionIsNotOverwritten) {
  std::ofstream(folder / "a.ridge") << "old";
  const auto result = profile({"-o", "a.ridge", "--", "touch", "started"});
  EXPECT_EQ(result.exit_code, 3) << result.err;
  EXPECT_THAT(result.err, HasSubstr("--force"));
  EXPECT_FALSE(fs::exists(folder / "started"));
}

TEST_F(ProfileCommand, ThePlanIsKnownWithoutAGpu) {
  const auto lite = profile({"-c", "lite", "--plan", "GH100"});
  EXPECT_EQ(lite.exit_code, 0) << lite.err;
  EXPECT_THAT(lite.out, HasSubstr("in 1 pass, replay: none"));
  EXPECT_THAT(lite.out, HasSubstr("nothing is saved"));
  EXPECT_THAT(lite.out, HasSubstr("  dram__bytes_read.sum\n"));
  const auto full = profile({"--plan", "GH100", "--cache-control", "warm", "-k", "gemm"});
  EXPECT_THAT(full.out, HasSubstr("replay: kernel"));
  EXPECT_THAT(full.out, HasSubstr("saved before it"));
  EXPECT_THAT(full.out, HasSubstr("kernels matching ^(nccl|nvshmem)"));
  EXPECT_THAT(full.out, HasSubstr("chosen: kernel: gemm"));
  const auto runs = profile({"--plan", "GH100", "--replay", "application"});
  EXPECT_EQ(runs.exit_code, 0) << runs.err;
  EXPECT_THAT(runs.out, HasSubstr("the program runs"));
  EXPECT_THAT(runs.out, HasSubstr("nothing is saved"));
}

// A plan that will not be carried out as asked is no success.
TEST_F(ProfileCommand, APlanSaysWhatCannotBeCounted) {
  for (const char* counters :
       {"dram__bytes_read.sum,no__such_counter.sum", "no__such_counter.sum,dram__bytes_read.sum"}) {
    const auto some = profile({"-c", counters, "--plan", "GH100"});
    EXPECT_EQ(some.exit_code, 3) << some.err;
    EXPECT_THAT(some.out, HasSubstr("1 counter in 1 pass"));
    EXPECT_THAT(some.out, HasSubstr("\n  dram__bytes_read.sum\n"));
    EXPECT_THAT(some.err, HasSubstr("no__such_counter.sum"));
    EXPECT_THAT(some.err, HasSubstr("`ridgepoint metrics GH100`"));
  }
  for (const char* counters :
       {"dram__bytes_raed.sum", "sm__cycles_active.avg,dram__bytes_raed.sum"}) {
    const auto misspelt = profile({"-c", counters, "--plan", "GH100"});
    EXPECT_EQ(misspelt.exit_code, 3);
    EXPECT_THAT(misspelt.err, HasSubstr("hint: did you mean dram__bytes_read.sum? "));
  }
  const auto none = profile({"-c", "no__such_counter.sum", "--plan", "GH100"});
  EXPECT_EQ(none.exit_code, 3);
  EXPECT_TRUE(none.out.empty());
  EXPECT_THAT(none.err, HasSubstr("hint: "));
  const auto chip = profile({"-c", "lite", "--plan", "GX999"});
  EXPECT_EQ(chip.exit_code, 3);
  EXPECT_THAT(chip.err, HasSubstr("`ridgepoint metrics` lists the chips"));
  EXPECT_EQ(profile({"-c", "none", "--plan", "GH100"}).exit_code, 3);
  EXPECT_EQ(profile({"-c", ",", "--plan", "GH100"}).exit_code, 3);
  const std::string wide = "sm__throughput.avg.pct_of_peak_sustained_elapsed";
  EXPECT_EQ(profile({"-c", wide, "--plan", "GH100"}).exit_code, 0);
  const auto runs = profile({"-c", wide, "--plan", "GH100", "--replay", "application"});
  EXPECT_EQ(runs.exit_code, 3);
  EXPECT_THAT(runs.err, HasSubstr("--replay kernel takes counters of several passes"));
}

std::vector<std::string> counters_in(const std::string& plan) {
  std::vector<std::string> counters;
  std::istringstream lines(plan);
  for (std::string line; std::getline(lines, line);) {
    if (line.rfind("  ", 0) == 0 && line.find("__") != std::string::npos) {
      counters.push_back(line.substr(2));
    }
  }
  std::sort(counters.begin(), counters.end());
  return counters;
}

TEST_F(ProfileCommand, AProfileBesideCountersIsCountedWithThem) {
  const std::string more = "sm__throughput.avg.pct_of_peak_sustained_elapsed";
  std::vector<std::string> expected = counters_in(profile({"-c", "lite", "--plan", "GH100"}).out);
  ASSERT_GT(expected.size(), 10U);
  ASSERT_EQ(std::count(expected.begin(), expected.end(), more), 0);
  expected.push_back(more);
  std::sort(expected.begin(), expected.end());
  for (const std::string& both : {"lite," + more, more + ",lite", "lite,lite," + more}) {
    const auto plan = profile({"-c", both, "--plan", "GH100"});
    EXPECT_EQ(plan.exit_code, 0) << plan.err;
    EXPECT_EQ(counters_in(plan.out), expected) << both;
  }
  const auto none = profile({"-c", "none," + more, "--", "touch", "started"});
  EXPECT_EQ(none.exit_code, 3);
  EXPECT_THAT(none.err, HasSubstr("beside counters"));
  EXPECT_TRUE(is_empty());
}

// ncu's -c is the number of launches.
TEST_F(ProfileCommand, ANumberIsNoCounter) {
  const auto result = profile({"-c", "5", "--", "touch", "started"});
  EXPECT_EQ(result.exit_code, 3);
  EXPECT_THAT(result.err, HasSubstr("hint: at most 5 launches are counted with --launch-count 5"));
  EXPECT_TRUE(is_empty());
}

TEST_F(ProfileCommand, EmptyValuesAreRefusedAndNotTakenForAll) {
  for (const char* option : {"--kernel", "--nvtx", "--nvtx-domain", "--nth", "--counters"}) {
    const auto result = profile({option, "", "--", "touch", "started"});
    EXPECT_EQ(result.exit_code, 3) << option;
    EXPECT_THAT(result.err, HasSubstr(std::string("error: profile ") + option + ": "));
    EXPECT_THAT(result.err, HasSubstr("\nhint: "));
    EXPECT_TRUE(is_empty()) << option;
  }
  EXPECT_EQ(profile({"--no-replay", "", "--", "true"}).exit_code, test::nothing_measured())
      << "all kernels run again";
}

TEST_F(ProfileCommand, LimitsAreSaidInTheSameWordsForAllOptions) {
  const std::vector<std::pair<std::string, std::string>> limits = {
      {"--replay-timeout", "0 is not a number from 0.01 to 3600"},
      {"--min-duration", "0 is not a number from 0.001 to "},
      {"--launch-count", "0 is not a whole number from 1 to "},
      {"--sampling-period", "0 is not a whole number from 5 to 31"},
  };
  for (const auto& [option, words] : limits) {
    const auto result = profile({option, "0", "--", "touch", "started"});
    EXPECT_EQ(result.exit_code, 3) << option;
    EXPECT_THAT(result.err, HasSubstr(words));
    EXPECT_TRUE(is_empty()) << option;
  }
}

TEST_F(ProfileCommand, StallsSampleEveryKernelAndSayWhereToLookAtOne) {
  for (const std::string option : {"--kernel", "--nvtx", "--nth"}) {
    const auto result = profile({"--stalls", option, "1", "--", "touch", "started"});
    EXPECT_EQ(result.exit_code, 3) << option;
    EXPECT_THAT(result.err, HasSubstr("--stalls samples the warps of every kernel"));
    EXPECT_THAT(result.err, HasSubstr("`ridgepoint report SESSION --hotspots REGEX`"));
  }
}

TEST_F(ProfileCommand, HelpNamesTheDefaultSetAndWhereAPatternMatches) {
  std::string help = profile({"--help"}).out;
  help = std::regex_replace(help, std::regex("\\s+"), " ");
  EXPECT_THAT(help, HasSubstr("default: default, or none with --stalls or --pm-sampling"));
  EXPECT_THAT(help, HasSubstr("full or base name matches anywhere"));
}

TEST_F(ProfileCommand, OptionsThatContradictEachOtherStopIt) {
  const std::vector<std::vector<std::string>> mistakes = {
      {"-c", "none", "--replay", "application", "--", "touch", "started"},
      {"--replay", "application", "--cache-control", "flush", "--", "touch", "started"},
      {"--replay", "range", "--", "touch", "started"},
      {"-c", "none", "--top", "3", "--", "touch", "started"},
      {"--nth", "0", "--", "touch", "started"},
      {"--nvtx", "a//b", "--", "touch", "started"},
      {"--min-duration", "-1", "--", "touch", "started"},
      {"-c", ",", "--", "touch", "started"},
  };
  for (const auto& mistake : mistakes) {
    const auto result = profile(mistake);
    EXPECT_EQ(result.exit_code, 3) << mistake[1] << result.err;
    EXPECT_TRUE(is_empty()) << mistake[1];
  }
}

// Whoever writes an option wants something by it.
TEST_F(ProfileCommand, OptionsWithoutEffectAreRefusedWithAHint) {
  struct Mistake {
    std::vector<std::string> options;
    std::string named;
    std::string hint;
  };
  const std::vector<Mistake> mistakes = {
      {{"--graphs", "graph"}, "--graphs", "--counters none"},
      {{"-c", "lite", "--every-launch"}, "--every-launch", "--counters none"},
      {{"-c", "none", "--sampling-period", "14"}, "--sampling-period", "--stalls"},
      {{"-c", "none", "--cache-control", "flush"}, "--cache-control", "leave it out"},
      {{"--stalls", "--replay-timeout", "3"}, "--replay-timeout", "leave it out"},
      {{"-c", "none", "--replay", "kernel"}, "--replay", "leave it out"},
      {{"-c", "none", "-k", "gemm"}, "--kernel", "count launches"},
      {{"--stalls", "--launch-count", "3"}, "--launch-count", "--hotspots"},
      {{"--nvtx-scope", "process"}, "--nvtx-scope", "--nvtx"},
      {{"--replay", "range", "--nvtx", "a", "--top", "3"}, "--top", "--replay application"},
      {{"--replay", "range", "--top", "3"}, "--top", "--replay application"},
      {{"--replay", "range", "--nvtx", "a", "--nvtx-scope", "thread"}, "--nvtx-scope", "leave"},
      {{"--replay", "range", "--nvtx", "a", "--no-replay", "x"}, "--no-replay", "leave"},
  };
  for (const Mistake& mistake : mistakes) {
    std::vector<std::string> words = mistake.options;
    words.insert(words.end(), {"--", "touch", "started"});
    const auto result = profile(words);
    EXPECT_EQ(result.exit_code, 3) << mistake.named << result.err;
    EXPECT_THAT(result.err, HasSubstr("error: profile " + mistake.named + ": "));
    EXPECT_THAT(result.err.substr(result.err.find("hint: ")), HasSubstr(mistake.hint));
    EXPECT_TRUE(is_empty()) << mistake.named;
  }
  EXPECT_EQ(profile({"--nvtx-domain", "d", "--nvtx-scope", "thread", "--", "true"}).exit_code,
            test::nothing_measured());
  EXPECT_EQ(profile({"--stalls", "--every-launch", "--", "true"}).exit_code,
            test::nothing_measured());
}

TEST_F(ProfileCommand, AChipThatCuptiCannotCountOnIsADevicesFault) {
  for (const char* counters : {"lite", "dram__bytes_read.sum"}) {
    const auto plan = profile({"-c", counters, "--plan", "GV11B"});
    EXPECT_EQ(plan.exit_code, 5) << plan.err;
    EXPECT_THAT(plan.err, HasSubstr("lists chip GV11B and refuses"));
    EXPECT_THAT(plan.err, HasSubstr("hint: a timeline needs no counters"));
    EXPECT_TRUE(plan.out.empty());
  }
}

TEST_F(ProfileCommand, AnotherInjectedToolIsRefused) {
  setenv("CUDA_INJECTION64_PATH", "/opt/other.so", 1);
  const auto result = profile({"--", "touch", "started"});
  unsetenv("CUDA_INJECTION64_PATH");
  EXPECT_EQ(result.exit_code, 3);
  EXPECT_THAT(result.err, HasSubstr("/opt/other.so"));
  EXPECT_TRUE(is_empty());
}

TEST_F(ProfileCommand, SignalsReachTheProgram) {
  for (const int signal : {SIGTERM, SIGINT, SIGUSR1}) {
    std::array<int, 2> ends{};
    ASSERT_EQ(pipe(ends.data()), 0);
    const pid_t launcher = fork();
    if (launcher == 0) {
      dup2(ends[1], STDOUT_FILENO);
      dup2(open("/dev/null", O_WRONLY), STDERR_FILENO);
      const std::string program = std::string(RIDGEPOINT_BIN_DIR) + "/ridgepoint";
      execl(program.c_str(), "ridgepoint", "profile", "--pass-exit-code", "--", "sh", "-c",
            "trap 'echo caught; exit 42' TERM INT USR1; echo ready; while :; do sleep 0.05; done",
            nullptr);
      _exit(127);
    }
    close(ends[1]);
    std::string text;
    char c = 0;
    while (text.find("ready\n") == std::string::npos && read(ends[0], &c, 1) == 1) {
      text += c;
    }
    kill(launcher, signal);
    while (read(ends[0], &c, 1) == 1) {
      text += c;
    }
    close(ends[0]);
    int status = 0;
    waitpid(launcher, &status, 0);
    EXPECT_THAT(text, HasSubstr("caught")) << signal;
    EXPECT_EQ(WEXITSTATUS(status), 42) << signal;
  }
}

}  // namespace
}  // namespace ridgepoint
