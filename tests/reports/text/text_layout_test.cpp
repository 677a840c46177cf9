#include "reports/text/text_layout.h"

#include <gtest/gtest.h>

namespace ridgepoint {
namespace {

TEST(Wrap, BreaksBetweenWordsAndIndents) {
  EXPECT_EQ(wrap("one two three", 9, "- ", "  "), "- one two\n  three\n");
}

TEST(Wrap, CutsAWordThatIsLongerThanALine) {
  EXPECT_EQ(wrap("abcdefgh", 4, "", ""), "abcd\nefgh\n");
  EXPECT_EQ(wrap("x abcdefgh", 6, "> ", "> "), "> x\n> abcd\n> efgh\n");
}

TEST(Wrap, PrintsAnEmptyTextAsItsIndentOnly) {
  EXPECT_EQ(wrap("", 9, "- ", ""), "-\n");
}

TEST(TextTable, StandsNumbersToTheRight) {
  const Table table{"t",
                    "T",
                    {{"n", "Name", "", Unit::text}, {"b", "Bytes", "", Unit::byte}},
                    {{{std::string("a"), 2e9}, {}}, {{std::string("bcdef"), Cell()}, {}}}};
  EXPECT_EQ(text_table(table, 80), "  Name     Bytes\n  a      2.00 GB\n  bcdef      n/a\n");
}

TEST(TextTable, LeavesOutColumnsThatDoNotFitAndSaysSo) {
  Table table{"t", "T", {{"n", "Name", "", Unit::text}}, {{{std::string("a")}, {}}}};
  for (int i = 0; i < 5; ++i) {
    table.columns.push_back({"c", "Column", "", Unit::count});
    table.rows[0].cells.push_back(1.0);
  }
  EXPECT_EQ(text_table(table, 24),
            "  Name  Column  Column\n  a          1       1\n"
            "  (3 more columns do not fit this width)\n");
}

TEST(TextTable, CutsNamesThatWouldLeaveNoRoomForAnyNumber) {
  const Table table{"t",
                    "T",
                    {{"v", "Variant", "", Unit::text},
                     {"k", "Kernel", "", Unit::text},
                     {"b", "Bytes", "", Unit::byte}},
                    {{{std::string("hopper"), std::string(38, 'k'), 2e9}, {}}}};
  EXPECT_EQ(text_table(table, 50),
            "  Variant  Kernel                  Bytes\n"
            "  hopper   kkkkkkkkkk…kkkkkkkkk  2.00 GB\n");
}

TEST(TextTable, ShowsTwoKernelsWithOneBeginningApart) {
  const std::string name = "distribution_elementwise_grid_stride_kernel";
  const Table table{"t",
                    "T",
                    {{"k", "Kernel", "", Unit::text}, {"b", "Bytes", "", Unit::byte}},
                    {{{name + "<float>", 2e9}, {}}, {{name + "<double>", 2e9}, {}}}};
  EXPECT_EQ(text_table(table, 80),
            "  Kernel                                      Bytes\n"
            "  distribution_element…tride_kernel<float>  2.00 GB\n"
            "  distribution_element…ride_kernel<double>  2.00 GB\n");
}

TEST(TextTableInParts, RepeatsTheFirstColumnAndLosesNone) {
  Table table{"t", "T", {{"n", "Name", "", Unit::text}}, {{{std::string("a")}, {}}}};
  for (const char* title : {"Column1", "Column2", "Column3"}) {
    table.columns.push_back({"c", title, "", Unit::count});
    table.rows[0].cells.push_back(1.0);
  }
  EXPECT_EQ(text_table_in_parts(table, 24),
            "  Name  Column1  Column2\n  a           1        1\n\n"
            "  Name  Column3\n  a           1\n");
  EXPECT_EQ(text_table_in_parts(table, table_width(table)), text_table(table, 80));
}

TEST(TextTableInParts, ShowsAColumnThatIsWiderThanTheScreen) {
  const Table table{"t",
                    "T",
                    {{"n", "Name", "", Unit::text}, {"b", "Bytes", "", Unit::byte}},
                    {{{std::string("a"), 2e9}, {}}}};
  EXPECT_EQ(text_table_in_parts(table, 3), "  Name    Bytes\n  a     2.00 GB\n");
}

}  // namespace
}  // namespace ridgepoint
