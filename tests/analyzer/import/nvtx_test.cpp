#include "analyzer/import/nvtx.h"

#include <gtest/gtest.h>

namespace ridgepoint::importing {
namespace {

TEST(NvtxCell, GivesThreadDomainAndName) {
  std::vector<NvtxRange> ranges;
  EXPECT_EQ(append_ranges("1475  \"<default domain>:fwd:none:none:none:none:none:none\" ", ranges),
            0);
  ASSERT_EQ(ranges.size(), 1U);
  EXPECT_EQ(ranges[0].name, "fwd");
  EXPECT_EQ(ranges[0].domain, "<default domain>");
  EXPECT_EQ(ranges[0].thread, 1475U);
  EXPECT_EQ(ranges[0].parent, no_index);
}

TEST(NvtxCell, NestsRangesOutermostFirst) {
  std::vector<NvtxRange> ranges(3);
  EXPECT_EQ(
      append_ranges("7 \"d:a::b:none:none:none:none:none:none\" \"d:in:none:1:2:3:4:5\"", ranges),
      4);
  EXPECT_EQ(ranges[3].name, "a::b") << "a name may hold colons";
  EXPECT_EQ(ranges[4].name, "in");
  EXPECT_EQ(ranges[4].parent, 3);
}

TEST(NvtxCell, HoldsNoRangeWhenItIsMalformed) {
  std::vector<NvtxRange> ranges;
  EXPECT_EQ(append_ranges("", ranges), no_index);
  EXPECT_EQ(append_ranges("12 \"open", ranges), no_index);
  EXPECT_TRUE(ranges.empty());
}

}  // namespace
}  // namespace ridgepoint::importing
