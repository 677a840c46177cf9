#include "reports/presenters/leading_part.h"

#include <gmock/gmock.h>

#include "tests/support/sample_analysis.h"

namespace ridgepoint {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

TEST(LeadingPart, OfASmallAnalysisIsTheWhole) {
  const LeadingPart part = leading_part(test_support::sample_analysis());
  EXPECT_EQ(part.analysis.kernels.size(), 4U);
  EXPECT_TRUE(part.other_kernels.empty());
  EXPECT_EQ(left_out_text(part), "");
}

TEST(LeadingPart, KeepsTheLongestKernelsInTheirOrderWithIndicesThatFit) {
  const Analysis whole = test_support::sample_analysis();
  LeadingLimits limits;
  limits.kernels = 2;
  const LeadingPart part = leading_part(whole, limits);
  ASSERT_EQ(part.analysis.kernels.size(), 2U);
  EXPECT_EQ(part.other_kernels.size(), 2U);
  double others = 0;
  for (const std::size_t kernel : part.other_kernels) {
    others += *whole.kernels[kernel].time_share;
    for (const KernelAnalysis& kept : part.analysis.kernels) {
      EXPECT_GE(*kept.time_s, *whole.kernels[kernel].time_s);
    }
  }
  EXPECT_DOUBLE_EQ(*part.other_time_share, others);
  EXPECT_THAT(left_out_text(part), HasSubstr("2 further kernels, together "));
  for (const VariantAnalysis& variant : part.analysis.variants) {
    for (const std::size_t kernel : variant.kernels) {
      EXPECT_EQ(part.analysis.kernels.at(kernel).variant, variant.name);
    }
  }
}

TEST(LeadingPart, LeavesADiagnosisOfAKernelNotShownItsName) {
  Analysis whole = test_support::sample_analysis();
  whole.kernels[0].time_s = 0;
  whole.diagnoses.resize(1);
  whole.diagnoses[0].kernel = 0;
  LeadingLimits limits;
  limits.kernels = 3;
  const LeadingPart part = leading_part(whole, limits);
  EXPECT_FALSE(part.analysis.diagnoses[0].kernel);
  EXPECT_THAT(part.analysis.diagnoses[0].title, HasSubstr(whole.kernels[0].short_name));
}

TEST(LeadingPart, CountsTheDiagnosesAndIssuesLeftOut) {
  Analysis whole = test_support::sample_analysis();
  whole.issues.resize(7);
  LeadingLimits limits;
  limits.issues = 3;
  limits.diagnoses = 1;
  const LeadingPart part = leading_part(whole, limits);
  EXPECT_EQ(part.other_issues, 4U);
  EXPECT_EQ(part.other_diagnoses, whole.diagnoses.size() - 1);
}

}  // namespace
}  // namespace ridgepoint
