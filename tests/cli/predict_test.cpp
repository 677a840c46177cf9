// A prediction is labelled one in every format, and bad requests say what is wrong.
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <iterator>
#include <nlohmann/json.hpp>

#include "tests/support/program.h"
#include "tests/support/temp_dir.h"

namespace ridgepoint {
namespace {

using test::run_program;

TEST(Predict, EveryFormatSaysThatNothingWasMeasured) {
  for (const char* format : {"text", "markdown", "html"}) {
    const auto result = run_program({"ridgepoint", "predict", "--gpu", "H100", "-f", format});
    ASSERT_EQ(result.exit_code, 0) << result.err;
    EXPECT_NE(result.out.find("nothing was measured"), std::string::npos) << format;
    EXPECT_NE(result.out.find("Least time"), std::string::npos) << format;
    EXPECT_EQ(result.out.find("How it was measured"), std::string::npos) << format;
  }
}

TEST(Predict, JsonHasPredictedBytesAndNullForMeasuredOnes) {
  const auto result = run_program({"ridgepoint", "predict", "--gpu", "a100", "--seqlen", "4096",
                                   "--price-per-hour", "2.5", "-f", "json"});
  ASSERT_EQ(result.exit_code, 0) << result.err;
  const nlohmann::json report = nlohmann::json::parse(result.out);
  EXPECT_EQ(report["source"], "predicted");
  ASSERT_EQ(report["variants"].size(), 2U);
  for (const auto& variant : report["variants"]) {
    for (const char* level : {"hbm_bytes", "l2_bytes", "smem_bytes"}) {
      EXPECT_TRUE(variant[level]["measured"].is_null()) << level;
      EXPECT_GT(variant[level]["predicted"].get<double>(), 0) << level;
    }
    EXPECT_TRUE(variant["latency_s"].is_null());
    EXPECT_GT(variant["cost_per_million_tokens"].get<double>(), 0);
  }
  EXPECT_FALSE(report["tile_options"].empty());
}

TEST(Predict, AnOutputGetsTheFormatOfItsEndingAndIsNeverReplacedUnasked) {
  const test::TempDir folder;
  const std::string at = folder.path().string();
  const std::vector<std::string> command = {"ridgepoint", "predict", "--gpu",
                                            "H100",       "-o",      "p.json"};
  const auto first = run_program(command, at);
  ASSERT_EQ(first.exit_code, 0) << first.err;
  EXPECT_EQ(first.out, "");
  std::ifstream file(folder / "p.json");
  EXPECT_EQ(nlohmann::json::parse(file)["source"], "predicted");

  const auto again = run_program(command, at);
  EXPECT_EQ(again.exit_code, 3);
  EXPECT_NE(again.err.find("p.json"), std::string::npos) << again.err;
  std::vector<std::string> forced = command;
  forced.emplace_back("--force");
  EXPECT_EQ(run_program(forced, at).exit_code, 0);

  const auto no_format =
      run_program({"ridgepoint", "predict", "--gpu", "H100", "-o", "p.what"}, at);
  EXPECT_EQ(no_format.exit_code, 3);
  EXPECT_FALSE(std::filesystem::exists(folder / "p.what"));
  const auto twice =
      run_program({"ridgepoint", "predict", "--gpu", "H100", "-o", "q.md", "--report", "q.md"}, at);
  EXPECT_EQ(twice.exit_code, 3) << twice.err;
}

TEST(Predict, DecodeSaysInHowManyPartsToShareOutTheKeys) {
  const std::vector<std::string> decode = {
      "ridgepoint", "predict", "--gpu", "H200",       "--heads", "32",         "--kv-heads",
      "8",          "-d",      "128",   "--seqlen-q", "1",       "--seqlen-k", "65536"};
  const auto text = run_program(decode);
  ASSERT_EQ(text.exit_code, 0) << text.err;
  EXPECT_NE(text.out.find("Parts that the keys of a query tile"), std::string::npos) << text.out;
  std::vector<std::string> as_json = decode;
  as_json.insert(as_json.end(), {"-f", "json"});
  const auto result = run_program(as_json);
  ASSERT_EQ(result.exit_code, 0) << result.err;
  const nlohmann::json report = nlohmann::json::parse(result.out);
  EXPECT_EQ(report["variants"].back()["name"], "split_kv");
  EXPECT_GT(report["variants"].back()["smem_bytes"]["predicted"].get<double>(), 256 << 20);
  for (const auto& option : report["split_options"]) {
    EXPECT_EQ(option["best"], option["splits"] == 16) << option;
  }
}

TEST(Predict, BackwardSaysWhatKeepingPCostsInMemoryAndWhatComputingItAgainCosts) {
  const auto result =
      run_program({"ridgepoint", "predict", "--gpu", "H200", "--direction", "backward", "--batch",
                   "4", "--heads", "16", "--seqlen", "4096", "--head-dim", "128"});
  ASSERT_EQ(result.exit_code, 0) << result.err;
  // P, dP and dS of 64 heads; -LSE, D and dQ in FP32.
  EXPECT_NE(result.out.find("naive 6.44 GB (2.15 GB kept from the forward pass)"),
            std::string::npos)
      << result.out;
  EXPECT_NE(result.out.find("fused 136 MB"), std::string::npos) << result.out;
  EXPECT_NE(result.out.find("fused 1.25x"), std::string::npos) << result.out;
  EXPECT_NE(result.out.find("hopper_deterministic"), std::string::npos) << result.out;
}

TEST(Predict, BackwardOfAHeadDimensionThatIsNotBuiltIsBadUsage) {
  const auto result = run_program(
      {"ridgepoint", "predict", "--gpu", "H200", "--direction", "backward", "--head-dim", "256"});
  EXPECT_EQ(result.exit_code, 3);
  EXPECT_NE(result.err.find("built for head_dim 64 and 128"), std::string::npos) << result.err;
}

TEST(Predict, DrawsTheFigureThatWasAskedForAndOnlyWhereAReportIsAnSvg) {
  const auto drawn =
      run_program({"ridgepoint", "predict", "--gpu", "H100", "-f", "svg", "--figure", "split"});
  ASSERT_EQ(drawn.exit_code, 0) << drawn.err;
  EXPECT_NE(drawn.out.find("<title>What moves"), std::string::npos);
  const auto nowhere = run_program({"ridgepoint", "predict", "--gpu", "H100", "--figure", "split"});
  EXPECT_EQ(nowhere.exit_code, 3);
  EXPECT_NE(nowhere.err.find("no report is an SVG"), std::string::npos) << nowhere.err;
}

TEST(Predict, AnExtentOfZeroNamesItsOption) {
  const auto result = run_program({"ridgepoint", "predict", "--gpu", "H100", "--heads", "0"});
  EXPECT_EQ(result.exit_code, 3);
  EXPECT_NE(result.err.find("--heads 0"), std::string::npos) << result.err;
  EXPECT_NE(result.err.find("hint: "), std::string::npos) << result.err;
}

TEST(Predict, WhereNoVariantCanRunEachSaysWhy) {
  const auto result = run_program({"ridgepoint", "predict", "--gpu", "H100", "--head-dim", "512"});
  EXPECT_EQ(result.exit_code, 3);
  for (const char* variant : {"naive: ", "fused: ", "hopper: "}) {
    EXPECT_NE(result.err.find(variant), std::string::npos) << result.err;
  }
}

TEST(Predict, AGpuThatHoldsNoBlockIsToldByWhatItLacks) {
  test::TempDir folder;
  const std::string path = (folder / "small.json").string();
  std::ifstream in(std::string(RIDGEPOINT_SOURCE_DIR) + "/data/gpus/h200.json");
  std::string text((std::istreambuf_iterator<char>(in)), std::istreambuf_iterator<char>());
  const std::string registers = "\"registers_per_sm\": 65536";
  text.replace(text.find(registers), registers.size(), "\"registers_per_sm\": 1024");
  std::ofstream(path) << text;
  const auto result = run_program({"ridgepoint", "predict", "--gpu", path});
  EXPECT_EQ(result.exit_code, 5);
  EXPECT_NE(result.err.find("more than its registers"), std::string::npos) << result.err;
}

TEST(Predict, AnUnknownGpuIsBadUsageAndListsTheKnown) {
  const auto result = run_program({"ridgepoint", "predict", "--gpu", "H300"});
  EXPECT_EQ(result.exit_code, 3);
  EXPECT_NE(result.err.find("RTX4090"), std::string::npos) << result.err;
}

TEST(Predict, AVariantThatTheGpuCannotRunIsBadUsage) {
  const auto result =
      run_program({"ridgepoint", "predict", "--gpu", "A100", "--variant", "hopper"});
  EXPECT_EQ(result.exit_code, 3);
  EXPECT_NE(result.err.find("compute capability 9.0"), std::string::npos) << result.err;
}

TEST(Predict, ADescriptionThatIsNotOneIsExitCode4) {
  const auto result = run_program({"ridgepoint", "predict", "--gpu", "/dev/null.json"});
  EXPECT_EQ(result.exit_code, 4);
}

TEST(Predict, SaysWhenTheTensorsDoNotFitTheGpu) {
  // Q, K, V and O of 128 heads of 65,536 x 128 in 16 bits: 8.6 GB, 32 times that for a batch of 32.
  const std::vector<std::string> problem = {"ridgepoint", "predict", "--gpu",     "H200",
                                            "--heads",    "128",     "-n",        "65536",
                                            "-d",         "128",     "--variant", "fused"};
  const auto fits = run_program(problem);
  EXPECT_EQ(fits.out.find("out_of_memory"), std::string::npos) << fits.out;
  std::vector<std::string> large = problem;
  large.insert(large.end(), {"--batch", "32"});
  const auto too_large = run_program(large);
  EXPECT_EQ(too_large.exit_code, 0) << too_large.err;
  EXPECT_NE(too_large.out.find("inputs and outputs alone take 276"), std::string::npos)
      << too_large.out;
}

TEST(Predict, RefusesAProblemThatNoGpuCanAddress) {
  const auto result = run_program(
      {"ridgepoint", "predict", "--gpu", "H200", "--batch", "1073741824", "--heads", "1073741824"});
  EXPECT_EQ(result.exit_code, 3);
  EXPECT_NE(result.err.find("a GPU can address"), std::string::npos) << result.err;
}

TEST(Predict, RefusesAReportThatItCouldNotWriteBeforeItPrintsAny) {
  const test::TempDir folder;
  const auto result = run_program(
      {"ridgepoint", "predict", "--gpu", "H200", "--report", (folder / "p.trace.json").string()});
  EXPECT_EQ(result.exit_code, 3);
  EXPECT_EQ(result.out, "");
}

TEST(Predict, WritesReportsAndReplacesNoneUnasked) {
  const test::TempDir folder;
  const std::string out = (folder / "p.html").string();
  EXPECT_EQ(run_program({"ridgepoint", "predict", "--gpu", "L40S", "--report", out}).exit_code, 0);
  EXPECT_GT(std::filesystem::file_size(out), 10000U);
  EXPECT_EQ(run_program({"ridgepoint", "predict", "--gpu", "L40S", "--report", out}).exit_code, 3);
}

}  // namespace
}  // namespace ridgepoint
