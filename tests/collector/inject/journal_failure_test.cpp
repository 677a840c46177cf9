// Journals and sessions that cannot be written: the program runs on, and the user is told why.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/mount.h>
#include <sys/resource.h>

#include <fstream>
#include <iterator>

#include "tests/collector/inject/injection.h"

namespace ridgepoint {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;

using JournalFailure = Injection;

// A file system of its own, which takes root.
class SmallDisk : public Injection {
 protected:
  void SetUp() override {
    disk_ = (folder / "disk").string();
    std::filesystem::create_directory(disk_);
    if (mount("tmpfs", disk_.c_str(), "tmpfs", 0, "size=64k") != 0) {
      GTEST_SKIP() << "a file system cannot be mounted here";
    }
    mounted_ = true;
  }
  void TearDown() override {
    if (mounted_) {
      umount(disk_.c_str());
    }
  }
  std::string disk_;
  bool mounted_ = false;
};

TEST_F(SmallDisk, OneThatIsFullIsSaidBeforeTheProgramRuns) {
  std::ofstream(disk_ + "/fill") << std::string(65536, 'x');
  const auto result = profile({"-c", "none", "-o", "disk/a.ridge"}, "init say ran");
  EXPECT_EQ(result.exit_code, 3);
  EXPECT_THAT(result.err, HasSubstr("No space left on device"));
  EXPECT_THAT(result.out, IsEmpty());
}

TEST_F(SmallDisk, OneThatFillsBeforeTheFirstLaunchIsNamed) {
  const auto result = profile({"-c", "none", "-o", "disk/a.ridge"},
                              "fill disk init launch k 3 sleep 300 say alive");
  EXPECT_EQ(result.out, "alive\n") << "the program is not disturbed";
  EXPECT_EQ(result.exit_code, 2);
  EXPECT_THAT(result.err, HasSubstr("No space left on device"));
  EXPECT_THAT(result.err, Not(HasSubstr("did nothing on an NVIDIA GPU")));
  std::vector<std::string> left;
  for (const auto& entry : std::filesystem::directory_iterator(disk_)) {
    left.push_back(entry.path().filename().string());
  }
  EXPECT_THAT(left, ElementsAre("fill"));
}

TEST_F(SmallDisk, OneThatFillsLaterLeavesWhatWasWritten) {
  const auto result =
      profile({"-c", "none", "-o", "disk/a.ridge"},
              "init launch first 2 sleep 300 fill disk launch second 5000 sleep 600 "
              "say alive");
  EXPECT_EQ(result.out, "alive\n");
  EXPECT_EQ(result.exit_code, 2);
  EXPECT_THAT(result.err, HasSubstr("No space left on device"));
  EXPECT_THAT(result.err, HasSubstr("the records are kept in ")) << "no room for a session either";
  EXPECT_THAT(result.err, Not(HasSubstr("did nothing on an NVIDIA GPU")));
  EXPECT_THAT(result.err, Not(HasSubstr("the filters chose none")));
}

TEST_F(JournalFailure, AFolderThatCannotBeWrittenIsSaidBeforeTheProgramRuns) {
  // To root, /proc says that it may be written to.
  const auto result = profile({"-c", "none", "-o", "/proc/a.ridge"}, "init say ran");
  EXPECT_EQ(result.exit_code, 3);
  EXPECT_THAT(result.err, HasSubstr("writing /proc/a.ridge"));
  EXPECT_THAT(result.out, IsEmpty());
}

TEST_F(JournalFailure, ALimitOnFileSizesIsAnErrorAndNotTheEndOfTheLauncher) {
  std::ofstream(folder / "limited.sh") << "ulimit -f 1; exec \"$@\" || exit 99\n";
  const std::string command = "cd '" + folder.path().string() + "' && sh limited.sh '" +
                              RIDGEPOINT_BIN_DIR
                              "/ridgepoint' profile -q -o a.ridge -- touch started 2> err";
  const int status = std::system(command.c_str());
  ASSERT_TRUE(WIFEXITED(status));
  EXPECT_EQ(WEXITSTATUS(status), 3);
  std::string text;
  std::getline(std::ifstream(folder / "err"), text);
  EXPECT_THAT(text, HasSubstr("File too large"));
  EXPECT_THAT(files(), ElementsAre("err", "limited.sh"));
}

TEST_F(JournalFailure, AProgramThatMayOpenFewFilesHasASession) {
  for (const std::string limit : {"150", "16"}) {
    const auto result =
        profile_program({"-c", "none", "--force", "-o", "a.ridge"},
                        {"sh", "-c", "ulimit -n " + limit + "; exec \"$0\" init launch k 3 say ran",
                         RIDGEPOINT_INJECTION_HOST});
    EXPECT_EQ(result.out, "ran\n") << limit;
    EXPECT_EQ(result.exit_code, 0) << limit << ": " << result.err;
    EXPECT_EQ(session().launches.size(), 3) << limit;
  }
}

// Theirs are numbers that the program writes to, whatever file it finds there.
TEST_F(JournalFailure, NoFileOfOursIsAStandardStream) {
  const auto result = profile_program(
      {"-c", "none", "-o", "a.ridge"},
      {"bash", "-c",
       "exec 3</dev/null >&-; ulimit -n 4; exec \"$0\" init launch k 3 sleep 100 say text",
       RIDGEPOINT_INJECTION_HOST});
  EXPECT_THAT(result.err, Not(HasSubstr("damaged")));
  for (const std::string& name : files()) {
    std::ifstream file(folder / name);
    const std::string text((std::istreambuf_iterator<char>(file)), {});
    EXPECT_THAT(text, Not(HasSubstr("text\n"))) << name;
  }
}

// It ends a program that writes beyond the limit: not ours to change.
TEST_F(JournalFailure, TheProgramKeepsItsFileSizeSignal) {
  const auto result =
      profile({"-c", "none", "--pass-exit-code"}, "init launch k 1 limit 20000 fill .");
  EXPECT_EQ(result.exit_code, 128 + SIGXFSZ) << result.err;
}

TEST_F(JournalFailure, ALimitThatIsReachedMeanwhileEndsTheRecordingAndNotTheProgram) {
  for (const char* counters : {"none", "lite"}) {
    const auto result = profile({"-c", counters, "--force"},
                                "init launch first 2 sleep 450 limit 20000 launch second 5000 "
                                "sleep 1100 launch third 1 say alive");
    EXPECT_EQ(result.out, "alive\n");
    EXPECT_EQ(result.exit_code, 2) << result.err;
    EXPECT_THAT(result.err, HasSubstr("File too large")) << counters;
    EXPECT_THAT(result.err, HasSubstr("ulimit -f"));
    EXPECT_THAT(result.err, Not(HasSubstr("the filters chose none")));
    EXPECT_THAT(text_of("profile.cut_short"), HasSubstr("File too large")) << counters;
    const Session s = session();
    EXPECT_LT(s.launches.size(), 5000U);
    EXPECT_GE(s.launches.size(), 2U);
    EXPECT_EQ(s.kernels.at(s.launches.at(0).kernel).mangled, "first");
    EXPECT_THAT(files(), ElementsAre("a.ridge"));
  }
}

}  // namespace
}  // namespace ridgepoint
