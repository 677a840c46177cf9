// `ridgepoint demo`: what a machine without a GPU runs.
#include <gtest/gtest.h>
#include <stdlib.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <string>
#include <utility>
#include <vector>

#include "tests/support/program.h"
#include "tests/support/temp_dir.h"

namespace ridgepoint {
namespace {

TEST(Demo, SaysInItsFirstLineThatItIsARecording) {
  const auto result = test::run_program({"ridgepoint", "demo"});
  ASSERT_EQ(result.exit_code, 0) << result.err;
  const std::string first = result.out.substr(0, result.out.find('\n'));
  EXPECT_NE(first.find("ecording"), std::string::npos) << first;
  EXPECT_NE(first.find("H200"), std::string::npos) << first;
}

TEST(Demo, ShowsBothVariantsTheFactorAndDiagnoses) {
  const auto result = test::run_program({"ridgepoint", "demo"});
  for (const char* word : {"naive", "fused", "HBM"}) {
    EXPECT_NE(result.out.find(word), std::string::npos) << word;
  }
  EXPECT_EQ(result.out.find('\x1b'), std::string::npos) << "colour belongs on terminals only";
}

TEST(Demo, SaysWhatTokensCostAtAPrice) {
  const auto free = test::run_program({"ridgepoint", "demo"});
  const auto priced = test::run_program({"ridgepoint", "demo", "--price-per-hour", "3"});
  ASSERT_EQ(priced.exit_code, 0) << priced.err;
  EXPECT_EQ(free.out.find("million tokens"), std::string::npos);
  EXPECT_NE(priced.out.find("million tokens"), std::string::npos);
  EXPECT_EQ(test::run_program({"ridgepoint", "demo", "--price-per-hour", "-3"}).exit_code, 3);
}

TEST(Demo, WritesTheReportItIsAskedFor) {
  const test::TempDir folder;
  const std::string html = (folder / "demo.html").string();
  const auto result = test::run_program({"ridgepoint", "demo", "--report", html});
  EXPECT_EQ(result.exit_code, 0);
  EXPECT_TRUE(std::filesystem::exists(html));
  EXPECT_NE(result.err.find(html), std::string::npos) << "says where it lies";
  EXPECT_EQ(test::run_program({"ridgepoint", "demo", "--report", html}).exit_code, 3)
      << "never replaces it unasked";
}

// What `ridgepoint profile` gives can be seen without a GPU.
TEST(Demo, ListsTheRecordingsWithWhatMadeThemAndShowsEach) {
  const auto listed = test::run_program({"ridgepoint", "demo", "--list"});
  ASSERT_EQ(listed.exit_code, 0) << listed.err;
  for (const auto& [name, shows] : std::vector<std::pair<std::string, std::string>>{
           {"attention-n4096-d128", "naive"},
           {"profile-training-step", "Traffic by NVTX range"},
           {"profile-training-timeline", "launch_bound"},
           {"profile-three-kernels", "product_shared"},
           {"profile-three-kernels-stalls", "three_kernels.cu:45"},
           {"profile-three-kernels-over-time", "product_shared over time"}}) {
    EXPECT_NE(listed.out.find("\n" + name + "\n"), std::string::npos) << name;
    const auto shown = test::run_program({"ridgepoint", "demo", name});
    EXPECT_EQ(shown.exit_code, 0) << shown.err;
    EXPECT_NE(shown.out.find(shows), std::string::npos) << name;
  }
  EXPECT_NE(listed.out.find("ridgepoint profile --stalls -o profile-three-kernels-stalls.ridge -- "
                            "./three_kernels 40"),
            std::string::npos);
}

TEST(Demo, NamesTheNearestWhereThereIsNoSuchRecording) {
  for (const char* name : {"profile-trainig-step", "", "../chips/x"}) {
    const auto result = test::run_program({"ridgepoint", "demo", name});
    EXPECT_EQ(result.exit_code, 3) << name;
    EXPECT_NE(result.err.find("--list"), std::string::npos) << result.err;
  }
  EXPECT_NE(test::run_program({"ridgepoint", "demo", "profile-trainig-step"})
                .err.find("did you mean profile-training-step?"),
            std::string::npos);
}

TEST(Demo, PartOfANameIsEnoughToBeUnderstood) {
  const auto result = test::run_program({"ridgepoint", "demo", "training-step"});
  EXPECT_EQ(result.exit_code, 3);
  EXPECT_NE(result.err.find("did you mean profile-training-step?"), std::string::npos)
      << result.err;
}

TEST(Demo, NamesThatNoFileCanHaveAreNoneThatShips) {
  const auto result = test::run_program({"ridgepoint", "demo", std::string(5000, 'x')});
  EXPECT_EQ(result.exit_code, 3) << result.err;
  EXPECT_NE(result.err.find("none that ships"), std::string::npos) << result.err;
  EXPECT_LT(result.err.size(), 1000U);
}

TEST(Demo, AListTakesNothingThatItDoesNotObey) {
  const test::TempDir folder;
  const std::string html = (folder / "demo.html").string();
  for (const std::vector<std::string>& more : std::vector<std::vector<std::string>>{
           {"profile-training-step"}, {"--report", html}, {"--price-per-hour", "3"}}) {
    std::vector<std::string> words = {"ridgepoint", "demo", "--list"};
    words.insert(words.end(), more.begin(), more.end());
    const auto result = test::run_program(words);
    EXPECT_EQ(result.exit_code, 3) << more[0];
    EXPECT_NE(result.err.find("has no effect"), std::string::npos) << result.err;
    EXPECT_EQ(result.out, "") << more[0];
  }
}

// An installation that is not whole.
class DemoData : public ::testing::Test {
 protected:
  DemoData() {
    std::filesystem::create_directories(folder / "counters");
    setenv("RIDGEPOINT_DATA", folder.path().c_str(), 1);
  }
  ~DemoData() override { unsetenv("RIDGEPOINT_DATA"); }
  void expect_said(const char* why) {
    for (const std::vector<std::string>& words :
         std::vector<std::vector<std::string>>{{"ridgepoint", "demo"},
                                               {"ridgepoint", "demo", "--list"},
                                               {"ridgepoint", "demo", "profile-training-step"}}) {
      const auto result = test::run_program(words);
      EXPECT_EQ(result.exit_code, 4) << why << words.back() << result.err;
      EXPECT_NE(result.err.find("this installation lacks them"), std::string::npos) << result.err;
      EXPECT_EQ(result.out, "") << why;
    }
  }
  test::TempDir folder;
};

TEST_F(DemoData, WithoutRecordingsTheInstallationIsSaidToLackThem) {
  expect_said("no folder");
  std::filesystem::create_directory_symlink("recordings", folder / "recordings");
  expect_said("a link to itself");
  std::filesystem::remove(folder / "recordings");
  std::ofstream(folder / "recordings") << "a file";
  expect_said("a file");
  std::filesystem::remove(folder / "recordings");
  std::filesystem::create_directory(folder / "recordings");
  expect_said("an empty folder");
  if (geteuid() != 0) {
    std::filesystem::permissions(folder / "recordings", std::filesystem::perms::none);
    expect_said("one that may not be read");
    std::filesystem::permissions(folder / "recordings", std::filesystem::perms::owner_all);
  }
}

TEST_F(DemoData, OneThatCannotBeReadIsNamedAndTheOthersAreListed) {
  std::filesystem::create_directory(folder / "recordings");
  std::ofstream(folder / "recordings" / "a-broken.ridge") << "nothing";
  std::filesystem::create_symlink("b-loop.ridge", folder / "recordings" / "b-loop.ridge");
  std::filesystem::copy(
      std::string(RIDGEPOINT_SOURCE_DIR) + "/data/recordings/profile-three-kernels.ridge",
      folder / "recordings" / "profile-three-kernels.ridge");
  const auto listed = test::run_program({"ridgepoint", "demo", "--list"});
  EXPECT_EQ(listed.exit_code, 4);
  EXPECT_NE(listed.out.find("\nprofile-three-kernels\n"), std::string::npos) << listed.out;
  EXPECT_NE(listed.err.find("a-broken.ridge"), std::string::npos) << listed.err;
  EXPECT_NE(listed.err.find("b-loop.ridge"), std::string::npos) << listed.err;
  const auto looping = test::run_program({"ridgepoint", "demo", "b-loop"});
  EXPECT_EQ(looping.exit_code, 4) << looping.err;
  EXPECT_EQ(looping.err.find("internal"), std::string::npos) << looping.err;
}

// Two ranks that ran side by side.
TEST(Demo, TheRanksOfARunCanBeMerged) {
  const test::TempDir folder;
  const std::string merged = (folder / "all.ridge").string();
  const std::string rank =
      std::string(RIDGEPOINT_SOURCE_DIR) + "/data/recordings/profile-three-kernels-rank-";
  ASSERT_EQ(
      test::run_program({"ridgepoint", "merge", "-o", merged, rank + "0.ridge", rank + "1.ridge"})
          .exit_code,
      0);
  const auto report = test::run_program({"ridgepoint", "report", merged});
  EXPECT_EQ(report.exit_code, 0);
  EXPECT_NE(report.out.find("product_tensor"), std::string::npos) << report.out;
}

}  // namespace
}  // namespace ridgepoint
