// `ridgepoint compare`: a scripts' view, by exit codes.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <nlohmann/json.hpp>

#include "analyzer/core/file.h"
#include "tests/support/program.h"
#include "tests/support/recordings.h"
#include "tests/support/temp_dir.h"

namespace ridgepoint {
namespace {

using test::run_program;
using test_support::recording_path;
using test_support::wide_recording;
using testing::HasSubstr;

const std::string base = recording_path(wide_recording);

std::string slower_session(const test::TempDir& folder) {
  Session session = test_support::recording();
  test_support::slow_down(session, "fused", 1.12);
  const std::string path = (folder / "slower.ridge").string();
  EXPECT_TRUE(write_session(session, path));
  return path;
}

TEST(CompareCommand, ExitsWithZeroOneOrTwo) {
  const test::TempDir folder;
  const std::string slower = slower_session(folder);
  EXPECT_EQ(run_program({"ridgepoint", "compare", base, base}).exit_code, 0);
  const auto regression = run_program({"ridgepoint", "compare", base, slower});
  EXPECT_EQ(regression.exit_code, 1);
  EXPECT_THAT(regression.out, HasSubstr("fused: 12.0 % more time"));
  EXPECT_EQ(run_program({"ridgepoint", "compare", slower, base}).exit_code, 0);
  const std::string other = recording_path(test_support::batched_recording);
  EXPECT_EQ(run_program({"ridgepoint", "compare", base, other}).exit_code, 2);
}

// Launches of a timeline find in caches what the one before left, those of a replay nothing.
TEST(CompareCommand, HasNoVerdictOnATimelineAgainstCounters) {
  const std::string timeline = test_support::recording_path("profile-training-timeline");
  const std::string counted = test_support::recording_path("profile-training-step");
  for (const auto& [first, second] : {std::pair(timeline, counted), std::pair(counted, timeline)}) {
    const auto result = run_program({"ridgepoint", "compare", first, second});
    EXPECT_EQ(result.exit_code, 2);
    EXPECT_THAT(result.out, testing::HasSubstr("other cache state or replay"));
    EXPECT_THAT(result.out, testing::Not(testing::HasSubstr("time: 9 launches")));
  }
}

TEST(CompareCommand, TellsHowManyLaunchesThereWereButNotAsACause) {
  const auto result = run_program({"ridgepoint", "compare",
                                   test_support::recording_path("profile-three-kernels-rank-0"),
                                   test_support::recording_path("profile-three-kernels-stalls")});
  EXPECT_THAT(result.out, testing::HasSubstr("; 40 launches instead of 3"));
  EXPECT_THAT(result.out, testing::Not(testing::HasSubstr(": 40 launches instead of 3")));
}

TEST(CompareCommand, TakesSeveralAgainstOneBaseAndReportsTheGravest) {
  const test::TempDir folder;
  const auto result =
      run_program({"ridgepoint", "compare", base, base, slower_session(folder), "-f", "json"});
  EXPECT_EQ(result.exit_code, 1);
  const auto json = nlohmann::json::parse(result.out);
  EXPECT_EQ(json["comparisons"][0]["verdict"], "fine");
  EXPECT_EQ(json["comparisons"][1]["verdict"], "regression");
}

TEST(CompareCommand, LetsTheUserSayWhatCounts) {
  const test::TempDir folder;
  const std::string slower = slower_session(folder);
  EXPECT_EQ(run_program({"ridgepoint", "compare", base, slower, "--min-effect", "0.2"}).exit_code,
            0);
}

TEST(CompareCommand, TellsFilesOfOneNameApartByTheirFolders) {
  const test::TempDir folder;
  std::vector<std::string> runs;
  for (const char* machine : {"main", "change"}) {
    std::filesystem::create_directories(folder / machine);
    runs.push_back((folder / machine / "run.ridge").string());
    std::filesystem::copy_file(base, runs.back());
  }
  const auto result = run_program({"ridgepoint", "compare", runs[0], runs[1]});
  EXPECT_THAT(result.out, HasSubstr("base  main/run.ridge:")) << result.err;
  EXPECT_THAT(result.out, HasSubstr("new   change/run.ridge:"));
  const std::string three = run_program({"ridgepoint", "compare", runs[0], runs[1], base}).out;
  EXPECT_THAT(three, HasSubstr("new   change/run.ridge:")) << three;
  const std::string different = run_program({"ridgepoint", "compare", base, runs[1]}).out;
  EXPECT_THAT(different, HasSubstr("new   run.ridge:")) << "no more of the path than it takes";
}

TEST(CompareCommand, RefusesOneFileAndFilesItCannotRead) {
  EXPECT_EQ(run_program({"ridgepoint", "compare", base}).exit_code, 3);
  const auto absent = run_program({"ridgepoint", "compare", base, "/absent.ridge"});
  EXPECT_EQ(absent.exit_code, 4);
  EXPECT_THAT(absent.err, HasSubstr("absent.ridge"));
  EXPECT_EQ(absent.out, "");
}

TEST(CompareCommand, WritesAFileOnlyOnceUnlessForced) {
  const test::TempDir folder;
  const std::string out = (folder / "c.md").string();
  const std::vector<std::string> command = {"ridgepoint", "compare",  base, base,
                                            "-f",         "markdown", "-o", out};
  EXPECT_EQ(run_program(command).exit_code, 0);
  EXPECT_EQ(run_program(command).exit_code, 3);
  EXPECT_THAT(read_file(out, 1 << 20).value(), HasSubstr("# Fine"));
}

}  // namespace
}  // namespace ridgepoint
