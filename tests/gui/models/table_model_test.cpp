#include "gui/models/table_model.h"

#include <QAbstractItemModelTester>

#include "reports/presenters/tables.h"
#include "tests/gui/support/gui_test.h"
#include "tests/support/sample_analysis.h"

namespace ridgepoint::gui {
namespace {

class TableModelTest : public GuiTest {
 protected:
  TableModelTest() { model_.setTable(kernel_table(test_support::sample_analysis())); }

  int column(const std::string& id) const {
    for (std::size_t i = 0; i < model_.table().columns.size(); ++i) {
      if (model_.table().columns[i].id == id) {
        return static_cast<int>(i);
      }
    }
    ADD_FAILURE() << "no column " << id;
    return 0;
  }
  std::vector<std::string> shown(const std::string& id) const {
    std::vector<std::string> texts;
    for (int row = 0; row < model_.rowCount(); ++row) {
      texts.push_back(model_.index(row, column(id)).data().toString().toStdString());
    }
    return texts;
  }

  TableModel model_;
};

TEST_F(TableModelTest, KeepsTheRulesOfQtModels) {
  const QAbstractItemModelTester tester(&model_,
                                        QAbstractItemModelTester::FailureReportingMode::Warning);
  model_.sort(column("time_s"), Qt::DescendingOrder);
  model_.setFilter(QStringLiteral("naive"));
  model_.sort(0, Qt::AscendingOrder);
  model_.setFilter({});
  model_.sort(-1);
  model_.setTable(kernel_table(test_support::sparse_analysis()));
  model_.setTable({});
  EXPECT_EQ(model_.rowCount(), 0);
}

TEST_F(TableModelTest, ShowsFormattedValuesAndKeepsRawOnes) {
  const QModelIndex time = model_.index(3, column("time_s"));
  EXPECT_EQ(time.data().toString().toStdString(), "908 µs");
  EXPECT_DOUBLE_EQ(time.data(TableModel::raw_role).toDouble(), 0.908e-3);
  EXPECT_EQ(model_.kernelAt(3), 3U);
}

TEST_F(TableModelTest, SaysThatAValueWasNotMeasured) {
  TableModel sparse;
  sparse.setTable(kernel_table(test_support::sparse_analysis()));
  EXPECT_EQ(sparse.index(0, column("memory_stall_ratio")).data().toString(), QLatin1String("n/a"));
  EXPECT_FALSE(sparse.index(0, column("memory_stall_ratio")).data(TableModel::raw_role).isValid());
}

TEST_F(TableModelTest, SortsByValueNotByText) {
  model_.sort(column("time_s"), Qt::AscendingOrder);
  EXPECT_EQ(shown("time_s"), (std::vector<std::string>{"908 µs", "1.14 ms", "1.58 ms", "1.62 ms"}));
  model_.sort(column("time_s"), Qt::DescendingOrder);
  EXPECT_EQ(shown("kernel").front(), "naive_scores");
  model_.sort(-1);
  EXPECT_EQ(shown("kernel").back(), "fused_attention");
}

TEST_F(TableModelTest, AFilterLooksAtWhatIsPrintedAndKeepsTheSort) {
  model_.sort(column("time_s"), Qt::AscendingOrder);
  model_.setFilter(QStringLiteral("NAIVE_"));
  EXPECT_EQ(shown("kernel"),
            (std::vector<std::string>{"naive_softmax", "naive_output", "naive_scores"}));
  EXPECT_EQ(model_.rowOfKernel(3), -1);
  model_.setFilter(QStringLiteral("nothing like it"));
  EXPECT_EQ(model_.rowCount(), 0);
}

TEST_F(TableModelTest, AChosenRowMovesWithTheSort) {
  const QPersistentModelIndex fused = model_.index(3, 0);
  model_.sort(column("time_s"), Qt::AscendingOrder);
  EXPECT_EQ(fused.row(), 0);
  EXPECT_EQ(fused.data().toString(), QLatin1String("fused_attention"));
}

TEST_F(TableModelTest, EveryColumnExplainsItself) {
  for (int i = 0; i < model_.columnCount(); ++i) {
    EXPECT_GT(model_.headerData(i, Qt::Horizontal, Qt::ToolTipRole).toString().size(), 20);
  }
}

TEST_F(TableModelTest, NamesFromOutsideStayText) {
  Table table{"t", "T", {{"name", "Name", "", Unit::text}}, {}};
  table.rows.push_back({{std::string("<img src=x>\x1b[2J")}, {}});
  model_.setTable(table);
  EXPECT_EQ(model_.index(0, 0).data().toString(), QLatin1String("<img src=x>?[2J"));
  EXPECT_FALSE(model_.index(0, 0).data(Qt::ToolTipRole).toString().contains(QLatin1String("<img")));
}

}  // namespace
}  // namespace ridgepoint::gui
