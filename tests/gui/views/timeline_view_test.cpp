#include "gui/views/timeline_view.h"

#include <gmock/gmock.h>

#include <QApplication>
#include <QClipboard>
#include <QHelpEvent>
#include <QLabel>
#include <QTabBar>
#include <QTabWidget>
#include <QToolTip>

#include "gui/app/workspace.h"
#include "gui/timeline/timeline_canvas.h"
#include "tests/analyzer/timeline/timeline_session.h"
#include "tests/gui/support/gui_test.h"
#include "tests/support/recordings.h"

namespace ridgepoint::gui {
namespace {

using ::testing::HasSubstr;

QString timelineRecording() {
  return QString::fromStdString(test_support::recording_path("profile-training-timeline"));
}

// gemm 20 to 220 us, softmax 250 to 350 us, and a launch of softmax without a time.
AnalysisPtr smallRun() {
  Session session = test_support::empty_profile();
  session.devices.resize(1);
  test_support::add_range(session, "step", 0, 400);
  test_support::add_launch(session, 0, 20, 220).range = 0;
  test_support::add_launch(session, 1, 250, 350).range = 0;
  test_support::add_launch(session, 1, 380, 380);
  return std::make_shared<const Analysis>(test_support::analysed(session));
}

class TimelineViewTest : public GuiTest {
 protected:
  TimelineViewTest() : view_(selection_, nullptr) {
    view_.resize(900, 420);
    view_.setAnalysis(smallRun());
    view_.show();
    QTest::qWait(20);
  }
  TimelineCanvas& canvas() { return view_.canvas(); }
  QPoint at(std::size_t lane, std::size_t span) {
    return canvas().spanRect(lane, span).center().toPoint();
  }
  static std::int64_t length(const TimeWindow& window) { return window.to_ns - window.from_ns; }

  KernelSelection selection_;
  TimelineView view_;
};

TEST_F(TimelineViewTest, TheNumbersOfTheRunStandAboveIt) {
  const std::string facts = find<QLabel>(view_, "timelineFacts").text().toStdString();
  EXPECT_THAT(facts, HasSubstr("at least 90.9 % of the span"));
  EXPECT_THAT(facts, HasSubstr("1 of them without a time"));
}

TEST_F(TimelineViewTest, ThePointerTellsNameStartDurationStreamAndRange) {
  QHelpEvent event(QEvent::ToolTip, at(0, 0), canvas().mapToGlobal(at(0, 0)));
  QApplication::sendEvent(&canvas(), &event);
  const std::string text = QToolTip::text().toStdString();
  for (const char* part : {"gemm", "start 20.000", "duration 200", "stream 7", "NVTX range step"}) {
    EXPECT_THAT(text, HasSubstr(part));
  }
  QTest::mouseMove(&canvas(), at(0, 1));
  EXPECT_THAT(find<QLabel>(view_, "timelineCurrent").text().toStdString(), HasSubstr("softmax"));
}

TEST_F(TimelineViewTest, AClickSelectsTheKernelAndASelectionDimsTheOthers) {
  const auto shade = [&] {
    return canvas().grab().toImage().pixelColor(at(0, 0) + QPoint(0, -9)).rgb();
  };
  const QRgb before = shade();
  QTest::mouseClick(&canvas(), Qt::LeftButton, {}, at(0, 1));
  ASSERT_TRUE(selection_.current());
  EXPECT_EQ(*selection_.current(), 1U);
  EXPECT_NE(shade(), before) << "gemm steps back";
  selection_.select(0);
  EXPECT_EQ(shade(), before);
}

TEST_F(TimelineViewTest, WheelAndKeysZoomAndMove) {
  const TimeWindow whole = canvas().shownWindow();
  QTest::keyClick(&canvas(), Qt::Key_Plus);
  const TimeWindow zoomed = canvas().shownWindow();
  EXPECT_LT(length(zoomed), length(whole));
  QTest::keyClick(&canvas(), Qt::Key_Right);
  EXPECT_GT(canvas().shownWindow().from_ns, zoomed.from_ns);
  EXPECT_EQ(length(canvas().shownWindow()), length(zoomed));
  QTest::keyClick(&canvas(), Qt::Key_F);
  EXPECT_EQ(length(canvas().shownWindow()), length(whole));
  const QPointF middle = canvas().rect().center();
  QWheelEvent turn(middle, canvas().mapToGlobal(middle), {}, {0, 120}, {}, {}, Qt::NoScrollPhase,
                   false);
  QApplication::sendEvent(&canvas(), &turn);
  EXPECT_LT(length(canvas().shownWindow()), length(whole));
  QTest::keyClick(&canvas(), Qt::Key_Home);
  EXPECT_EQ(length(canvas().shownWindow()), length(whole));
  QTest::keyClick(&canvas(), Qt::Key_Left);
  EXPECT_EQ(canvas().shownWindow().from_ns, 0) << "there is nothing before the beginning";
}

TEST_F(TimelineViewTest, DraggingMovesAndSelectsNothing) {
  canvas().zoom(0.25);
  const TimeWindow before = canvas().shownWindow();
  const QPoint from = canvas().rect().center();
  QTest::mousePress(&canvas(), Qt::LeftButton, {}, from);
  QTest::mouseMove(&canvas(), from - QPoint(60, 0));
  QTest::mouseRelease(&canvas(), Qt::LeftButton, {}, from - QPoint(60, 0));
  EXPECT_GT(canvas().shownWindow().from_ns, before.from_ns);
  EXPECT_FALSE(selection_.current());
}

TEST_F(TimelineViewTest, TheKeyboardReachesEverySpanAndCopiesIt) {
  QTest::keyClick(&canvas(), Qt::Key_Right, Qt::ControlModifier);
  EXPECT_THAT(canvas().currentText().toStdString(), HasSubstr("gemm"));
  QTest::keyClick(&canvas(), Qt::Key_Right, Qt::ControlModifier);
  EXPECT_THAT(canvas().accessibleDescription().toStdString(), HasSubstr("softmax"));
  QTest::keyClick(&canvas(), Qt::Key_C, Qt::ControlModifier);
  EXPECT_THAT(QApplication::clipboard()->text().toStdString(), HasSubstr("duration 100"));
  QTest::keyClick(&canvas(), Qt::Key_Return);
  EXPECT_EQ(selection_.current(), 1U);
  QTest::keyClick(&canvas(), Qt::Key_Down);
  EXPECT_THAT(canvas().currentText().toStdString(), HasSubstr("thread 42"));
}

TEST_F(TimelineViewTest, IsInFrontWhereThereIsNothingElseAndAwayWhereThereIsNone) {
  const auto window = openWindow(timelineRecording());
  auto& centre = find<QTabWidget>(*window, "centre");
  EXPECT_EQ(centre.currentWidget()->objectName(), QLatin1String("timeline"));
  EXPECT_TRUE(centre.tabBar()->isVisible());
  window->workspace().raiseView(QStringLiteral("timeline"));
  const auto counted = openWindow(recording());
  auto& other = find<QTabWidget>(*counted, "centre");
  EXPECT_NE(other.currentWidget()->objectName(), QLatin1String("timeline"));
  EXPECT_FALSE(other.tabBar()->isVisible());
}

}  // namespace
}  // namespace ridgepoint::gui
