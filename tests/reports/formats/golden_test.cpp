// The whole output of each format, as somebody last found it right.
#include <gtest/gtest.h>

#include "reports/report.h"
#include "tests/support/golden.h"
#include "tests/support/sample_analysis.h"

namespace ridgepoint {
namespace {

using test_support::expect_golden;
using test_support::sample_analysis;
using test_support::sparse_analysis;

TEST(Golden, EveryFormatOfAnAttentionRun) {
  for (const ReportFormat& format : report_formats()) {
    if (format.needs_session || format.save != nullptr) {
      continue;  // read by tests of their own
    }
    expect_golden("attention" + std::string(format.extension),
                  render_report(sample_analysis(), format.name).value());
  }
}

TEST(Golden, TextOfAProfileWithoutCounters) {
  expect_golden("profile.txt", render_report(sparse_analysis(), "text").value());
}

TEST(Golden, ColouredTextOnANarrowTerminal) {
  ReportOptions options;
  options.colour = true;
  options.width = 60;
  expect_golden("attention-narrow.txt", render_report(sample_analysis(), "text", options).value());
}

}  // namespace
}  // namespace ridgepoint
