// What was watched over time, in the formats that carry it.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "reports/report.h"
#include "tests/support/sample_analysis.h"
#include "tests/support/schema.h"

namespace ridgepoint {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

constexpr double nothing = std::numeric_limits<double>::quiet_NaN();

Analysis watched() {
  Analysis analysis = test_support::sample_analysis();
  PowerTrace power;
  power.time_s = {0, 0.5};
  power.power_w = {250, nothing};
  power.sm_clock_hz = {1.98e9, 1.5e9};
  power.memory_clock_hz = {3.2e9, 3.2e9};
  power.temperature_c = {nothing, nothing};
  PowerPhaseTrace phase;
  phase.name = "energy";
  phase.variant = "fused";
  phase.duration_s = 0.5;
  phase.runs = 3;
  phase.power_w = 250;
  power.phases = {phase};
  analysis.power = {power};
  PmTrace trace;
  trace.variant = "fused";
  trace.interval_s = 1e-5;
  trace.duration_s = 2e-5;
  trace.time_s = {0.5e-5, 1.5e-5};
  trace.channels = {{"hbm_read_share", "share", "bytes read", {0.25, nothing}}};
  analysis.pm_traces = {trace};
  analysis.variants.back().power_w = 250;
  analysis.variants.back().energy_j = 0.125;
  analysis.variants.back().tokens_per_j = 32768;
  return analysis;
}

TEST(Traces, JsonHasTheSeriesAndNullWhereNothingWasMeasured) {
  const auto json = nlohmann::json::parse(render_report(watched(), "json").value());
  EXPECT_EQ(test_support::schema_violations(json, "ridgepoint-analysis-1.0.schema.json"), "");
  const auto& power = json["power"][0];
  EXPECT_EQ(power["time_s"].size(), 2U);
  EXPECT_EQ(power["power_w"][0], 250);
  EXPECT_TRUE(power["power_w"][1].is_null());
  EXPECT_EQ(power["phases"][0]["variant"], "fused");
  EXPECT_TRUE(power["phases"][0]["energy_j"].is_null());
  const auto& channel = json["pm_sampling"][0]["channels"][0];
  EXPECT_EQ(channel["id"], "hbm_read_share");
  EXPECT_EQ(channel["values"][0], 0.25);
  EXPECT_TRUE(channel["values"][1].is_null());
  const auto& variant = json["variants"].back();
  EXPECT_EQ(variant["energy_j"], 0.125);
  EXPECT_EQ(variant["tokens_per_j"], 32768);
  EXPECT_TRUE(json["variants"][0]["energy_j"].is_null());
}

TEST(Traces, NothingWatchedIsAnEmptyList) {
  const auto json =
      nlohmann::json::parse(render_report(test_support::sample_analysis(), "json").value());
  EXPECT_TRUE(json["power"].is_array() && json["power"].empty());
  EXPECT_TRUE(json["pm_sampling"].is_array() && json["pm_sampling"].empty());
}

TEST(Traces, CsvHasARowASample) {
  ReportOptions options;
  options.csv_layout = CsvLayout::series;
  const std::string csv = render_report(watched(), "csv", options).value();
  EXPECT_THAT(csv, HasSubstr("series,device,variant,time_s,quantity,value,unit,kernel,launch\r\n"));
  EXPECT_THAT(csv, HasSubstr("power,0,,0,power_w,250,W,,\r\n"));
  EXPECT_THAT(csv, HasSubstr("power,0,,0.5,sm_clock_hz,1500000000,Hz,,\r\n"));
  EXPECT_THAT(csv, HasSubstr("pm_sampling,,fused,5e-06,hbm_read_share,0.25,share,,\r\n"));
  EXPECT_EQ(std::count(csv.begin(), csv.end(), '\n'), 7) << "what was not measured has no row";
}

TEST(Traces, LongCsvHasThemBesideEverythingElse) {
  ReportOptions options;
  options.csv_layout = CsvLayout::long_rows;
  const std::string csv = render_report(watched(), "csv", options).value();
  EXPECT_THAT(csv, HasSubstr("\r\n,,,power_w,250,W,,0,0\r\n"));
  EXPECT_THAT(csv, HasSubstr("\r\n,,,sm_clock_hz,1500000000,Hz,,0,0.5\r\n"));
  EXPECT_THAT(csv, HasSubstr("\r\n,fused,,hbm_read_share,0.25,share,,,5e-06\r\n"));
  EXPECT_THAT(csv, HasSubstr("\r\n,fused,predicted,energy_j,0.125,J,,,\r\n"));
}

TEST(Traces, OfALaunchNameItsKernelInEveryLayout) {
  Analysis analysis = watched();
  analysis.pm_traces[0].variant.clear();
  analysis.pm_traces[0].kernel = "gemm";
  analysis.pm_traces[0].nth = 3;
  ReportOptions options;
  options.csv_layout = CsvLayout::long_rows;
  EXPECT_THAT(render_report(analysis, "csv", options).value(),
              HasSubstr("\r\ngemm,,nth 3,hbm_read_share,0.25,share,,0,5e-06\r\n"));
  options.csv_layout = CsvLayout::series;
  EXPECT_THAT(render_report(analysis, "csv", options).value(),
              HasSubstr("pm_sampling,0,,5e-06,hbm_read_share,0.25,share,gemm,3\r\n"));
  EXPECT_THAT(render_report(analysis, "text").value(), HasSubstr("Launch 3 of gemm over time"));
}

TEST(Traces, SaysWhichSamplesTheChartAndTheTableStandFor) {
  const std::string text = render_report(watched(), "text").value();
  EXPECT_THAT(text, HasSubstr("Every sample of the run, idle or not"));
}

TEST(Traces, TextMarkdownAndHtmlShowThem) {
  const std::string text = render_report(watched(), "text").value();
  EXPECT_THAT(text, HasSubstr("Power and clocks over the run"));
  EXPECT_THAT(text, HasSubstr("One launch of fused_attention over time, the whole of fused"));
  EXPECT_THAT(text, HasSubstr("Tokens a joule"));
  const std::string html = render_report(watched(), "html").value();
  EXPECT_THAT(html, HasSubstr("<svg class=\"trace\""));
  EXPECT_THAT(html, HasSubstr("energy of fused"));
  EXPECT_THAT(render_report(watched(), "markdown").value(), HasSubstr("energy of fused"));
  const std::string plain = render_report(test_support::sample_analysis(), "html").value();
  EXPECT_THAT(plain, Not(HasSubstr("Over time")));
}

TEST(Traces, OpenMetricsHasTheEnergyOfAVariant) {
  const std::string metrics = render_report(watched(), "openmetrics").value();
  EXPECT_THAT(metrics, HasSubstr("ridgepoint_variant_energy_joules{variant=\"fused\"} 0.125"));
  EXPECT_THAT(metrics, HasSubstr("ridgepoint_variant_power_watts{variant=\"fused\"} 250"));
  EXPECT_THAT(metrics, HasSubstr("ridgepoint_variant_tokens_per_joule{variant=\"fused\"} 32768"));
}

}  // namespace
}  // namespace ridgepoint
