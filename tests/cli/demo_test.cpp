// `ridgepoint demo`: what a machine without a GPU runs.
#include <gtest/gtest.h>

#include <filesystem>
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
