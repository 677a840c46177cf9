// Kernel names, ranges and file contents come from outside. Whatever they hold, no format lets them
// become markup, escape sequences, formulas or further lines.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "reports/report.h"
#include "tests/support/sample_analysis.h"

namespace ridgepoint {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

constexpr const char* hostile =
    "<script>alert(1)</script>\"' onload=x | `code` [a](javascript:b) {{{css}}} {{headline}}\n"
    "# heading\x1b[31mred\x1b]0;title\x07\xff\xc2\x9b=1+1";

// The text in every place that comes from outside.
Analysis hostile_analysis() {
  Analysis analysis = test_support::sample_analysis();
  for (KernelAnalysis& kernel : analysis.kernels) {
    kernel.name = kernel.short_name = kernel.variant = kernel.role = hostile;
    kernel.occupancy.limiter = kernel.flop.precision = hostile;
    kernel.stalls = {{hostile, 0.5, true}};
    kernel.quantities = {{hostile, 1.0}};
  }
  for (VariantAnalysis& variant : analysis.variants) {
    variant.name = variant.description = hostile;
    variant.correctness->method = hostile;
    for (const MemoryLevel level : memory_levels) {
      variant.traffic[level].formula = hostile;
    }
  }
  for (Diagnosis& d : analysis.diagnoses) {
    d.id = d.title = d.explanation = d.variant = d.action = d.gain_formula = hostile;
    d.not_applicable_when = hostile;
    d.evidence = {{hostile, 1, hostile, 2.0}};
  }
  for (TargetResult& target : analysis.targets) {
    target.id = target.label = target.variant = target.unit = target.why = hostile;
  }
  for (Ceiling& ceiling : analysis.ceilings) {
    ceiling.id = ceiling.label = ceiling.source = hostile;
  }
  analysis.issues = {{hostile, hostile}};
  analysis.producer = {hostile, hostile, hostile, hostile, hostile};
  DeviceInfo& device = analysis.devices[0];
  device.name = device.chip = device.driver_version = device.runtime_version = hostile;
  analysis.attention->dtype = analysis.attention->direction = hostile;
  Policy& policy = analysis.policy;
  policy.counter_profile = policy.replay_mode = policy.cache_control = hostile;
  policy.clock_control = hostile;
  policy.filters = {hostile};
  return analysis;
}

std::string render(const char* format, const Analysis& analysis) {
  ReportOptions options;
  options.all_diagnoses = true;
  return render_report(analysis, format, options).value();
}

class HostileTexts : public ::testing::TestWithParam<const char*> {};

TEST_P(HostileTexts, SendNothingToTheTerminal) {
  const std::string text = render(GetParam(), hostile_analysis());
  EXPECT_THAT(text, Not(HasSubstr("\x1b")));
  EXPECT_THAT(text, Not(HasSubstr("\x07")));
  EXPECT_THAT(text, Not(HasSubstr("\xc2\x9b")));
  EXPECT_THAT(text, Not(HasSubstr("\xff")));
}

TEST_P(HostileTexts, StartNoLineOfTheirOwn) {
  EXPECT_THAT(render(GetParam(), hostile_analysis()), Not(HasSubstr("\n# heading")));
}

INSTANTIATE_TEST_SUITE_P(AllFormats, HostileTexts,
                         ::testing::Values("text", "markdown", "html", "csv", "svg",
                                           "openmetrics"));

TEST(HostileTexts, BecomeNoElementOfThePage) {
  for (const char* format : {"html", "svg"}) {
    const std::string page = render(format, hostile_analysis());
    EXPECT_THAT(page, Not(HasSubstr("<script>alert"))) << format;
    EXPECT_THAT(page, Not(HasSubstr("\"' onload"))) << format;
    EXPECT_THAT(page, HasSubstr("&lt;script&gt;alert(1)&lt;/script&gt;")) << format;
  }
}

TEST(HostileTexts, AreNotExpandedAsATemplate) {
  EXPECT_THAT(render("html", hostile_analysis()), HasSubstr("{{{css}}} {{headline}}"));
}

TEST(HostileTexts, BecomeNoCellLinkOrHtmlInMarkdown) {
  const std::string text = render("markdown", hostile_analysis());
  EXPECT_THAT(text, Not(HasSubstr("<script>")));
  EXPECT_THAT(text, Not(HasSubstr(" | `code`")));
  EXPECT_THAT(text, Not(HasSubstr("[a](javascript:")));
}

TEST(HostileTexts, KeepTheCellsOfAMarkdownTableTogether) {
  Analysis analysis = test_support::sample_analysis();
  analysis.kernels[0].short_name = "a|b";
  EXPECT_THAT(render("markdown", analysis), HasSubstr("| a\\|b | naive |"));
}

TEST(HostileTexts, StayTheirOwnFieldInCsv) {
  Analysis analysis = test_support::sample_analysis();
  analysis.kernels[0].short_name = "=cmd|' /C calc'!A0,\"x\"\n";
  EXPECT_THAT(render("csv", analysis), HasSubstr("\n\"'=cmd|' /C calc'!A0,\"\"x\"\"?\",naive,"));
}

TEST(HostileTexts, SurviveAJsonRoundTrip) {
  const auto json = nlohmann::json::parse(render("json", hostile_analysis()));
  const std::string name = json.at("kernels").at(0).at("short_name");
  EXPECT_THAT(name, HasSubstr("<script>alert(1)</script>\"' onload"));
  EXPECT_THAT(name, HasSubstr("\n# heading"));
}

}  // namespace
}  // namespace ridgepoint
