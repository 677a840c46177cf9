// What a user does in one view is seen in the others.
#include <gmock/gmock.h>

#include <QListView>
#include <QTableView>
#include <QTextBrowser>

#include "gui/app/workspace.h"
#include "gui/models/diagnosis_model.h"
#include "gui/models/table_model.h"
#include "gui/roofline/roofline_chart.h"
#include "gui/roofline/roofline_view.h"
#include "gui/views/bar_chart.h"
#include "tests/gui/support/gui_test.h"

namespace ridgepoint::gui {
namespace {

class LinkedSelectionTest : public GuiTest {
 protected:
  void open(const QString& path, const LoadFunction& load) { window_ = openWindow(path, load); }
  void openSample() { open(QStringLiteral("sample.ridge"), always(sampleAnalysis())); }

  Workspace& workspace() { return window_->workspace(); }
  RooflineChart& chart() { return workspace().roofline().chart(); }
  QTableView& table() { return findIn<QTableView>(*window_, "kernels", "table"); }
  QListView& diagnoses() { return find<QListView>(*window_, "diagnoses"); }
  std::optional<std::size_t> tableKernel() {
    return qobject_cast<TableModel*>(table().model())->kernelAt(table().currentIndex().row());
  }
  std::optional<std::size_t> diagnosisKernel(int row) {
    return qobject_cast<DiagnosisModel*>(diagnoses().model())->kernelAt(row);
  }
  void click(QAbstractItemView& view, const QModelIndex& index) {
    view.scrollTo(index);
    QTest::mouseClick(view.viewport(), Qt::LeftButton, {}, view.visualRect(index).center());
  }

  std::unique_ptr<MainWindow> window_;
};

TEST_F(LinkedSelectionTest, APointOfARealRecordingSelectsItsRowAndBringsItsDiagnosisFirst) {
  open(recording(), loadSession);
  const Analysis& analysis = *workspace().analysis();
  int diagnosed = 0;
  for (std::size_t kernel = 0; kernel < analysis.kernels.size(); ++kernel) {
    std::optional<QPoint> point;
    for (const MemoryLevel level : memory_levels) {
      // A mark below a smaller one cannot be clicked at its centre.
      const std::optional<QPoint> at = chart().pointOf(kernel, level);
      const auto hit = at ? chart().scene().pointAt(*at) : std::nullopt;
      if (hit && chart().scene().roofline.points[*hit].kernel == kernel) {
        point = at;
      }
    }
    if (!point) {
      continue;
    }
    QTest::mouseClick(chart().viewport(), Qt::LeftButton, {}, *point);
    EXPECT_EQ(tableKernel(), kernel);
    EXPECT_TRUE(table().selectionModel()->isRowSelected(table().currentIndex().row()));
    for (const Diagnosis& one : analysis.diagnoses) {
      if (one.kernel == kernel) {
        EXPECT_EQ(diagnosisKernel(0), kernel);
        ++diagnosed;
        break;
      }
    }
  }
  EXPECT_GE(diagnosed, 1);
}

TEST_F(LinkedSelectionTest, ATableRowHighlightsTheMarkAndBringsItsDiagnosisFirst) {
  openSample();
  click(table(), table().model()->index(3, 0));
  EXPECT_EQ(chart().scene().selected, 3U);
  EXPECT_EQ(diagnosisKernel(0), 3U);
  EXPECT_EQ(diagnoses().currentIndex().row(), 0);
  EXPECT_THAT(find<QTextBrowser>(*window_, "diagnosisDetail").toPlainText().toStdString(),
              testing::HasSubstr("Let two warp groups take turns"));
}

TEST_F(LinkedSelectionTest, TheKeyboardMovesTheSelectionToo) {
  openSample();
  table().setFocus();
  click(table(), table().model()->index(0, 0));
  QTest::keyClick(&table(), Qt::Key_Down);
  EXPECT_EQ(chart().scene().selected, 1U);
}

TEST_F(LinkedSelectionTest, ADiagnosisSelectsItsKernelAndStaysUnderThePointer) {
  openSample();
  const QModelIndex third = diagnoses().model()->index(2, 0);
  ASSERT_EQ(diagnosisKernel(2), 1U);
  click(diagnoses(), third);
  EXPECT_EQ(workspace().selection().current(), 1U);
  EXPECT_EQ(tableKernel(), 1U);
  EXPECT_EQ(diagnoses().currentIndex().row(), 2);
}

TEST_F(LinkedSelectionTest, ADiagnosisOfAVariantLeavesTheKernelSelectionAlone) {
  openSample();
  workspace().selection().select(2);
  for (int row = 0; row < diagnoses().model()->rowCount(); ++row) {
    if (!diagnosisKernel(row)) {
      click(diagnoses(), diagnoses().model()->index(row, 0));
    }
  }
  EXPECT_EQ(workspace().selection().current(), 2U);
}

TEST_F(LinkedSelectionTest, AStallBarSelectsItsKernel) {
  openSample();
  workspace().raiseView(QStringLiteral("stalls"));
  QTest::qWait(50);
  auto& bars = find<BarChart>(*window_, "stallBars");
  QTest::mouseClick(&bars, Qt::LeftButton, {}, bars.barRect(2).center());
  EXPECT_EQ(workspace().selection().current(), 2U);
  QTest::keyClick(&bars, Qt::Key_Down);
  EXPECT_EQ(workspace().selection().current(), 3U);
}

TEST_F(LinkedSelectionTest, SortingKeepsTheSelectedKernel) {
  openSample();
  workspace().selection().select(3);
  table().sortByColumn(3, Qt::AscendingOrder);
  EXPECT_EQ(tableKernel(), 3U);
  EXPECT_EQ(workspace().selection().current(), 3U);
}

}  // namespace
}  // namespace ridgepoint::gui
