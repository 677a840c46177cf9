#include "gui/models/table_copy.h"

#include "gui/models/table_model.h"
#include "tests/gui/support/gui_test.h"

namespace ridgepoint::gui {
namespace {

class TableCopyTest : public GuiTest {
 protected:
  TableCopyTest() {
    Table table{
        "t", "T", {{"kernel", "Kernel", "", Unit::text}, {"time_s", "Time", "", Unit::second}}, {}};
    table.rows = {{{std::string("plain"), 0.00125}, {}},
                  {{std::string("a,\"b\""), std::monostate()}, {}},
                  {{std::string("=HYPERLINK(1)"), 1.0}, {}},
                  {{std::string("x|y<z>\\"), 2.0}, {}}};
    model_.setTable(table);
  }
  QModelIndexList rows(int first, int last) const {
    QModelIndexList indexes;
    for (int row = first; row <= last; ++row) {
      indexes << model_.index(row, 0) << model_.index(row, 1);
    }
    return indexes;
  }
  TableModel model_;
};

TEST_F(TableCopyTest, CsvHasRawNumbersAndEmptyFieldsForWhatWasNotMeasured) {
  EXPECT_EQ(copyAsCsv(model_, rows(0, 1)).toStdString(),
            "Kernel,Time\r\nplain,0.00125\r\n\"a,\"\"b\"\"\",\r\n");
}

TEST_F(TableCopyTest, CsvStartsNoFormula) {
  EXPECT_EQ(copyAsCsv(model_, rows(2, 2)).toStdString(), "Kernel,Time\r\n'=HYPERLINK(1),1\r\n");
}

TEST_F(TableCopyTest, MarkdownShowsWhatTheTableShows) {
  EXPECT_EQ(copyAsMarkdown(model_, rows(0, 0)).toStdString(),
            "| Kernel | Time |\n| --- | ---: |\n| plain | 1.25 ms |\n");
}

TEST_F(TableCopyTest, MarkdownIsNotBrokenByNames) {
  EXPECT_EQ(copyAsMarkdown(model_, rows(3, 3)).toStdString(),
            "| Kernel | Time |\n| --- | ---: |\n| x\\|y\\<z>\\\\ | 2.00 s |\n");
}

TEST_F(TableCopyTest, NothingSelectedGivesNothing) {
  EXPECT_TRUE(copyAsCsv(model_, {}).isEmpty());
  EXPECT_TRUE(copyAsMarkdown(model_, {}).isEmpty());
}

}  // namespace
}  // namespace ridgepoint::gui
