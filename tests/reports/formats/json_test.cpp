#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <nlohmann/json.hpp>
#include <valijson/adapters/nlohmann_json_adapter.hpp>
#include <valijson/schema.hpp>
#include <valijson/schema_parser.hpp>
#include <valijson/validation_results.hpp>
#include <valijson/validator.hpp>

#include "reports/report.h"
#include "tests/support/golden.h"
#include "tests/support/sample_analysis.h"

namespace ridgepoint {
namespace {

using nlohmann::json;
using test_support::sample_analysis;
using test_support::sparse_analysis;

json render(const Analysis& analysis) {
  return json::parse(render_report(analysis, "json").value());
}

// Empty when the document follows data/schemas/, else the first violations.
std::string violations(const json& document) {
  const json schema_json = json::parse(test_support::read_file(
      RIDGEPOINT_SOURCE_DIR "/data/schemas/ridgepoint-analysis-1.0.schema.json"));
  valijson::Schema schema;
  valijson::SchemaParser parser;
  parser.populateSchema(valijson::adapters::NlohmannJsonAdapter(schema_json), schema);
  valijson::Validator validator;
  valijson::ValidationResults results;
  std::string text;
  if (!validator.validate(schema, valijson::adapters::NlohmannJsonAdapter(document), &results)) {
    valijson::ValidationResults::Error error;
    while (results.popError(error)) {
      for (const std::string& step : error.context) {
        text += step;
      }
      text += ": " + error.description + "\n";
    }
    return text.empty() ? "invalid" : text;
  }
  return "";
}

TEST(JsonReport, FollowsItsSchema) {
  EXPECT_EQ(violations(render(sample_analysis())), "");
  EXPECT_EQ(violations(render(sparse_analysis())), "");
  EXPECT_EQ(violations(render(Analysis())), "");
}

TEST(JsonReport, SchemaRefusesWhatItShould) {
  json document = render(sample_analysis());
  json wrong = document;
  wrong["version"] = "2.0";
  EXPECT_NE(violations(wrong), "");
  wrong = document;
  wrong["kernels"][0].erase("hbm_bytes");
  EXPECT_NE(violations(wrong), "");
  wrong = document;
  wrong["kernels"][0]["time_s"] = "1 ms";
  EXPECT_NE(violations(wrong), "");
  wrong = document;
  wrong["kernels"][0]["l2_merged_bytes"] = -1;
  EXPECT_NE(violations(wrong), "");
  wrong = document;
  wrong["device"]["l2_bytes"] = 0;  // unknown is null
  EXPECT_NE(violations(wrong), "");
  wrong = document;
  wrong["targets"][0]["verdict"] = "maybe";
  EXPECT_NE(violations(wrong), "");
}

TEST(JsonReport, HasTheNamesThatScriptsRelyOn) {
  const json report = render(sample_analysis());
  EXPECT_EQ(report.at("schema"), "ridgepoint-analysis");
  EXPECT_EQ(report.at("device").at("compute_capability"), "9.0");
  EXPECT_EQ(report.at("workload").at("seqlen_q"), 8192);
  const json& fused = report.at("variants").at(1);
  EXPECT_EQ(fused.at("name"), "fused");
  EXPECT_DOUBLE_EQ(fused.at("hbm_bytes").at("measured").get<double>(), 0.151e9);
  EXPECT_DOUBLE_EQ(fused.at("hbm_bytes").at("predicted").get<double>(), 0.134e9);
  EXPECT_NEAR(fused.at("speedup_over_first").get<double>(), 4.7557, 1e-4);
  EXPECT_EQ(fused.at("latency_s").at("count"), 200);
  EXPECT_DOUBLE_EQ(fused.at("max_error").get<double>(), 1.7e-4);
  const json& softmax = report.at("kernels").at(1);
  EXPECT_EQ(softmax.at("bound_by"), "hbm");
  EXPECT_DOUBLE_EQ(softmax.at("stalls").at("long_scoreboard").get<double>(), 0.71);
  EXPECT_EQ(softmax.at("occupancy").at("limiter"), "warps");
  EXPECT_EQ(report.at("diagnoses").at(2).at("kernel"), "naive_softmax");
  EXPECT_EQ(report.at("targets").at(1).at("verdict"), "not_applicable");
}

TEST(JsonReport, WritesNullForWhatWasNotMeasured) {
  const json kernel = render(sparse_analysis()).at("kernels").at(0);
  for (const char* name : {"hbm_bytes", "l2_bytes", "smem_bytes", "flops", "bound_by", "stalls",
                           "stall_samples", "memory_stall_ratio", "variant"}) {
    EXPECT_TRUE(kernel.at(name).is_null()) << name;
  }
  EXPECT_TRUE(kernel.at("utilisation").at("hbm").is_null());
  EXPECT_TRUE(render(sparse_analysis()).at("workload").is_null());
}

TEST(JsonReport, WritesNullForTheShapeOfARange) {
  Analysis analysis = sample_analysis();
  EXPECT_TRUE(render(analysis).at("kernels").at(0).at("grid").is_array() ||
              render(analysis).at("kernels").at(0).at("grid").is_object());
  analysis.kernels[0].name = "NVTX range: step";
  EXPECT_TRUE(render(analysis).at("kernels").at(0).at("grid").is_null());
  EXPECT_EQ(violations(render(analysis)), "");
}

TEST(JsonReport, WritesNullForWhatIsUnknownOfTheDevice) {
  Analysis analysis;
  analysis.devices.emplace_back();
  const json report = render(analysis);
  for (const char* name :
       {"name", "chip", "compute_capability", "sm_count", "l2_bytes", "smem_per_sm_bytes",
        "memory_bytes", "sm_clock_max_hz", "memory_clock_max_hz"}) {
    EXPECT_TRUE(report.at("device").at(name).is_null()) << name;
  }
  for (const char* name :
       {"passes", "warmup_runs", "latency_repeats", "pc_sampling_period_cycles"}) {
    EXPECT_TRUE(report.at("policy").at(name).is_null()) << name;
  }
  EXPECT_EQ(violations(report), "");
}

TEST(JsonReport, KeepsAZeroThatIsAFact) {
  Analysis analysis = sample_analysis();
  analysis.policy.warmup_runs = 0;
  EXPECT_EQ(render(analysis).at("policy").at("warmup_runs"), 0);
}

TEST(JsonReport, WritesNullForNanAndInfinity) {
  Analysis analysis = sample_analysis();
  analysis.kernels[0].time_s = std::nan("");
  analysis.kernels[0].headroom = std::numeric_limits<double>::infinity();
  analysis.diagnoses[0].evidence[0].value = std::nan("");
  const json report = render(analysis);
  EXPECT_TRUE(report.at("kernels").at(0).at("time_s").is_null());
  EXPECT_TRUE(report.at("kernels").at(0).at("headroom").is_null());
  EXPECT_TRUE(report.at("diagnoses").at(0).at("evidence").at(0).at("value").is_null());
  EXPECT_EQ(violations(report), "");
}

TEST(JsonReport, KeepsDoublesExactly) {
  Analysis analysis = sample_analysis();
  analysis.kernels[0].time_s = 0.1 + 0.2;
  EXPECT_EQ(render(analysis).at("kernels").at(0).at("time_s").get<double>(), 0.1 + 0.2);
}

}  // namespace
}  // namespace ridgepoint
