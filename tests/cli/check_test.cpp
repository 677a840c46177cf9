// `ridgepoint check`, as a CI job runs it: 0 only when everything was judged and passed.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>

#include "analyzer/core/file.h"
#include "tests/support/program.h"
#include "tests/support/recordings.h"
#include "tests/support/temp_dir.h"

namespace ridgepoint {
namespace {

using test::run_program;
using test_support::recording_path;
using testing::HasSubstr;

const std::string good = recording_path(test_support::wide_recording);

class CheckCommand : public testing::Test {
 protected:
  CheckCommand() : budget_(path("budget.json")) {
    EXPECT_EQ(run_program({"ridgepoint", "check", good, "--init", "-o", budget_}).exit_code, 0);
  }

  std::string path(const std::string& name) const { return (folder_ / name).string(); }

  std::string slower_session() const {
    Session session = test_support::recording();
    test_support::slow_down(session, "fused", 1.12);
    EXPECT_TRUE(write_session(session, path("slower.ridge")));
    return path("slower.ridge");
  }

  std::string written(const std::string& name, const std::string& text) const {
    EXPECT_TRUE(write_file(path(name), text, Overwrite::yes));
    return path(name);
  }

  test::TempDir folder_;
  std::string budget_;
};

TEST_F(CheckCommand, PassesTheSessionThatItsBudgetIsFrom) {
  const auto result = run_program({"ridgepoint", "check", good, "--budget", budget_});
  EXPECT_EQ(result.exit_code, 0) << result.out << result.err;
  EXPECT_THAT(result.out, HasSubstr("Passed"));
}

TEST_F(CheckCommand, FailsASlowerSessionAndTellsEveryReader) {
  const auto result =
      run_program({"ridgepoint", "check", slower_session(), "--budget", budget_, "--junit",
                   path("gate.xml"), "--summary", path("summary.md"), "--annotate"});
  EXPECT_EQ(result.exit_code, 1);
  EXPECT_THAT(result.out, HasSubstr("failed      fused: P50 latency"));
  EXPECT_THAT(result.out, HasSubstr("\n::error title="));
  EXPECT_THAT(read_file(path("gate.xml"), 1 << 20).value(), HasSubstr("failures=\"1\""));
  EXPECT_THAT(read_file(path("summary.md"), 1 << 20).value(), HasSubstr("# Failed: 1 of"));
}

// The same program, three launches of each kernel and forty.
TEST_F(CheckCommand, JudgesWhatALaunchTakesHoweverManyThereAre) {
  const std::string few = recording_path("profile-three-kernels-rank-0");
  const std::string many = recording_path("profile-three-kernels-stalls");
  for (const auto& [from, run] : {std::pair(few, many), std::pair(many, few)}) {
    const std::string budget = path("launches.json");
    ASSERT_EQ(
        run_program({"ridgepoint", "check", from, "--init", "-o", budget, "--force"}).exit_code, 0);
    const auto result = run_program({"ridgepoint", "check", run, "--budget", budget});
    EXPECT_EQ(result.exit_code, 0) << result.out << result.err;
  }
}

TEST_F(CheckCommand, FailsSlowerLaunchesEvenIfThereAreFewer) {
  Session session = test_support::recording("profile-three-kernels-rank-0");
  ASSERT_EQ(session.launches.size(), 9U);
  for (Launch& launch : session.launches) {
    launch.end_ns += (launch.end_ns - launch.start_ns) / 2;
  }
  ASSERT_TRUE(write_session(session, path("slow.ridge")));
  const std::string budget = path("many.json");
  ASSERT_EQ(run_program({"ridgepoint", "check", recording_path("profile-three-kernels-stalls"),
                         "--init", "-o", budget})
                .exit_code,
            0);
  const auto result = run_program({"ridgepoint", "check", path("slow.ridge"), "--budget", budget});
  EXPECT_EQ(result.exit_code, 1);
  EXPECT_THAT(result.out, HasSubstr("product_shared: time of a launch is 2.77 ms"));
  EXPECT_THAT(result.out, HasSubstr("3 launches are too few"));
}

TEST_F(CheckCommand, TestsTheTimesOfManyLaunches) {
  const std::string many = recording_path("profile-three-kernels-stalls");
  Session session = test_support::recording("profile-three-kernels-stalls");
  for (Launch& launch : session.launches) {
    launch.end_ns += (launch.end_ns - launch.start_ns) / 5;
  }
  ASSERT_TRUE(write_session(session, path("slow.ridge")));
  const std::string budget = path("many.json");
  ASSERT_EQ(run_program({"ridgepoint", "check", many, "--init", "-o", budget}).exit_code, 0);
  const auto absolute =
      run_program({"ridgepoint", "check", path("slow.ridge"), "--budget", budget});
  EXPECT_EQ(absolute.exit_code, 1);
  EXPECT_THAT(absolute.out, HasSubstr("p < 0.0001"));
  const std::string relative = written("relative.json", R"({"schema":"ridgepoint-budget",
    "version":"1.0","checks":[{"scope":"kernel","match":"*","quantity":"per_launch.time_s",
    "max_increase":0.05}]})");
  const auto slower = run_program(
      {"ridgepoint", "check", path("slow.ridge"), "--budget", relative, "--baseline", many});
  EXPECT_EQ(slower.exit_code, 1);
  EXPECT_THAT(slower.out, HasSubstr("p < 0.0001"));
}

TEST_F(CheckCommand, ComparesNoSumsOverOtherNumbersOfLaunches) {
  const std::string sums = written("sums.json", R"({"schema":"ridgepoint-budget","version":"1.0",
    "checks":[{"scope":"kernel","match":"*","quantity":"time_s","max_increase":0.05}]})");
  const auto result =
      run_program({"ridgepoint", "check", recording_path("profile-three-kernels-stalls"),
                   "--budget", sums, "--baseline", recording_path("profile-three-kernels-rank-0")});
  EXPECT_EQ(result.exit_code, 2);
  EXPECT_THAT(result.out, HasSubstr("40 of them against 3 in the baseline"));
  EXPECT_THAT(result.out, HasSubstr("per_launch.time_s"));
}

