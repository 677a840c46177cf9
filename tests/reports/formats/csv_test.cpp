#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "reports/report.h"
#include "tests/support/sample_analysis.h"

namespace ridgepoint {
namespace {

std::vector<std::string> lines_of(const std::string& csv) {
  std::vector<std::string> lines;
  for (std::size_t at = 0; at < csv.size();) {
    const std::size_t end = csv.find("\r\n", at);
    lines.push_back(csv.substr(at, end - at));
    at = end + 2;
  }
  return lines;
}

TEST(CsvReport, HasARowAKernelInSiUnits) {
  const auto lines = lines_of(render_report(test_support::sample_analysis(), "csv").value());
  ASSERT_EQ(lines.size(), 5U);
  EXPECT_THAT(lines[0], ::testing::StartsWith("kernel,variant,launches,time_s,"));
  EXPECT_THAT(lines[2], ::testing::StartsWith("naive_softmax,naive,1,0.00114,"));
}

TEST(CsvReport, LeavesFieldsEmptyThatWereNotMeasured) {
  const auto lines = lines_of(render_report(test_support::sparse_analysis(), "csv").value());
  EXPECT_THAT(lines.at(1), ::testing::StartsWith("copy_kernel,,12,0.00031,1,,,"));
  EXPECT_EQ(std::count(lines[0].begin(), lines[0].end(), ','),
            std::count(lines[1].begin(), lines[1].end(), ','));
}

}  // namespace
}  // namespace ridgepoint
