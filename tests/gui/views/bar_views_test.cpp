#include <gmock/gmock.h>

#include <QCheckBox>
#include <QHelpEvent>
#include <QToolTip>

#include "gui/views/bar_chart.h"
#include "gui/views/stall_view.h"
#include "gui/views/traffic_view.h"
#include "tests/gui/support/gui_test.h"

namespace ridgepoint::gui {
namespace {

using testing::HasSubstr;

class BarViewsTest : public GuiTest {
 protected:
  template <class View>
  void prepare(View& view, const AnalysisPtr& analysis) {
    view.resize(520, 420);
    view.show();
    view.setAnalysis(analysis);
    QTest::qWait(20);
  }
  std::string tooltip(BarChart& bars, const QPoint& at) {
    QHelpEvent event(QEvent::ToolTip, at, bars.mapToGlobal(at));
    QApplication::sendEvent(&bars, &event);
    return QToolTip::text().toStdString();
  }
  KernelSelection selection_;
};

TEST_F(BarViewsTest, TrafficShowsEachVariantAtEachLevelMeasuredBesidePredicted) {
  TrafficView view(selection_, nullptr);
  prepare(view, sampleAnalysis());
  auto& bars = find<BarChart>(view, "trafficBars");
  ASSERT_EQ(bars.barData().rows.size(), 6U);
  const BarRow& naive = bars.barData().rows[0];
  EXPECT_EQ(naive.heading, QLatin1String("HBM"));
  EXPECT_THAT(naive.value.toStdString(), HasSubstr("8.80 GB"));
  EXPECT_TRUE(naive.marker.has_value());
  const std::string tip = tooltip(bars, bars.barRect(0).center());
  EXPECT_THAT(tip, HasSubstr("8.72 GB"));  // predicted
  EXPECT_THAT(tip, HasSubstr("written"));
}

TEST_F(BarViewsTest, TrafficThatWasNotMeasuredHasNoBarAndSaysSo) {
  auto analysis = *sampleAnalysis();
  analysis.variants[0].traffic[MemoryLevel::hbm].measured = {};
  TrafficView view(selection_, nullptr);
  prepare(view, std::make_shared<const Analysis>(analysis));
  const BarRow& row = find<BarChart>(view, "trafficBars").barData().rows[0];
  EXPECT_TRUE(row.segments.empty());
  EXPECT_THAT(row.value.toStdString(), testing::StartsWith("not measured"));
}

TEST_F(BarViewsTest, ALogarithmicScaleMakesTheSmallBarSeen) {
  TrafficView view(selection_, nullptr);
  prepare(view, sampleAnalysis());
  auto& bars = find<BarChart>(view, "trafficBars");
  // At 40 % of the width: beyond fused's 0.15 of 35 GB on a linear scale, within it on a
  // logarithmic one.
  const QRect bar = bars.barRect(1);
  const QPoint probe(bar.left() + bar.width() * 2 / 10, bar.center().y());
  const QColor before = bars.grab().toImage().pixelColor(probe);
  find<QCheckBox>(view, "logarithmic").click();
  const QColor after = bars.grab().toImage().pixelColor(probe);
  EXPECT_GT(after.blue() - after.red(), 60);
  EXPECT_LT(std::abs(before.blue() - before.red()), 30);
}

TEST_F(BarViewsTest, StallsStackMemoryReasonsFirstAndNameTheirRatio) {
  StallView view(selection_, nullptr);
  prepare(view, sampleAnalysis());
  auto& bars = find<BarChart>(view, "stallBars");
  ASSERT_EQ(bars.barData().rows.size(), 4U);
  const BarRow& softmax = bars.barData().rows[1];
  EXPECT_THAT(softmax.value.toStdString(), HasSubstr("memory 80.0 %"));
  EXPECT_DOUBLE_EQ(softmax.segments[0].value, 0.71);
  EXPECT_THAT(softmax.segments[0].tooltip.toStdString(), HasSubstr("counts as memory stall"));
  EXPECT_THAT(softmax.segments[1].tooltip.toStdString(), HasSubstr("counts as memory stall"));
  EXPECT_THAT(softmax.segments[2].tooltip.toStdString(),
              testing::Not(HasSubstr("counts as memory stall")));
}

TEST_F(BarViewsTest, AKernelWithoutSamplesSaysSo) {
  StallView view(selection_, nullptr);
  prepare(view, sparseAnalysis());
  for (const BarRow& row : find<BarChart>(view, "stallBars").barData().rows) {
    if (row.segments.empty()) {
      EXPECT_EQ(row.value, QLatin1String("not sampled"));
    }
  }
}

}  // namespace
}  // namespace ridgepoint::gui
