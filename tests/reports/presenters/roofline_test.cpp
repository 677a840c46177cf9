#include "reports/presenters/roofline.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "tests/support/sample_analysis.h"

namespace ridgepoint {
namespace {

using test_support::sample_analysis;
using test_support::sparse_analysis;

const RooflineRoof* find_roof(const Roofline& chart, const std::string& id, bool measured) {
  const auto found = std::find_if(
      chart.roofs.begin(), chart.roofs.end(),
      [&](const RooflineRoof& roof) { return roof.id == id && roof.measured == measured; });
  return found == chart.roofs.end() ? nullptr : &*found;
}

TEST(RooflineChart, HasAPointForEveryKernelAndLevel) {
  const Roofline chart = roofline(sample_analysis());
  EXPECT_EQ(chart.points.size(), 12U);
  const RooflinePoint& softmax = chart.points[3];
  EXPECT_EQ(softmax.label, "naive_softmax");
  EXPECT_EQ(softmax.level, MemoryLevel::hbm);
  EXPECT_NEAR(softmax.intensity, 5.37e9 / 4.342e9, 1e-9);
  EXPECT_NEAR(softmax.flop_per_s, 5.37e9 / 1.14e-3, 1);
}

TEST(RooflineChart, DrawsTheoreticalAndMeasuredRoofsWithTheirValues) {
  const Roofline chart = roofline(sample_analysis());
  const RooflineRoof* hbm = find_roof(chart, "hbm", false);
  ASSERT_NE(hbm, nullptr);
  EXPECT_EQ(hbm->label, "HBM3e 4.80 TB/s");
  EXPECT_NEAR(hbm->y1 / hbm->x1, 4.8e12, 1);
  const RooflineRoof* measured = find_roof(chart, "tensor_fp16", true);
  ASSERT_NE(measured, nullptr);
  EXPECT_EQ(measured->label, "Tensor FP16 745 TFLOP/s (measured)");
  EXPECT_EQ(measured->y0, measured->y1);
}

TEST(RooflineChart, MarksTheRidgeBetweenHbmAndTensorCores) {
  const Roofline chart = roofline(sample_analysis());
  const auto ridge = std::find_if(
      chart.ridges.begin(), chart.ridges.end(),
      [](const RidgePoint& r) { return r.bandwidth_id == "hbm" && r.compute_id == "tensor_fp16"; });
  ASSERT_NE(ridge, chart.ridges.end());
  EXPECT_NEAR(ridge->intensity, 989.4 / 4.8, 1e-9);
  EXPECT_EQ(ridge->label, "ridge 206 FLOP/B");
}

TEST(RooflineChart, KeepsEveryRoofAndPointWithinTheAxes) {
  const Roofline chart = roofline(sample_analysis());
  const auto inside = [](double fraction) { return fraction >= -1e-9 && fraction <= 1 + 1e-9; };
  for (const RooflinePoint& point : chart.points) {
    EXPECT_TRUE(inside(chart.x.fraction(point.intensity)));
    EXPECT_TRUE(inside(chart.y.fraction(point.flop_per_s)));
  }
  for (const RooflineRoof& roof : chart.roofs) {
    EXPECT_LT(roof.x0, roof.x1) << roof.label;
    for (const double x : {roof.x0, roof.x1}) {
      EXPECT_TRUE(inside(chart.x.fraction(x))) << roof.label;
    }
    for (const double y : {roof.y0, roof.y1}) {
      EXPECT_TRUE(inside(chart.y.fraction(y))) << roof.label;
    }
  }
}

TEST(RooflineChart, LabelsTheDecadesOfItsLogarithmicAxes) {
  const Roofline chart = roofline(sample_analysis());
  std::vector<std::string> x;
  for (const RooflineTick& tick : chart.x.ticks) {
    x.push_back(tick.label);
  }
  EXPECT_THAT(x, ::testing::ElementsAre("1", "10", "100", "1,000"));
  ASSERT_FALSE(chart.y.ticks.empty());
  EXPECT_EQ(chart.y.ticks.front().label, "10 T");
}

TEST(RooflineChart, ListsKernelsWithoutFlopInsteadOfPlottingThemAtZero) {
  Analysis analysis = sample_analysis();
  KernelAnalysis& softmax = analysis.kernels[1];
  softmax.flop.total = 0.0;
  softmax.achieved_flop_per_s = 0.0;
  softmax.intensity = {};
  const Roofline chart = roofline(analysis);
  EXPECT_EQ(chart.points.size(), 9U);
  ASSERT_EQ(chart.unplotted.size(), 1U);
  EXPECT_EQ(chart.unplotted[0].label, "naive_softmax");
  EXPECT_EQ(chart.unplotted[0].reason, "no FLOP");
  // Its bandwidth is what such a kernel is judged by.
  EXPECT_THAT(chart.unplotted[0].line(), ::testing::MatchesRegex("no FLOP; HBM .* TB/s, L2 .*"));
}

TEST(RooflineChart, SaysWhyAKernelIsNotPlotted) {
  const Roofline chart = roofline(sparse_analysis());
  EXPECT_TRUE(chart.points.empty());
  ASSERT_EQ(chart.unplotted.size(), 1U);
  EXPECT_EQ(chart.unplotted[0].line(), "its FLOP are not modelled");
}

TEST(RooflineChart, ShowsOnlyThePrecisionsThatKernelsUse) {
  Analysis analysis = sample_analysis();
  analysis.ceilings.push_back({CeilingKind::compute, "fp64", "FP64", 33.5e12, {}, ""});
  EXPECT_EQ(find_roof(roofline(analysis), "fp64", false), nullptr);
}

TEST(RooflineChart, IsUsableWithoutAnyCeilingOrKernel) {
  const Roofline chart = roofline(Analysis());
  EXPECT_TRUE(chart.roofs.empty());
  EXPECT_LT(chart.x.minimum, chart.x.maximum);
  EXPECT_LT(chart.y.minimum, chart.y.maximum);
}

TEST(RooflineChart, IgnoresValuesThatAreNoPositiveNumbers) {
  Analysis analysis = sample_analysis();
  analysis.kernels[0].achieved_flop_per_s = std::nan("");
  analysis.kernels[1].intensity[MemoryLevel::l2] = -3.0;
  analysis.ceilings[0].theoretical = 0.0;
  const Roofline chart = roofline(analysis);
  EXPECT_EQ(chart.points.size(), 8U);
  EXPECT_EQ(find_roof(chart, "hbm", false), nullptr);
}

TEST(RooflineChart, TellsTheWholeStoryInATooltip) {
  const RooflinePoint point = roofline(sample_analysis()).points[9];
  EXPECT_THAT(point.tooltip,
              ::testing::ElementsAre(
                  "fused_attention at HBM", "variant: fused", "intensity: 3,691 FLOP/B",
                  "achieved: 614 TFLOP/s, 166 GB/s",
                  "of the roof: 3.46 % (28.9x headroom) bandwidth, 62.0 % (1.61x headroom) compute",
                  "time: 908 µs (17.3 %), launches: 1",
                  "bound by: Compute (Tensor FP16), headroom: 1.61x"));
}

}  // namespace
}  // namespace ridgepoint
