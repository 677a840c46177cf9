#include "gui/views/table_view.h"

#include <gmock/gmock.h>

#include <QClipboard>
#include <QHeaderView>
#include <QLineEdit>
#include <QStyleOptionViewItem>
#include <QTableView>

#include "gui/views/cell_delegate.h"
#include "reports/presenters/tables.h"
#include "tests/gui/support/gui_test.h"

namespace ridgepoint::gui {
namespace {

class TableViewTest : public GuiTest {
 protected:
  TableViewTest() {
    view_.resize(1000, 300);
    view_.show();
    view_.setAnalysis(sampleAnalysis());
  }
  QTableView& table() { return find<QTableView>(view_, "table"); }
  QLineEdit& filter() { return find<QLineEdit>(view_, "filter"); }
  std::string cell(int row, int column) {
    return table().model()->index(row, column).data().toString().toStdString();
  }

  KernelSelection selection_;
  TableView view_{selection_, nullptr, kernel_table};
};

TEST_F(TableViewTest, AClickOnAHeaderSortsAndAnotherReverses) {
  const QHeaderView* header = table().horizontalHeader();
  const QPoint at(header->sectionViewportPosition(3) + 20, header->height() / 2);
  QTest::mouseClick(header->viewport(), Qt::LeftButton, {}, at);
  const std::string first = cell(0, 3);
  QTest::mouseClick(header->viewport(), Qt::LeftButton, {}, at);
  EXPECT_EQ(cell(3, 3), first);
  EXPECT_THAT((std::vector<std::string>{cell(0, 3), first}),
              testing::UnorderedElementsAre("908 µs", "1.62 ms"));
}

TEST_F(TableViewTest, TheFilterWaitsUntilTypingStops) {
  QTest::keyClicks(&filter(), QStringLiteral("softmax"));
  EXPECT_EQ(table().model()->rowCount(), 4);
  EXPECT_TRUE(waitUntil([&] { return table().model()->rowCount() == 1; }, 2000));
  EXPECT_EQ(cell(0, 0), "naive_softmax");
  filter().clear();
  EXPECT_TRUE(waitUntil([&] { return table().model()->rowCount() == 4; }, 2000));
}

TEST_F(TableViewTest, EnterFiltersAtOnceAndTheSelectionComesBackWithItsRow) {
  selection_.select(3);
  QTest::keyClicks(&filter(), QStringLiteral("softmax"));
  QTest::keyClick(&filter(), Qt::Key_Return);
  EXPECT_EQ(table().model()->rowCount(), 1);
  EXPECT_EQ(selection_.current(), 3U);
  filter().clear();
  QTest::keyClick(&filter(), Qt::Key_Return);
  EXPECT_TRUE(table().selectionModel()->isRowSelected(3));
}

TEST_F(TableViewTest, ControlFGoesToTheFilter) {
  view_.activateWindow();
  table().setFocus();
  ASSERT_TRUE(waitUntil([&] { return table().hasFocus(); }));
  QTest::keyClick(&table(), Qt::Key_F, Qt::ControlModifier);
  EXPECT_TRUE(filter().hasFocus());
}

TEST_F(TableViewTest, ControlCCopiesTheSelectedRowsAsCsvAndWithShiftAsMarkdown) {
  view_.activateWindow();
  table().setFocus();
  ASSERT_TRUE(waitUntil([&] { return table().hasFocus(); }));
  table().selectRow(3);
  QTest::keyClick(&table(), Qt::Key_C, Qt::ControlModifier);
  const std::string csv = QApplication::clipboard()->text().toStdString();
  EXPECT_THAT(csv, testing::StartsWith("Kernel,"));
  EXPECT_THAT(csv, testing::HasSubstr("fused_attention,fused,1,0.000908"));
  QTest::keyClick(&table(), Qt::Key_C, Qt::ControlModifier | Qt::ShiftModifier);
  EXPECT_THAT(QApplication::clipboard()->text().toStdString(), testing::HasSubstr("| 908 µs |"));
}

// How the table's delegate would paint a cell.
class OpenDelegate : public CellDelegate {
 public:
  using CellDelegate::initStyleOption;
};

TEST_F(TableViewTest, NamesAreCutInTheMiddleAndSentencesAtTheirEnd) {
  TableView targets{selection_, nullptr, target_table};
  targets.setAnalysis(sampleAnalysis());
  auto& view = find<QTableView>(targets, "table");
  ASSERT_NE(dynamic_cast<CellDelegate*>(view.itemDelegate()), nullptr);
  ASSERT_GT(view.model()->rowCount(), 0);
  const Table table = target_table(*sampleAnalysis());
  const auto cutOf = [&](const char* column) {
    QStyleOptionViewItem option;
    OpenDelegate().initStyleOption(
        &option, view.model()->index(0, static_cast<int>(*column_index(table, column))));
    return option.textElideMode;
  };
  EXPECT_EQ(cutOf("why"), Qt::ElideRight);
  EXPECT_EQ(cutOf("variant"), Qt::ElideMiddle);
}

TEST_F(TableViewTest, ColumnsThatWereNotMeasuredAreHidden) {
  view_.setAnalysis(sparseAnalysis());
  int hidden = 0;
  for (int i = 0; i < table().model()->columnCount(); ++i) {
    hidden += table().isColumnHidden(i) ? 1 : 0;
  }
  EXPECT_GT(hidden, 3);
  EXPECT_FALSE(table().isColumnHidden(0));
}

}  // namespace
}  // namespace ridgepoint::gui
