#include "analyzer/import/header.h"

#include <gtest/gtest.h>

namespace ridgepoint::importing {
namespace {

TEST(FindHeader, PassesOverWhatStandsBeforeTheTable) {
  const std::string preamble =
      "==PROF== Connected to process 1\n\"an unbalanced quote, ID\nresult: 3, Name: x\n";
  const auto header = find_header(preamble + "\"ID\",\"Kernel Name\",\"dram__bytes_read.sum\"\n");
  ASSERT_TRUE(header);
  EXPECT_EQ(header->offset, preamble.size());
  EXPECT_EQ(header->layout, Layout::raw);
}

TEST(FindHeader, TellsTheLayouts) {
  const auto layout = [](const char* text) {
    const auto header = find_header(text);
    EXPECT_TRUE(header) << text;
    return header ? header->layout : Layout::raw;
  };
  EXPECT_EQ(layout("ID,Kernel Name,Section Name,Metric Name,Metric Unit,Metric Value\n"),
            Layout::details);
  EXPECT_EQ(layout("Kernel Name,Invocations,Metric Name,Metric Unit,Minimum,Maximum,Average\n"),
            Layout::details);
  EXPECT_EQ(layout("\"Kernel Name\",\"gpu__time_duration.sum\"\n"), Layout::raw);
  EXPECT_EQ(layout("\"ID\",\"\",\"0\",\"1\"\n\"Kernel Name\",\"\",\"a()\",\"b()\"\n"),
            Layout::transposed);
  EXPECT_EQ(layout("\"Metric Name\",\"Metric Unit\",\"a()\"\ngpu__time_duration.sum,us,3\n"),
            Layout::transposed);
}

TEST(FindHeader, TakesSemicolonsAndTabs) {
  EXPECT_EQ(find_header("ID;Kernel Name;Metric Name;Metric Value\n")->delimiter, ';');
  EXPECT_EQ(find_header("ID\tKernel Name\tMetric Name\tMetric Value\n")->delimiter, '\t');
}

TEST(FindHeader, IsEmptyForProse) {
  EXPECT_FALSE(find_header(""));
  EXPECT_FALSE(find_header("Dear ID, my Kernel Name is long, and so on\n"));
  EXPECT_FALSE(find_header("ID,1,2,3\nother,4,5,6\n"));
}

TEST(FindHeader, GivesUpOnALogOfLinesThatOnlyLookLikeOne) {
  std::string text;
  for (int i = 0; i < 150000; ++i) {
    text += "ID,1\n";
  }
  EXPECT_FALSE(find_header(text + "ID,Kernel Name,gpu__time_duration.sum\n"));
}

}  // namespace
}  // namespace ridgepoint::importing
