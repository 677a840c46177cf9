#include "analyzer/import/csv.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace ridgepoint::importing {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

std::vector<std::vector<std::string>> rows_of(std::string_view text, char delimiter = ',') {
  CsvReader reader(text, delimiter);
  std::vector<std::vector<std::string>> rows;
  Row row;
  while (reader.next(row)) {
    rows.emplace_back(row.begin(), row.end());
  }
  return rows;
}

TEST(Csv, SplitsRowsAndCells) {
  EXPECT_THAT(rows_of("a,b\nc,,d\n"),
              ElementsAre(ElementsAre("a", "b"), ElementsAre("c", "", "d")));
  EXPECT_THAT(rows_of("a,b\r\nc,d"), ElementsAre(ElementsAre("a", "b"), ElementsAre("c", "d")));
  EXPECT_THAT(rows_of("a,\n"), ElementsAre(ElementsAre("a", "")));
  EXPECT_THAT(rows_of("a;b", ';'), ElementsAre(ElementsAre("a", "b")));
  EXPECT_THAT(rows_of(""), IsEmpty());
}

TEST(Csv, QuotedFieldsHoldDelimitersLineEndsAndQuotes) {
  EXPECT_THAT(
      rows_of("\"f(int, int)\",\"two\nlines\",\"say \"\"hi\"\"\"\nx,y"),
      ElementsAre(ElementsAre("f(int, int)", "two\nlines", "say \"hi\""), ElementsAre("x", "y")));
  EXPECT_THAT(rows_of("\"\",\"\"\"\""), ElementsAre(ElementsAre("", "\"")));
}

TEST(Csv, KeepsTextAfterAClosingQuote) {
  EXPECT_THAT(rows_of("\"a\"b,c"), ElementsAre(ElementsAre("ab", "c")));
  EXPECT_THAT(rows_of("\"%\" ,\"42\"\r\n"), ElementsAre(ElementsAre("% ", "42")));
}

TEST(Csv, CountsLinesInsideQuotes) {
  CsvReader reader("\"1\n2\n3\"\nx\n", ',');
  Row row;
  ASSERT_TRUE(reader.next(row));
  EXPECT_EQ(reader.line(), 1U);
  ASSERT_TRUE(reader.next(row));
  EXPECT_EQ(reader.line(), 4U);
}

TEST(Csv, SaysWhereAQuoteNeverCloses) {
  CsvReader reader("a,b\nc,\"d\ne,f\n", ',');
  Row row;
  ASSERT_TRUE(reader.next(row));
  EXPECT_FALSE(reader.next(row));
  EXPECT_EQ(reader.fault(), "the quoted field that begins in line 2 never ends");
  EXPECT_FALSE(reader.next(row)) << "and does not go on";
}

TEST(Csv, RefusesARowOfEndlessCells) {
  const std::string text(csv_cells_a_row_limit + 5, ',');
  CsvReader reader(text, ',');
  Row row;
  EXPECT_FALSE(reader.next(row));
  EXPECT_EQ(reader.fault(), "line 1 has more than 65536 cells");
}

}  // namespace
}  // namespace ridgepoint::importing
