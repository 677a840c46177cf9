// Read by the rules of the OpenMetrics text format 1.0.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <map>
#include <regex>
#include <set>
#include <sstream>

#include "reports/report.h"
#include "tests/support/recordings.h"
#include "tests/support/sample_analysis.h"

namespace ridgepoint {
namespace {

using ::testing::HasSubstr;

struct Exposition {
  std::map<std::string, std::string> units;
  std::map<std::string, double> samples;  // by name and labels as written
};

// Fails the test at what a scraper would refuse.
Exposition parse(const std::string& text) {
  static const std::regex sample(
      R"re(([a-zA-Z_:][a-zA-Z0-9_:]*)(\{(?:[a-z_]+="(?:[^"\\\n]|\\.)*",?)*\})? (\S+))re");
  Exposition found;
  std::set<std::string> families;
  std::string current;
  bool ended = false;
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);) {
    EXPECT_FALSE(ended) << "after EOF: " << line;
    std::istringstream words(line);
    std::string hash, keyword, name, rest;
    if (line == "# EOF") {
      ended = true;
    } else if (line.rfind("# TYPE ", 0) == 0) {
      words >> hash >> keyword >> current >> rest;
      EXPECT_EQ(rest, "gauge");
      EXPECT_TRUE(families.insert(current).second) << current << " comes in two places";
    } else if (line.rfind("# UNIT ", 0) == 0) {
      words >> hash >> keyword >> name >> rest;
      EXPECT_EQ(name, current);
      EXPECT_TRUE(name.ends_with("_" + rest)) << line;
      found.units[name] = rest;
    } else if (line.rfind("# HELP ", 0) == 0) {
      words >> hash >> keyword >> name;
      EXPECT_EQ(name, current);
    } else {
      std::smatch match;
      EXPECT_TRUE(std::regex_match(line, match, sample)) << line;
      EXPECT_EQ(match[1], current) << line;
      const bool fresh =
          found.samples.emplace(match[1].str() + match[2].str(), std::stod(match[3])).second;
      EXPECT_TRUE(fresh) << "twice: " << line;
    }
  }
  EXPECT_TRUE(ended);
  return found;
}

TEST(OpenMetrics, GivesTheNumbersOfARecordingWithTheirUnits) {
  const Analysis analysis = test_support::analysed(test_support::recording());
  const Exposition found = parse(render_report(analysis, "openmetrics").value());
  const KernelAnalysis& kernel = analysis.kernels[1];
  const std::string labels = "{kernel=\"" + kernel.short_name + "\",variant=\"naive\"}";
  EXPECT_EQ(found.samples.at("ridgepoint_kernel_time_seconds" + labels), *kernel.time_s);
  EXPECT_EQ(found.samples.at("ridgepoint_kernel_hbm_bytes" + labels),
            *kernel.traffic[MemoryLevel::hbm].total);
  EXPECT_EQ(found.samples.at("ridgepoint_kernel_hbm_utilisation_ratio" + labels),
            *kernel.utilisation[MemoryLevel::hbm]);
  EXPECT_EQ(found.units.at("ridgepoint_kernel_sm_clock_hertz"), "hertz");
  EXPECT_EQ(found.samples.at("ridgepoint_variant_tokens_per_second{variant=\"fused\"}"),
            *analysis.variants[1].tokens_per_s);
}

TEST(OpenMetrics, GivesTrafficByNvtxRangeAndOfTheWholeRun) {
  const Analysis analysis = test_support::analysed(test_support::recording());
  const Exposition found = parse(render_report(analysis, "openmetrics").value());
  const RangeAnalysis& range = analysis.ranges.at(0);
  EXPECT_EQ(found.samples.at("ridgepoint_range_hbm_read_bytes{range=\"" + range.path + "\"}"),
            *range.traffic[MemoryLevel::hbm].read);
  EXPECT_EQ(found.samples.at("ridgepoint_range_l2_bytes{range=\"(whole run)\"}"),
            *analysis.run->traffic[MemoryLevel::l2].total);
}

TEST(OpenMetrics, HasNoSampleForWhatWasNotMeasured) {
  const std::string text = render_report(test_support::sparse_analysis(), "openmetrics").value();
  parse(text);
  EXPECT_THAT(text, ::testing::Not(HasSubstr("ridgepoint_kernel_flop_per_second")));
  EXPECT_THAT(text, ::testing::Not(HasSubstr("nan")));
}

TEST(OpenMetrics, EscapesLabelsAndKeepsEqualNamesApart) {
  Analysis analysis = test_support::sample_analysis();
  for (KernelAnalysis& kernel : analysis.kernels) {
    kernel.short_name = "a\"b\\c\nd";
    kernel.variant = "naive";
    kernel.stalls = {{"wait", 0.5, false}, {"wait", 0.25, false}};
  }
  const Exposition found = parse(render_report(analysis, "openmetrics").value());
  EXPECT_EQ(
      found.samples.count("ridgepoint_kernel_launches{kernel=\"a\\\"b\\\\c?d\",variant=\"naive\"}"),
      1U);
  EXPECT_EQ(found.samples.count("ridgepoint_kernel_launches{kernel=\"a\\\"b\\\\c?d "
                                "(2)\",variant=\"naive\"}"),
            1U);
}

}  // namespace
}  // namespace ridgepoint
