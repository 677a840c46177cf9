// Sessions in, reports out: files are never replaced unasked, bad files give exit code 4.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <sstream>
#include <string>
#include <vector>

#include "analyzer/core/file.h"
#include "reports/text/text_layout.h"
#include "tests/support/program.h"
#include "tests/support/temp_dir.h"

namespace ridgepoint {
namespace {

using test::run_program;

const std::string recording =
    std::string(RIDGEPOINT_SOURCE_DIR) + "/data/recordings/attention-n16384-d64.ridge";

TEST(Report, WritesEveryFormat) {
  const test::TempDir folder;
  for (const char* format :
       {"text", "markdown", "json", "html", "svg", "csv", "openmetrics", "trace"}) {
    const std::string out = (folder / (std::string("report-") + format)).string();
    const auto result =
        run_program({"ridgepoint", "report", recording, "--format", format, "-o", out});
    EXPECT_EQ(result.exit_code, 0) << result.err;
    EXPECT_GT(std::filesystem::file_size(out), 500U) << format;
  }
}

// A timeline places nothing under a roof: as with --figure, there is no picture of nothing.
TEST(Report, DrawsNoRooflineOfNothing) {
  const test::TempDir folder;
  const std::string out = (folder / "empty.svg").string();
  const auto result = run_program(
      {"ridgepoint", "report",
       std::string(RIDGEPOINT_SOURCE_DIR) + "/data/recordings/profile-three-kernels-rank-0.ridge",
       "-o", out});
  EXPECT_EQ(result.exit_code, 2);
  EXPECT_NE(result.err.find("nothing of it was measured"), std::string::npos);
  EXPECT_FALSE(std::filesystem::exists(out));
}

// "elementwise_kernel #2" is no name of PyTorch's: what it stands for is said below the table.
TEST(Report, SaysWhatNumberedNamesStandFor) {
  const std::string step =
      std::string(RIDGEPOINT_SOURCE_DIR) + "/data/recordings/profile-training-step.ridge";
  for (const char* format : {"text", "markdown"}) {
    const auto report = run_program({"ridgepoint", "report", step, "-f", format});
    EXPECT_NE(report.out.find("elementwise_kernel #2: "), std::string::npos) << format;
    EXPECT_NE(report.out.find("Kernels that share a name"), std::string::npos) << format;
  }
  const auto csv = run_program({"ridgepoint", "report", step, "-f", "csv"});
  EXPECT_NE(csv.out.find(",name,source\r\n"), std::string::npos);
  EXPECT_NE(csv.out.find("void at::native::elementwise_kernel<"), std::string::npos);
}

TEST(Report, TakesTheFormatFromTheLongestEndingThatFits) {
  const test::TempDir folder;
  const std::string out = (folder / "run.trace.json").string();
  const auto result = run_program({"ridgepoint", "report", recording, "-o", out});
  ASSERT_EQ(result.exit_code, 0) << result.err;
  const auto text = read_file(out, 1 << 24);
  EXPECT_TRUE(nlohmann::json::parse(text.value()).contains("traceEvents"));
}

TEST(Report, PrintsLongCsvAndRefusesItsOptionsElsewhere) {
  const auto csv = run_program({"ridgepoint", "report", recording, "-f", "csv", "--csv-layout",
                                "long", "--csv-names", "ncu"});
  ASSERT_EQ(csv.exit_code, 0) << csv.err;
  EXPECT_EQ(csv.out.rfind("kernel,variant,launch,quantity,value,unit,range,device,time_s\r\n", 0),
            0U);
  EXPECT_NE(csv.out.find(",3,dram__bytes_read.sum,"), std::string::npos);
  const auto text = run_program({"ridgepoint", "report", recording, "--csv-layout", "long"});
  EXPECT_EQ(text.exit_code, 3);
}

// Its details page has no DRAM bytes and FLOP; what Nsight itself made of them is there.
TEST(Report, OfADetailsPageTakesTheBoundFromNsightsPercentagesAndSaysSo) {
  const std::string csv = std::string(RIDGEPOINT_SOURCE_DIR) +
                          "/tests/data/nsight-compute/sdpa-math-fwd-bwd.details.csv";
  const auto json = run_program({"ridgepoint", "report", csv, "--format", "json"});
  ASSERT_EQ(json.exit_code, 0) << json.err;
  const nlohmann::json report = nlohmann::json::parse(json.out);
  for (const nlohmann::json& kernel : report["kernels"]) {
    EXPECT_FALSE(kernel["bound_by"].is_null()) << kernel["short_name"];
    EXPECT_GE(kernel["headroom"].get<double>(), 1.0);
    EXPECT_EQ(kernel["bound_basis"], "Nsight Compute's throughput percentages");
    EXPECT_TRUE(kernel["utilisation"]["hbm"].is_null());
  }
  const auto text = run_program({"ridgepoint", "report", csv});
  EXPECT_NE(text.out.find("DRAM (Nsight)"), std::string::npos);
}

TEST(Report, JsonOnStandardOutputIsNothingButJson) {
  const auto result = run_program({"ridgepoint", "report", recording, "--format", "json"});
  ASSERT_EQ(result.exit_code, 0) << result.err;
  const nlohmann::json report = nlohmann::json::parse(result.out);
  EXPECT_EQ(report["schema"], "ridgepoint-analysis");
  EXPECT_EQ(report["source"], "recording");
}

// A details page names neither the product nor its memory.
TEST(Report, OfAnImportHasNoZeroForWhatTheOtherToolDidNotSay) {
  const std::string csv = std::string(RIDGEPOINT_SOURCE_DIR) +
                          "/tests/data/nsight-compute/sdpa-math-fwd-bwd.details.csv";
  const auto json = run_program({"ridgepoint", "report", csv, "--format", "json"});
  ASSERT_EQ(json.exit_code, 0) << json.err;
  const nlohmann::json report = nlohmann::json::parse(json.out);
  for (const char* name : {"name", "l2_bytes", "memory_bytes", "sm_clock_max_hz"}) {
    EXPECT_TRUE(report["device"][name].is_null()) << name;
  }
  EXPECT_TRUE(report["policy"]["passes"].is_null());
  const auto text = run_program({"ridgepoint", "report", csv});
  EXPECT_NE(text.out.find("measured on an unnamed GH100"), std::string::npos);
  EXPECT_EQ(text.out.find(" 0 Hz"), std::string::npos);
  EXPECT_EQ(text.out.find(" 0 B "), std::string::npos);
}

// The widest line of what a command prints where COLUMNS is set.
std::size_t longest_line(const std::vector<std::string>& command, const char* columns) {
  ::setenv("COLUMNS", columns, 1);
  const auto result = run_program(command);
  ::unsetenv("COLUMNS");
  std::istringstream lines(result.out);
  std::size_t longest = 0;
  for (std::string line; std::getline(lines, line);) {
    longest = std::max(longest, display_width(line));
  }
  EXPECT_GT(longest, 0U) << result.err;
  return longest;
}

TEST(Report, FollowsColumnsWhereThereIsNoTerminal) {
  const std::vector<std::string> report = {"ridgepoint", "report", recording};
  EXPECT_LE(longest_line(report, "70"), 70U);
  EXPECT_GT(longest_line(report, "140"), 100U);
  EXPECT_LE(longest_line(report, "wide"), 100U);
}

TEST(Report, ListsForPeopleFollowColumnsToo) {
  // A build without CUDA has no doctor, and says so on stderr.
  if (!run_program({"ridgepoint", "doctor"}).out.empty()) {
    EXPECT_LE(longest_line({"ridgepoint", "doctor"}, "70"), 70U);
  }
  EXPECT_LE(longest_line({"ridgepoint", "metrics", "--chip", "GH100"}, "100"), 100U);
}

TEST(Report, OfStandardInputSaysWhatToPipeIntoItWhenNothingComes) {
  const auto result = run_program({"ridgepoint", "report", "-"});  // standard input is /dev/null
  EXPECT_EQ(result.exit_code, 4);
  EXPECT_NE(result.err.find("reading standard input"), std::string::npos) << result.err;
  EXPECT_NE(result.err.find("hint: pipe a session"), std::string::npos) << result.err;
}

TEST(Report, OfSeveralSessionsNamesEach) {
  const auto result = run_program({"ridgepoint", "report", recording, recording});
  ASSERT_EQ(result.exit_code, 0) << result.err;
  const std::size_t first = result.out.find("attention-n16384-d64.ridge\n");
  EXPECT_EQ(first, 0U);
  EXPECT_NE(result.out.find("\nattention-n16384-d64.ridge\n", first + 1), std::string::npos);
}

TEST(Report, HotSpotsOfKernelsByPartOfTheirNameOrByAnExpression) {
  const auto by_part = run_program({"ridgepoint", "report", recording, "--hotspots", "softmax"});
  ASSERT_EQ(by_part.exit_code, 0) << by_part.err;
  EXPECT_NE(by_part.out.find("Hot spots of naive_softmax"), std::string::npos);
  const auto by_expression =
      run_program({"ridgepoint", "report", recording, "--hotspots", "^(naive_softmax|hopper_)"});
  ASSERT_EQ(by_expression.exit_code, 0) << by_expression.err;
  EXPECT_NE(by_expression.out.find("Hot spots of naive_softmax"), std::string::npos);
  EXPECT_NE(by_expression.out.find("Hot spots of hopper_"), std::string::npos);
  EXPECT_EQ(by_expression.out.find("Hot spots of naive_scores"), std::string::npos);
  const auto broken = run_program({"ridgepoint", "report", recording, "--hotspots", "(softmax"});
  EXPECT_EQ(broken.exit_code, 3) << "no part of a name, and no expression";
  EXPECT_NE(broken.err.find("regular expression"), std::string::npos) << broken.err;
}

// As `check` with a pattern and `profile` with filters that match nothing: no verdict.
TEST(Report, HotSpotsOfNoKernelAreNoVerdictAndNameThoseThereAre) {
  const auto result = run_program({"ridgepoint", "report", recording, "--hotspots", "sofmax"});
  EXPECT_EQ(result.exit_code, 2);
  EXPECT_EQ(result.out, "");
  EXPECT_NE(result.err.find("hint: it has those of naive_scores, naive_softmax"), std::string::npos)
      << result.err;
}

TEST(Report, ReplacesAFileOnlyWithForce) {
  const test::TempDir folder;
  const std::string out = (folder / "r.md").string();
  ASSERT_TRUE(write_file(out, "mine", Overwrite::no));
  const auto refused =
      run_program({"ridgepoint", "report", recording, "-f", "markdown", "-o", out});
  EXPECT_EQ(refused.exit_code, 3);
  EXPECT_EQ(read_file(out, 1 << 20).value(), "mine");
  EXPECT_EQ(run_program({"ridgepoint", "report", recording, "-f", "markdown", "-o", out, "--force"})
                .exit_code,
            0);
  EXPECT_NE(read_file(out, 1 << 20).value(), "mine");
}

TEST(Report, NeverWritesOverTheSessionItReads) {
  const test::TempDir folder;
  const std::string session = (folder / "s.ridge").string();
  std::filesystem::copy_file(recording, session);
  const auto result = run_program({"ridgepoint", "report", session, "-o", session, "--force"});
  EXPECT_EQ(result.exit_code, 3);
  EXPECT_EQ(read_file(session, 1 << 20).value(), read_file(recording, 1 << 20).value());
}

TEST(Report, TakesItsFormatFromTheEndingOfTheOutput) {
  const test::TempDir folder;
  ASSERT_EQ(run_program({"ridgepoint", "report", recording, "-o", (folder / "r.html").string()})
                .exit_code,
            0);
  EXPECT_EQ(read_file(folder / "r.html", 1 << 20).value().rfind("<!", 0), 0U);
  const auto dash =
      run_program({"ridgepoint", "report", recording, "-o", "-"}, folder.path().string());
  EXPECT_NE(dash.out.find("naive"), std::string::npos);
  EXPECT_FALSE(std::filesystem::exists(folder / "-"));
}

TEST(Report, ThatCannotBePutOutIsNoSuccess) {
  const auto result = run_program({"ridgepoint", "report", recording, "-o", "/dev/full"});
  EXPECT_EQ(result.exit_code, 3);
  EXPECT_NE(result.err.find("error: writing /dev/full"), std::string::npos) << result.err;
  const std::string program = std::string(RIDGEPOINT_BIN_DIR) + "/ridgepoint ";
  for (const char* command : {"metrics", "--help", "demo"}) {
    const int status = std::system((program + command + " >/dev/full 2>/dev/null").c_str());
    EXPECT_EQ(WEXITSTATUS(status), 3) << command;
  }
}

TEST(Report, OfSeveralSessionsFollowOneAnother) {
  const auto result = run_program({"ridgepoint", "report", recording, recording});
  EXPECT_EQ(result.exit_code, 0);
  EXPECT_EQ(run_program({"ridgepoint", "report", recording, recording, "-f", "json"}).exit_code, 3);
}

TEST(Report, OfABadFileIsExitCode4AndSaysWhy) {
  const test::TempDir folder;
  const std::string absent = (folder / "absent.ridge").string();
  EXPECT_EQ(run_program({"ridgepoint", "report", absent}).exit_code, 4);
  const std::string torn = (folder / "torn.ridge").string();
  const std::string whole = read_file(recording, 64U << 20U).value();
  ASSERT_TRUE(write_file(torn, whole.substr(0, whole.size() / 2), Overwrite::no));
  const auto result = run_program({"ridgepoint", "report", torn});
  EXPECT_EQ(result.exit_code, 4);
  EXPECT_NE(result.err.find("torn.ridge: it ends after"), std::string::npos) << result.err;
  EXPECT_EQ(result.out, "");
}

TEST(Report, AnotherGoalIsAnotherVerdict) {
  const auto verdict = [](const char* target) {
    const auto result =
        run_program({"ridgepoint", "report", recording, "-f", "json", "--target", target});
    EXPECT_EQ(result.exit_code, 0) << result.err;
    const auto document = nlohmann::json::parse(result.out);
    for (const auto& one : document.at("targets")) {
      if (one.at("id") == "p99_latency" && one.at("variant") == "fused") {
        return one.at("verdict").get<std::string>();
      }
    }
    return std::string("absent");
  };
  EXPECT_EQ(verdict("p99_latency=10"), "met");
  EXPECT_EQ(verdict("p99_latency=1e-9"), "missed");
}

}  // namespace
}  // namespace ridgepoint
