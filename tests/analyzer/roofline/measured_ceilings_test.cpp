#include "analyzer/roofline/measured_ceilings.h"

#include <gmock/gmock.h>

#include "analyzer/analysis/analyse.h"
#include "tests/support/sample_session.h"

namespace ridgepoint {
namespace {

using ::testing::HasSubstr;

// The invented session's device (132 SMs, at most 1.98 GHz), with these measurements.
Analysis analysis_with(std::vector<MeasuredCeiling> measured) {
  Session session = testing::sample_session();
  session.devices[0].measured_ceilings = std::move(measured);
  return analyse(session).value();
}

MeasuredCeiling measured(const std::string& name, double value, double sm_clock_hz = 1.5e9) {
  return {name, value, 0.001 * value, sm_clock_hz, std::nullopt};
}

TEST(MeasuredCeilings, TheFastestWayIsTheRoofAndAllAreListed) {
  const Analysis analysis =
      analysis_with({measured("tensor_fp16.mma_sync", 400e12),
                     measured("tensor_fp16.wgmma", 700e12), measured("hbm.read", 4.4e12)});
  EXPECT_EQ(analysis.ceiling("tensor_fp16")->measured, 700e12);
  EXPECT_EQ(analysis.ceiling("hbm")->measured, 4.4e12);
  const auto all = ceiling_measurements(analysis);
  ASSERT_EQ(all.size(), 3U);
  EXPECT_EQ(ceiling_method(*all[0].measured), "read");
  EXPECT_EQ(ceiling_method(*all[1].measured), "wgmma");
  EXPECT_EQ(ceiling_method(*all[2].measured), "mma_sync");
}

TEST(MeasuredCeilings, ANameWithoutAWayIsStillTheCeiling) {
  const Analysis analysis = analysis_with({measured("hbm", 4.4e12)});
  EXPECT_EQ(analysis.ceiling("hbm")->measured, 4.4e12);
  EXPECT_EQ(ceiling_method(*ceiling_measurements(analysis).at(0).measured), "");
}

TEST(MeasuredCeilings, TheoryStandsAtTheClockOfTheMeasurement) {
  const Analysis analysis =
      analysis_with({measured("tensor_fp16.wgmma", 700e12), measured("smem.read", 20e12),
                     measured("hbm.read", 4.4e12)});
  const auto all = ceiling_measurements(analysis);
  EXPECT_DOUBLE_EQ(*all[0].theoretical, *analysis.ceiling("hbm")->theoretical)
      << "memory has its own clock";
  EXPECT_NEAR(*all[1].theoretical, 128 * 132 * 1.5e9, 1);
  EXPECT_NEAR(*all[2].theoretical, 4096 * 132 * 1.5e9, 1);
}

TEST(MeasuredCeilings, MoreThanTwoPercentAboveTheoryIsAnIssue) {
  const double theory = 4096 * 132 * 1.5e9;
  EXPECT_TRUE(
      implausible_ceilings(analysis_with({measured("tensor_fp16.wgmma", 1.019 * theory)})).empty());
  const Analysis wrong = analysis_with({measured("tensor_fp16.wgmma", 1.03 * theory)});
  const auto issues = implausible_ceilings(wrong);
  ASSERT_EQ(issues.size(), 1U);
  EXPECT_EQ(issues[0].code, "ceilings.above_theory");
  EXPECT_THAT(issues[0].text, HasSubstr("tensor_fp16.wgmma was measured at 103.0 %"));
  EXPECT_TRUE(std::any_of(wrong.issues.begin(), wrong.issues.end(), [](const Issue& issue) {
    return issue.code == "ceilings.above_theory";
  })) << "every report says so";
}

}  // namespace
}  // namespace ridgepoint
