// `measure_attention` on a machine without a GPU: what it refuses, and what it leaves behind.
#include "collector/attention/measure.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "collector/cuda/device.h"
#include "tests/support/temp_dir.h"

namespace ridgepoint::collector {
namespace {

class MeasureWithoutGpu : public ::testing::Test {
 protected:
  AttentionRunOptions options() {
    AttentionRunOptions options;
    options.shape.batch = 1;
    options.shape.heads = options.shape.kv_heads = 1;
    options.shape.seqlen_q = options.shape.seqlen_k = 128;
    options.shape.head_dim = 64;
    options.shape.dtype = "fp16";
    options.output = folder / "run.ridge";
    return options;
  }
  test::TempDir folder;
};

TEST_F(MeasureWithoutGpu, MissingGpuIsADeviceErrorWithAHintAndLeavesNoFile) {
  if (select_device(0)) {
    GTEST_SKIP() << "this machine has a GPU";
  }
  const auto outcome = measure_attention(options(), {});
  ASSERT_FALSE(outcome);
  EXPECT_EQ(outcome.error().domain, ErrorDomain::device);
  EXPECT_EQ(exit_code_for(outcome.error()), ExitCode::device);
  EXPECT_THAT(outcome.error().hint, ::testing::HasSubstr("ridgepoint demo"));
  EXPECT_TRUE(std::filesystem::is_empty(folder.path()));
}

TEST_F(MeasureWithoutGpu, BadRequestIsAUsageErrorBeforeAnyDeviceIsAsked) {
  AttentionRunOptions bad_type = options();
  bad_type.shape.dtype = "int3";
  AttentionRunOptions no_repeats = options();
  no_repeats.latency_repeats = 0;
  for (const AttentionRunOptions& bad : {bad_type, no_repeats}) {
    const auto outcome = measure_attention(bad, {});
    ASSERT_FALSE(outcome);
    EXPECT_EQ(outcome.error().domain, ErrorDomain::usage);
  }
}

}  // namespace
}  // namespace ridgepoint::collector
