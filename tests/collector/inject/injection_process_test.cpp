// The profiled program as a process: its end, its children, its files and other profilers.
#include <sys/stat.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>

#include "tests/collector/inject/injection.h"
#include "tests/collector/profile/nothing_measured.h"

namespace ridgepoint {
namespace {

namespace fs = std::filesystem;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

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

TEST_F(Injection, AProgramThatStartsAnotherInItsPlaceKeepsWhatBothDid) {
  for (const std::string counters : {"none", "default"}) {
    const auto result =
        profile({"-c", counters, "--force"}, "init launch k 3 exec init launch k 2");
    EXPECT_EQ(result.exit_code, 0) << result.err;
    EXPECT_EQ(session().launches.size(), 3U) << counters;
    EXPECT_THAT(text_of("profile.ended"), HasSubstr("(exec)")) << counters;
    EXPECT_EQ(codes(session()).count("profile.cut_short"), 0U) << counters;
    ASSERT_EQ(files().size(), 2U) << counters;
    for (const std::string& name : files()) {
      if (name != "a.ridge") {
        EXPECT_THAT(name, HasSubstr("_2.ridge"));
        EXPECT_EQ(read_session(folder / name).value_or(Session()).launches.size(), 2U);
        fs::remove(folder / name);
      }
    }
  }
}

TEST_F(Injection, AnotherProgramWhoseArgumentsTheCallNamesIsTheSame) {
  profile({"-c", "none"}, "init launch k 3 execl");
  EXPECT_EQ(session().launches.size(), 3U);
  EXPECT_THAT(text_of("profile.ended"), HasSubstr("(exec)"));
  EXPECT_EQ(files().size(), 2U);
}

// The first launch of a process begins its journal, with calls that act on such a wish.
TEST_F(Injection, AThreadThatIsCancelledEndsAsItWould) {
  for (const std::string counters : {"none", "default"}) {
    const auto result =
        profile({"-c", counters, "--force"}, "init cancelled k launch k 2 cancelled k");
    EXPECT_EQ(result.exit_code, 0) << counters << result.err;
    EXPECT_EQ(session().launches.size(), 4U) << counters;
  }
}

TEST_F(Injection, AnotherProgramThatIsNotThereEndsNothing) {
  const std::string text = (folder / "text").string();
  std::ofstream(text) << "no program\n";
  fs::permissions(text, fs::perms::owner_all);
  const auto result = profile({"-c", "none"},
                              "init launch k 3 tryexec /nowhere/no_program launch k 1 tryexec "
                              "no_such_program launch k 1 tryexec /tmp launch k 1 tryexec " +
                                  text + " launch k 1");
  EXPECT_EQ(result.exit_code, 0) << result.err;
  EXPECT_EQ(session().launches.size(), 7U);
  EXPECT_EQ(codes(session()).count("profile.ended"), 0U);
}

TEST_F(Injection, ChildrenAreFollowedUnlessToldOtherwise) {
  profile({"-c", "none"}, "spawn init launch k 2");
  EXPECT_EQ(session().launches.size(), 2U);
  fs::remove(folder / "a.ridge");
  const auto result = profile({"-c", "none", "--no-children"}, "spawn init launch k 2");
  EXPECT_EQ(result.exit_code, test::nothing_measured());
  EXPECT_TRUE(files().empty());
}

TEST_F(Injection, AProcessThatLaunchesNothingLeavesNoFile) {
  const auto result = profile({}, "init push step pop");
  EXPECT_EQ(result.exit_code, test::nothing_measured()) << "no verdict: nothing was measured";
  EXPECT_TRUE(files().empty());
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

TEST_F(Injection, ASecondProfilerIsNamedAndTheProgramGoesOn) {
  setenv("FAKE_CUPTI_SUBSCRIBE", std::to_string(39).c_str(), 1);
  const auto result = profile({"-c", "lite"}, "init say alive launch k 1");
  EXPECT_EQ(result.out, "alive\n");
  EXPECT_EQ(result.exit_code, 5);
  EXPECT_THAT(result.err, HasSubstr("another profiler"));
}

TEST_F(Injection, WithoutSettingsTheLibraryDoesNothing) {
  setenv("CUDA_INJECTION64_PATH", RIDGEPOINT_INJECTION, 1);
  const std::string command = "cd '" + folder.path().string() +
                              "' && '" RIDGEPOINT_INJECTION_HOST "' init launch k 3 say done > out";
  EXPECT_EQ(std::system(command.c_str()), 0);
  unsetenv("CUDA_INJECTION64_PATH");
  EXPECT_THAT(files(), ElementsAre("out"));
}

}  // namespace
}  // namespace ridgepoint
