#include "gui/roofline/roofline_chart.h"

#include <gmock/gmock.h>

#include <QLabel>
#include <QLineSeries>
#include <QLogValueAxis>
#include <QSignalSpy>
#include <QToolButton>
#include <QToolTip>
#include <QWheelEvent>
#include <QtCharts/QChart>
#include <cmath>
#include <functional>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "gui/app/workspace.h"
#include "gui/roofline/roofline_axes.h"
#include "gui/roofline/roofline_view.h"
#include "tests/gui/support/gui_test.h"
#include "tests/support/recordings.h"
#include "tests/support/sample_analysis.h"

namespace ridgepoint::gui {
namespace {

using testing::HasSubstr;

class RooflineChartTest : public GuiTest {
 protected:
  RooflineChartTest() {
    view_.resize(900, 560);
    view_.show();
    view_.setAnalysis(sampleAnalysis());
    QTest::qWait(20);
  }
  RooflineChart& chart() { return view_.chart(); }
  QWidget* surface() { return chart().viewport(); }
  QPoint pointOf(std::size_t kernel, MemoryLevel level) {
    const std::optional<QPoint> point = chart().pointOf(kernel, level);
    EXPECT_TRUE(point.has_value());
    return point.value_or(QPoint());
  }
  void wheel(const QPoint& at, int delta) {
    QWheelEvent event(at, surface()->mapToGlobal(at), {}, {0, delta}, Qt::NoButton, Qt::NoModifier,
                      Qt::NoScrollPhase, false);
    QApplication::sendEvent(surface(), &event);
  }
  int changedPixels(const QImage& before) {
    const QImage now = chart().grab().toImage();
    int changed = 0;
    for (int y = 0; y < now.height(); ++y) {
      for (int x = 0; x < now.width(); ++x) {
        changed += now.pixel(x, y) != before.pixel(x, y) ? 1 : 0;
      }
    }
    return changed;
  }