// A timeline leaves caches as they are, counters are read after emptying them: either way round.
TEST_F(CheckCommand, JudgesNoCountedSessionByATimelineNorATimelineByOne) {
  const std::string timeline = recording_path("profile-three-kernels-rank-0");
  const std::string counted = recording_path("profile-three-kernels");
  for (const auto& [from, run] : {std::pair(timeline, counted), std::pair(counted, timeline)}) {
    const std::string budget = path("conditions.json");
    ASSERT_EQ(
        run_program({"ridgepoint", "check", from, "--init", "-o", budget, "--force"}).exit_code, 0);
    const auto result = run_program({"ridgepoint", "check", run, "--budget", budget});
    EXPECT_EQ(result.exit_code, 2) << result.out;
    EXPECT_THAT(result.out, HasSubstr("policy.cache_control: caches held something else"));
    EXPECT_EQ(run_program({"ridgepoint", "check", from, "--budget", budget}).exit_code, 0);
  }
}

TEST_F(CheckCommand, AddsToASummaryThatExistsButFollowsNoLink) {
  written("summary.md", "before\n");
  EXPECT_EQ(run_program(
                {"ridgepoint", "check", good, "--budget", budget_, "--summary", path("summary.md")})
                .exit_code,
            0);
  EXPECT_THAT(read_file(path("summary.md"), 1 << 20).value(),
              testing::StartsWith("before\n# Passed"));
  std::filesystem::create_symlink(path("summary.md"), path("link.md"));
  EXPECT_EQ(
      run_program({"ridgepoint", "check", good, "--budget", budget_, "--summary", path("link.md")})
          .exit_code,
      3);
}

TEST_F(CheckCommand, GivesNoVerdictOnAnotherProblem) {
  const auto result =
      run_program({"ridgepoint", "check", recording_path(test_support::batched_recording),
                   "--budget", budget_});
  EXPECT_EQ(result.exit_code, 2);
  EXPECT_THAT(result.out, HasSubstr("another problem than the budget's"));
}

TEST_F(CheckCommand, GivesNoVerdictWithoutAReadableBaseline) {
  const std::string torn = written("torn.ridge", "nothing");
  for (const std::string& baseline : {torn, path("absent.ridge")}) {
    const auto result = run_program({"ridgepoint", "check", good, "--budget", budget_, "--baseline",
                                     baseline, "--junit", path("b.xml"), "--force"});
    EXPECT_EQ(result.exit_code, 2);
    EXPECT_THAT(result.out, HasSubstr("baseline.unreadable"));
    EXPECT_THAT(read_file(path("b.xml"), 1 << 20).value(), HasSubstr("errors=\"1\""));
  }
}

TEST_F(CheckCommand, GivesNoVerdictWhenThePatternMatchesNothing) {
  const std::string typo = written("typo.json", R"({"schema": "ridgepoint-budget", "version": "1.0",
    "checks": [{"scope": "variant", "match": "fussed", "quantity": "latency_s.p50", "max": 1}]})");
  EXPECT_EQ(run_program({"ridgepoint", "check", good, "--budget", typo}).exit_code, 2);
}

