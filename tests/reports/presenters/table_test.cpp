#include "reports/presenters/table.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

namespace ridgepoint {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

Table animals() {
  Table table{"t", "T", {{"name", "Name", "", Unit::text}, {"bytes", "Bytes", "", Unit::byte}}, {}};
  const auto add = [&](Cell name, Cell bytes) {
    table.rows.push_back({{std::move(name), std::move(bytes)}, {}});
  };
  add(std::string("bee"), 2e9);
  add(std::string("Ant"), Cell());
  add(std::string("cat"), 1e9);
  add(Cell(), 3e9);
  return table;
}

TEST(SortedRows, OrdersNumbersByValueWithEmptyCellsLastEitherWay) {
  EXPECT_THAT(sorted_rows(animals(), 1, false), ElementsAre(2, 0, 3, 1));
  EXPECT_THAT(sorted_rows(animals(), 1, true), ElementsAre(3, 0, 2, 1));
}

TEST(SortedRows, OrdersTextsWithoutRegardToCase) {
  EXPECT_THAT(sorted_rows(animals(), 0, false), ElementsAre(1, 0, 2, 3));
  EXPECT_THAT(sorted_rows(animals(), 0, true), ElementsAre(2, 0, 1, 3));
}

TEST(SortedRows, KeepsTheOrderOfEqualRows) {
  Table table = animals();
  for (Row& row : table.rows) {
    row.cells[1] = 7.0;
  }
  EXPECT_THAT(sorted_rows(table, 1, false), ElementsAre(0, 1, 2, 3));
  EXPECT_THAT(sorted_rows(table, 1, true), ElementsAre(0, 1, 2, 3));
}

TEST(SortedRows, TreatsNanAsNotMeasured) {
  Table table = animals();
  table.rows[0].cells[1] = std::nan("");
  EXPECT_THAT(sorted_rows(table, 1, true), ElementsAre(3, 2, 0, 1));
}

TEST(SortedRows, KeepsTableOrderForAColumnThatDoesNotExist) {
  EXPECT_THAT(sorted_rows(animals(), 9, false), ElementsAre(0, 1, 2, 3));
}

TEST(FilteredRows, SearchesThePrintedCells) {
  EXPECT_THAT(filtered_rows(animals(), "ANT"), ElementsAre(1));
  EXPECT_THAT(filtered_rows(animals(), "00 gb"), ElementsAre(0, 2, 3));
  EXPECT_THAT(filtered_rows(animals(), "n/a"), ElementsAre(1, 3));
  EXPECT_THAT(filtered_rows(animals(), ""), ElementsAre(0, 1, 2, 3));
  EXPECT_THAT(filtered_rows(animals(), "dog"), IsEmpty());
}

TEST(WithoutEmptyColumns, DropsWhatNoRowHas) {
  Table table = animals();
  for (Row& row : table.rows) {
    row.cells[1] = Cell();
  }
  const Table kept = without_empty_columns(table);
  ASSERT_EQ(kept.columns.size(), 1U);
  EXPECT_EQ(kept.columns[0].id, "name");
  EXPECT_EQ(kept.rows.size(), 4U);
  EXPECT_EQ(kept.rows[0].cells.size(), 1U);
}

TEST(ColumnIndex, FindsByIdOnly) {
  EXPECT_EQ(column_index(animals(), "bytes"), 1U);
  EXPECT_EQ(column_index(animals(), "Bytes"), std::nullopt);
}

}  // namespace
}  // namespace ridgepoint