  KernelSelection selection_;
  RooflineView view_{selection_, nullptr};
};

TEST_F(RooflineChartTest, AMarkStandsAtItsIntensityAndRateOnLogarithmicAxes) {
  const Analysis analysis = test_support::sample_analysis();
  const KernelAnalysis& fused = analysis.kernels[3];
  auto* x_axis = qobject_cast<QLogValueAxis*>(chart().chart()->axes(Qt::Horizontal).front());
  ASSERT_NE(x_axis, nullptr);
  // The chart's own mapping of the point agrees with where the mark is painted.
  const QPointF mapped = chart().chart()->mapToPosition(
      QPointF(*fused.intensity[MemoryLevel::hbm], *fused.achieved_flop_per_s),
      chart().chart()->series().front());
  const QPoint mark = pointOf(3, MemoryLevel::hbm);
  EXPECT_NEAR(mapped.x(), mark.x(), 1.5);
  EXPECT_NEAR(mapped.y(), mark.y(), 1.5);
}

// Within the zone that is bound by HBM.
QRgb shaded(const QColor& colour, const QColor& shade) {
  constexpr double part = 0.07;
  const auto mix = [&](int a, int b) { return static_cast<int>(std::lround(a + part * (b - a))); };
  return qRgb(mix(colour.red(), shade.red()), mix(colour.green(), shade.green()),
              mix(colour.blue(), shade.blue()));
}

bool isNear(QRgb a, QRgb b) {
  return std::abs(qRed(a) - qRed(b)) <= 1 && std::abs(qGreen(a) - qGreen(b)) <= 1 &&
         std::abs(qBlue(a) - qBlue(b)) <= 1;
}

TEST_F(RooflineChartTest, GridLinesStandAtTheirLabelsAlsoAfterTheSizeChanged) {
  for (const QSize size : {QSize(900, 560), QSize(760, 420), QSize(1100, 700)}) {
    view_.resize(size);
    QTest::qWait(20);
    const QImage picture = chart().grab().toImage();
    const RooflineScene& scene = chart().scene();
    const QRect plot = scene.plot.toRect();
    EXPECT_GT(surface()->height() - plot.bottom(), 30);  // room for labels and title
    const QRgb grid = shaded(themeOf(view_.palette()).grid, themeOf(view_.palette()).muted);
    std::vector<int> rows;
    for (int y = plot.top() + 2; y < plot.bottom() - 2; ++y) {
      if (isNear(picture.pixel(plot.left() + 9, y), grid)) {
        rows.push_back(y);
      }
    }
    std::vector<testing::Matcher<int>> labels;
    for (const double value : tickValues(scene.y)) {
      const double y = scene.toPixel(scene.x.minimum, value).y();
      if (y > plot.top() + 2 && y < plot.bottom() - 2) {
        labels.push_back(
            testing::AllOf(testing::Ge(std::floor(y) - 1), testing::Le(std::ceil(y) + 1)));
      }
    }
    EXPECT_GE(labels.size(), 2U);
    EXPECT_THAT(rows, testing::UnorderedElementsAreArray(labels)) << size.width();
  }
}

TEST(RooflineAxes, IntensitiesAreWrittenAsInTheTables) {
  EXPECT_EQ(intensityTick(10000), "10,000");
  EXPECT_EQ(intensityTick(200), "200");
  EXPECT_EQ(intensityTick(0.1), "0.1");
}

TEST_F(RooflineChartTest, AMarkIsPaintedInTheColourOfItsVariant) {
  const QImage picture = chart().grab().toImage();
  const QColor fused = picture.pixelColor(pointOf(3, MemoryLevel::hbm));
  const QColor naive = picture.pixelColor(pointOf(1, MemoryLevel::hbm));
  EXPECT_GT(fused.blue(), fused.red());
  EXPECT_GT(naive.red(), naive.blue());
}

TEST_F(RooflineChartTest, ClickingAMarkSelectsItsKernelAndClickingBesideClears) {
  QTest::mouseClick(surface(), Qt::LeftButton, {}, pointOf(3, MemoryLevel::hbm));
  EXPECT_EQ(selection_.current(), 3U);
  QTest::mouseClick(surface(), Qt::LeftButton, {}, pointOf(1, MemoryLevel::l2));
  EXPECT_EQ(selection_.current(), 1U);
  QTest::mouseClick(surface(), Qt::LeftButton, {},
                    chart().scene().plot.toRect().topLeft() + QPoint(5, 5));
  EXPECT_EQ(selection_.current(), std::nullopt);
}

TEST_F(RooflineChartTest, ASelectedKernelLooksDifferent) {
  const QImage before = chart().grab().toImage();
  selection_.select(3);
  EXPECT_GT(changedPixels(before), 200);
}

TEST_F(RooflineChartTest, HoveringAMarkTellsTheKernelsFigures) {
  QTest::mouseMove(surface(), QPoint(3, 3));
  QTest::mouseMove(surface(), pointOf(3, MemoryLevel::hbm));
  ASSERT_TRUE(waitUntil([] { return QToolTip::isVisible(); }));
  const std::string text = QToolTip::text().toStdString();
  for (const char* figure : {"fused_attention", "HBM", "intensity", "FLOP/B", "TFLOP/s", "908 µs",
                             "bound by", "headroom: 1.61x", "% "}) {
    EXPECT_THAT(text, HasSubstr(figure));
  }
}

std::vector<std::string> written(const RooflineTexts& texts) {
  std::vector<std::string> all;
  const auto add = [&](const QString& text, const QRectF& at) {
    all.push_back(QStringLiteral("%1 at %2, %3").arg(text).arg(at.x()).arg(at.y()).toStdString());
  };
  for (const KernelName& name : texts.kernels) {
    add(name.text, name.box);
  }
  for (const RoofLabel& roof : texts.roofs.along) {
    add(roof.text, roof.area.boundingRect());
  }
  for (const auto* list : {&texts.zones, &texts.ridges}) {
    for (const RooflineText& one : *list) {
      add(one.text, one.box);
    }
  }
  if (texts.headroom) {
    add(texts.headroom->text, texts.headroom->box);
  }
  return all;
}

TEST_F(RooflineChartTest, TextsStayWhereTheyAreWhileNothingMovesThem) {
  chart().grab();
  const RooflineTexts placed = chart().texts();
  ASSERT_FALSE(placed.kernels.empty());
  QTest::mouseMove(surface(), QPoint(3, 3));
  QTest::mouseMove(surface(), pointOf(3, MemoryLevel::hbm));
  chart().grab();
  ASSERT_TRUE(chart().scene().hovered.has_value());
  // Copies share their characters; names that are placed again have new ones.
  EXPECT_EQ(chart().texts().kernels.front().text.constData(),
            placed.kernels.front().text.constData());
}

TEST_F(RooflineChartTest, TextsArePlacedAgainForWhateverMovesThem) {
  const Analysis analysis = test_support::sample_analysis();
  const std::vector<std::pair<const char*, std::function<void()>>> changes = {
      {"zoom", [&] { wheel(surface()->rect().center(), 240); }},
      {"selection", [&] { selection_.select(3); }},
      {"level", [&] { QTest::mouseClick(&find<QToolButton>(view_, "level_l2"), Qt::LeftButton); }},
      {"measured roofs",
       [&] { QTest::mouseClick(&find<QToolButton>(view_, "measuredRoofs"), Qt::LeftButton); }},
      {"reset", [&] { chart().resetZoom(); }},
      {"size",
       [&] {
         view_.resize(760, 500);
         QTest::qWait(20);
       }},
      {"font",
       [&] {
         QFont larger = chart().font();
         larger.setPointSizeF(larger.pointSizeF() * 1.3);
         chart().setFont(larger);
       }},
      {"analysis", [&] {
         auto other = std::make_shared<Analysis>(analysis);
         other->kernels[3].traffic[MemoryLevel::hbm] = {};
         other->kernels[3].intensity[MemoryLevel::hbm].reset();
         view_.setAnalysis(other);
       }}};
  for (const auto& [what, change] : changes) {
    const std::vector<std::string> before = written(chart().texts());
    change();
    chart().grab();
    const std::optional<std::size_t> selected = chart().scene().selected;
    const KernelAnalysis* kernel = selected ? &analysis.kernels[*selected] : nullptr;
    EXPECT_NE(written(chart().texts()), before) << what;
    EXPECT_EQ(written(chart().texts()),
              written(placeRooflineTexts(chart().scene(), chart().font(), kernel)))
        << what;
  }
}

TEST_F(RooflineChartTest, TogglingALevelHidesItsMarksAndRoofs) {
  const auto roofs = chart().chart()->series().size();
  QTest::mouseClick(&find<QToolButton>(view_, "level_l2"), Qt::LeftButton);
  EXPECT_FALSE(chart().pointOf(3, MemoryLevel::l2).has_value());
  EXPECT_TRUE(chart().pointOf(3, MemoryLevel::hbm).has_value());
  EXPECT_EQ(chart().chart()->series().size(), roofs - 2);  // theoretical and measured
  QTest::mouseClick(&find<QToolButton>(view_, "level_l2"), Qt::LeftButton);
  EXPECT_TRUE(chart().pointOf(3, MemoryLevel::l2).has_value());
}

TEST_F(RooflineChartTest, TheSelectedKernelShowsAllItsLevelsEvenHiddenOnes) {
  QTest::mouseClick(&find<QToolButton>(view_, "level_l2"), Qt::LeftButton);
  selection_.select(3);
  EXPECT_TRUE(chart().pointOf(3, MemoryLevel::l2).has_value());
  EXPECT_FALSE(chart().pointOf(1, MemoryLevel::l2).has_value());
}

TEST_F(RooflineChartTest, MeasuredRoofsCanBeHidden) {
  const auto roofs = chart().chart()->series().size();
  QTest::mouseClick(&find<QToolButton>(view_, "measuredRoofs"), Qt::LeftButton);
  EXPECT_EQ(chart().chart()->series().size(), roofs / 2);
}

TEST_F(RooflineChartTest, TheWheelZoomsAtThePointerAndResetShowsEverything) {
  const double whole = chart().scene().x.decades();
  const QPoint at = pointOf(3, MemoryLevel::hbm);
  wheel(at, 480);
  EXPECT_LT(chart().scene().x.decades(), whole);
  const QPoint after = pointOf(3, MemoryLevel::hbm);
  EXPECT_NEAR(at.x(), after.x(), 2);
  EXPECT_NEAR(at.y(), after.y(), 2);
  QTest::mouseClick(&find<QToolButton>(view_, "resetZoom"), Qt::LeftButton);
  EXPECT_DOUBLE_EQ(chart().scene().x.decades(), whole);
}

TEST_F(RooflineChartTest, ZoomNeverLeavesThePositiveNumbersOrTheChart) {
  const LogRange whole = chart().scene().x;
  for (int i = 0; i < 200; ++i) {
    wheel(QPoint(100 + i, 100), i % 50 < 25 ? 960 : -960);
    EXPECT_GT(chart().scene().x.minimum, 0);
    EXPECT_GT(chart().scene().y.minimum, 0);
    EXPECT_GE(chart().scene().x.minimum, whole.minimum * 0.999);
    EXPECT_LE(chart().scene().x.maximum, whole.maximum * 1.001);
    EXPECT_GE(chart().scene().x.decades(), 0.499);
  }
}

TEST_F(RooflineChartTest, DraggingPansAndDoesNotSelect) {
  wheel(chart().scene().plot.center().toPoint(), 600);
  const double before = chart().scene().x.minimum;
  const QPoint from = chart().scene().plot.center().toPoint();
  QTest::mousePress(surface(), Qt::LeftButton, {}, from);
  QTest::mouseMove(surface(), from + QPoint(-40, 0));
  QTest::mouseMove(surface(), from + QPoint(-80, 0));
  QTest::mouseRelease(surface(), Qt::LeftButton, {}, from + QPoint(-80, 0));
  EXPECT_GT(chart().scene().x.minimum, before);
  EXPECT_EQ(selection_.current(), std::nullopt);
}

TEST_F(RooflineChartTest, ShiftAndDragZoomsToTheRectangle) {
  const QPointF centre = chart().scene().plot.center();
  const double middle = chart().scene().x.value(0.5);
  QTest::mousePress(surface(), Qt::LeftButton, Qt::ShiftModifier,
                    centre.toPoint() - QPoint(100, 60));
  QTest::mouseMove(surface(), centre.toPoint());
  QTest::mouseRelease(surface(), Qt::LeftButton, Qt::ShiftModifier,
                      centre.toPoint() + QPoint(100, 60));
  EXPECT_NEAR(std::log10(chart().scene().x.value(0.5)), std::log10(middle), 0.05);
  EXPECT_LT(chart().scene().x.decades(), 3);
}

TEST_F(RooflineChartTest, ArrowKeysWalkThroughTheKernels) {
  chart().setFocus();
  QTest::keyClick(&chart(), Qt::Key_Right);
  EXPECT_EQ(selection_.current(), 0U);
  QTest::keyClick(&chart(), Qt::Key_Right);
  EXPECT_EQ(selection_.current(), 1U);
  QTest::keyClick(&chart(), Qt::Key_Left);
  QTest::keyClick(&chart(), Qt::Key_Left);
  EXPECT_EQ(selection_.current(), 3U);
}

TEST_F(RooflineChartTest, AKernelWithoutFlopIsListedUnderTheChartAndNeverGivenToIt) {
  Analysis analysis = test_support::sample_analysis();
  KernelAnalysis& copy = analysis.kernels[1];
  copy.flop = {};
  copy.flop.total = 0.0;
  copy.achieved_flop_per_s = 0.0;
  copy.intensity = {};
  view_.setAnalysis(std::make_shared<const Analysis>(analysis));
  EXPECT_FALSE(chart().pointOf(1, MemoryLevel::hbm).has_value());
  EXPECT_THAT(find<QLabel>(view_, "belowChart").text().toStdString(), HasSubstr("naive_softmax"));
  EXPECT_TRUE(chart().pointOf(3, MemoryLevel::hbm).has_value());
  for (const QAbstractSeries* series : chart().chart()->series()) {
    for (const QPointF& point : qobject_cast<const QLineSeries*>(series)->points()) {
      EXPECT_GT(point.x(), 0);
      EXPECT_GT(point.y(), 0);
    }
  }
}

TEST_F(RooflineChartTest, SaysUnderTheChartWhyAMarkMayStandAboveTheL2Roof) {
  EXPECT_EQ(find<QLabel>(view_, "belowChart").text().toStdString(), "");
  Analysis analysis = test_support::sample_analysis();
  Traffic& l2 = analysis.kernels[3].traffic[MemoryLevel::l2];
  l2.merged = *l2.total / 2;
  view_.setAnalysis(std::make_shared<const Analysis>(analysis));
  EXPECT_THAT(find<QLabel>(view_, "belowChart").text().toStdString(),
              HasSubstr("a mark can lie above its roof"));
}

TEST_F(RooflineChartTest, AKernelWithoutFlopIsListedWithItsBandwidth) {
  Analysis analysis = test_support::sample_analysis();
  KernelAnalysis& copy = analysis.kernels[1];
  copy.flop = {};
  copy.flop.total = 0.0;
  copy.achieved_flop_per_s = 0.0;
  copy.intensity = {};
  copy.bandwidth[MemoryLevel::hbm] = 3.21e12;
  copy.utilisation[MemoryLevel::hbm] = 0.669;
  view_.setAnalysis(std::make_shared<const Analysis>(analysis));
  const QLabel& below = find<QLabel>(view_, "belowChart");
  EXPECT_THAT(below.text().toStdString(), HasSubstr("(no FLOP; HBM 3.21 TB/s, "));
  analysis.kernels[1].bandwidth = {};
  view_.setAnalysis(std::make_shared<const Analysis>(analysis));
  EXPECT_THAT(below.text().toStdString(), HasSubstr("(no FLOP)"));
}

TEST_F(RooflineChartTest, TwoTypesOfOnePeakShareTheNameOfTheirRidge) {
  Analysis analysis;
  analysis.ceilings = {
      {CeilingKind::bandwidth, "hbm", "HBM3e", 4.8e12, std::nullopt, "invented"},
      {CeilingKind::compute, "tensor_fp8", "Tensor FP8", 2.14e15, std::nullopt, "invented"},
      {CeilingKind::compute, "tensor_int8", "Tensor INT8", 2.14e15, std::nullopt, "invented"}};
  view_.setAnalysis(std::make_shared<const Analysis>(analysis));
  chart().grab();
  ASSERT_EQ(chart().scene().roofline.ridges.size(), 2U);
  ASSERT_EQ(chart().texts().ridges.size(), 1U);
  EXPECT_EQ(chart().texts().ridges[0].text, QStringLiteral("ridge 446 FLOP/B"));
}

// Each with its bandwidths, many took five lines of the chart's place.
TEST_F(RooflineChartTest, ManyKernelsWithoutFlopAreNamedInAFewWords) {
  view_.setAnalysis(std::make_shared<const Analysis>(
      test_support::analysed(test_support::recording("profile-training-step"))));
  const std::string below = find<QLabel>(view_, "belowChart").text().toStdString();
  EXPECT_THAT(below, HasSubstr("unrolled_elementwise_kernel"));
  EXPECT_THAT(below, ::testing::Not(HasSubstr("TB/s")));
  EXPECT_THAT(below, HasSubstr("more, see the kernel table"));
}

TEST_F(RooflineChartTest, TheHeadroomIsARulerOnlyWhereItEndsAtARoof) {
  // Pixels of the ruler, dashed upwards from the mark of the level that binds.
  const auto rulerPixels = [this](double headroom) {
    Analysis analysis = test_support::sample_analysis();
    KernelAnalysis& kernel = analysis.kernels[3];
    kernel.bound_by = BoundBy::compute;
    kernel.headroom = headroom;
    selection_.select(std::nullopt);
    view_.setAnalysis(std::make_shared<const Analysis>(analysis));
    selection_.select(3);
    const QImage picture = chart().grab().toImage();
    const QPoint mark = pointOf(3, MemoryLevel::hbm);
    const QColor accent = themeOf(view_.palette()).accent;
    const int top =
        chart()
            .scene()
            .toPixel(*kernel.intensity[MemoryLevel::hbm], *kernel.achieved_flop_per_s * headroom)
            .toPoint()
            .y();
    int found = 0;
    for (int x = mark.x() - 4; x <= mark.x() + 4; ++x) {
      for (int y = top - 1; y <= top + 1; ++y) {
        found += picture.pixelColor(x, y) == accent ? 1 : 0;
      }
    }
    return found;
  };
  const Analysis analysis = test_support::sample_analysis();
  double highest = 0;
  for (const RooflineRoof& roof : chart().scene().roofline.roofs) {
    highest = roof.kind == CeilingKind::compute ? std::max(highest, roof.value) : highest;
  }
  const double to_the_roof = highest / *analysis.kernels[3].achieved_flop_per_s;
  ASSERT_GT(to_the_roof, 1.3);
  EXPECT_GT(rulerPixels(to_the_roof), 0);
  EXPECT_EQ(rulerPixels(1 + (to_the_roof - 1) / 2), 0);
}

TEST_F(RooflineChartTest, TheLegendNamesVariantsInFull) {
  Analysis analysis = test_support::sample_analysis();
  analysis.variants.back().name = "hopper_deterministic";
  view_.setAnalysis(std::make_shared<const Analysis>(std::move(analysis)));
  EXPECT_THAT(view_.findChild<QLabel*>(QStringLiteral("rooflineLegend"))->text().toStdString(),
              HasSubstr("hopper_deterministic"));
}

TEST_F(RooflineChartTest, HostileNamesStayText) {
  Analysis analysis = test_support::sample_analysis();
  analysis.kernels[3].short_name = "<img src='file:///etc/passwd'>";
  analysis.kernels[3].variant = "<h1>x</h1>";
  view_.setAnalysis(std::make_shared<const Analysis>(analysis));
  QTest::mouseMove(surface(), QPoint(3, 3));
  QTest::mouseMove(surface(), pointOf(3, MemoryLevel::hbm));
  ASSERT_TRUE(waitUntil([] { return QToolTip::isVisible(); }));
  EXPECT_THAT(QToolTip::text().toStdString(), HasSubstr("&lt;img"));
  EXPECT_THAT(QToolTip::text().toStdString(), testing::Not(HasSubstr("<img")));
}

}  // namespace
}  // namespace ridgepoint::gui
