#include "collector/cupti/unknown_counters.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "analyzer/core/data_path.h"

namespace ridgepoint::collector {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;
using ::testing::StartsWith;

std::string hint(const std::vector<std::string>& names, const std::string& chip = "GH100") {
  const auto data = data_directory();
  EXPECT_TRUE(data);
  return unknown_counters_hint(chip, names, data.value_or(""));
}

TEST(UnknownCounters, TheNearestOfTheChipIsNamed) {
  EXPECT_THAT(hint({"dram__bytes_raed.sum"}), StartsWith("did you mean dram__bytes_read.sum? "));
  EXPECT_THAT(hint({"dram__bytes_read"}), StartsWith("did you mean dram__bytes_read.sum? "));
  EXPECT_THAT(hint({"no__such_counter.sum", "dram__bytes_wriet.sum"}),
              StartsWith("did you mean dram__bytes_write.sum? "));
  const std::string longer = "smsp__sass_thread_inst_executed_op_fadd_perd_on.sum";
  EXPECT_THAT(hint({longer}),
              StartsWith("did you mean smsp__sass_thread_inst_executed_op_fadd_pred_on.sum? "));
}

TEST(UnknownCounters, AProfileMayHaveBeenMeant) {
  EXPECT_THAT(hint({"defualt"}), StartsWith("did you mean default? "));
}

TEST(UnknownCounters, AllCanBeAskedForAndAreListedSomewhere) {
  for (const char* chip : {"GH100", "GX999"}) {
    const std::string text = hint({"no__such_counter.sum"}, chip);
    EXPECT_THAT(text, Not(HasSubstr("did you mean")));
    EXPECT_THAT(text, HasSubstr("any counter of CUPTI"));
    EXPECT_THAT(text, HasSubstr(std::string("`ridgepoint metrics ") + chip));
    EXPECT_THAT(text, HasSubstr("ncu --query-metrics --chips g"));
  }
}

}  // namespace
}  // namespace ridgepoint::collector