TEST_F(CheckCommand, JudgesAnotherProfilersExport) {
  const std::string csv = std::string(RIDGEPOINT_SOURCE_DIR) +
                          "/tests/data/nsight-compute/three-kernels-cache-none.raw.csv";
  const std::string budget = path("imported.json");
  ASSERT_EQ(run_program({"ridgepoint", "check", csv, "--init", "-o", budget}).exit_code, 0);
  EXPECT_EQ(run_program({"ridgepoint", "check", csv, "--budget", budget}).exit_code, 0);
}

TEST_F(CheckCommand, RefusesBadFilesAndBadUsage) {
  EXPECT_EQ(run_program({"ridgepoint", "check", good}).exit_code, 3);
  EXPECT_EQ(run_program({"ridgepoint", "check", good, "--init", "--budget", budget_}).exit_code, 3);
  EXPECT_EQ(run_program({"ridgepoint", "check", good, "--init", "-o", budget_}).exit_code, 3);
  EXPECT_EQ(run_program({"ridgepoint", "check", path("absent"), "--budget", budget_}).exit_code, 4);
  const std::string bad = written("bad.json", "{}");
  const auto result = run_program({"ridgepoint", "check", good, "--budget", bad});
  EXPECT_EQ(result.exit_code, 4);
  EXPECT_THAT(result.err, HasSubstr("bad.json: schema"));
}

TEST_F(CheckCommand, WritesOverNothingThatItReads) {
  const std::string session = path("run.ridge");
  std::filesystem::copy_file(good, session);
  const std::string base = path("base.ridge");
  std::filesystem::copy_file(good, base);
  const std::string before = read_file(session, 1 << 24).value();
  for (const char* option : {"--junit", "--summary", "-o"}) {
    for (const std::string& input : {session, base, budget_}) {
      const auto result =
          run_program({"ridgepoint", "check", session, "--budget", budget_, "--baseline", base,
                       "--format", "markdown", option, input, "--force"});
      EXPECT_EQ(result.exit_code, 3) << option << ' ' << input;
      EXPECT_THAT(result.err, HasSubstr("it is the file that is being read"));
    }
  }
  EXPECT_EQ(read_file(session, 1 << 24).value(), before);
}

TEST_F(CheckCommand, KeepsAnnotationsOutOfADocument) {
  EXPECT_EQ(
      run_program({"ridgepoint", "check", good, "--budget", budget_, "-f", "json", "--annotate"})
          .exit_code,
      3);
  EXPECT_EQ(run_program({"ridgepoint", "check", good, "--budget", budget_, "-o",
                         path("verdict.json"), "--annotate"})
                .exit_code,
            0);
  EXPECT_EQ(read_file(path("verdict.json"), 1 << 20).value().front(), '{');
}

TEST_F(CheckCommand, AnnotatesOnceWhereTheReportIsTheAnnotations) {
  const std::string slower = slower_session();
  const auto alone =
      run_program({"ridgepoint", "check", slower, "--budget", budget_, "-f", "github"});
  const auto with = run_program(
      {"ridgepoint", "check", slower, "--budget", budget_, "-f", "github", "--annotate"});
  EXPECT_THAT(alone.out, HasSubstr("::error title="));
  EXPECT_EQ(with.out, alone.out);
}

TEST_F(CheckCommand, ALimitGivenTwiceIsNoGate) {
  const std::string twice = written("twice.json", R"({"schema":"ridgepoint-budget","version":"1.0",
    "checks":[{"scope":"variant","match":"*","quantity":"time_s","max":1e-9,"max":1}]})");
  const auto result = run_program({"ridgepoint", "check", good, "--budget", twice});
  EXPECT_EQ(result.exit_code, 4);
  EXPECT_THAT(result.err, HasSubstr("\"max\" is given twice"));
}

TEST_F(CheckCommand, GivesNoVerdictOnARunThatWasCutShort) {
  Session session = test_support::recording();
  session.issues.push_back({"profile.cut_short", "killed"});
  ASSERT_TRUE(write_session(session, path("cut.ridge")));
  const auto result = run_program({"ridgepoint", "check", path("cut.ridge"), "--budget", budget_});
  EXPECT_EQ(result.exit_code, 2);
  EXPECT_THAT(result.out, HasSubstr("cut short"));
}

}  // namespace
}  // namespace ridgepoint
