#include "analyzer/open/open_analysis.h"

#include <gtest/gtest.h>

#include "analyzer/core/file.h"
#include "tests/support/temp_dir.h"

namespace ridgepoint {
namespace {

const std::filesystem::path source_root = RIDGEPOINT_SOURCE_DIR;

TEST(OpenAnalysis, CallsASessionARecording) {
  const Result<Analysis> analysis =
      open_analysis(source_root / "data/recordings/attention-n16384-d64.ridge");
  ASSERT_TRUE(analysis) << format_error(analysis.error());
  EXPECT_EQ(analysis->source, Source::recording);
  ASSERT_GE(analysis->variants.size(), 2U);
  EXPECT_EQ(analysis->variants[0].name, "naive");
  EXPECT_EQ(analysis->variants[1].name, "fused");
}

TEST(OpenAnalysis, CallsAnExportImportedAndPlacesItsKernelsOnTheRoofline) {
  const Result<Analysis> analysis =
      open_analysis(source_root / "tests/data/nsight-compute/three-kernels-cache-none.raw.csv");
  ASSERT_TRUE(analysis) << format_error(analysis.error());
  EXPECT_EQ(analysis->source, Source::imported);
  ASSERT_FALSE(analysis->kernels.empty());
  for (const KernelAnalysis& kernel : analysis->kernels) {
    EXPECT_TRUE(kernel.traffic[MemoryLevel::hbm].total) << kernel.short_name;
    EXPECT_TRUE(kernel.time_s) << kernel.short_name;
  }
}

// A details page holds no bytes: what binds, and how much is left, is what Nsight's own percentages
// say, and not passed off as a verdict of our roofs.
TEST(OpenAnalysis, NamesWhoseBoundItIsOnADetailsPage) {
  for (const char* page : {"sdpa-math-fwd-bwd", "three-kernels-cache-none"}) {
    const Result<Analysis> analysis = open_analysis(source_root / "tests/data/nsight-compute" /
                                                    (std::string(page) + ".details.csv"));
    ASSERT_TRUE(analysis) << format_error(analysis.error());
    for (const KernelAnalysis& kernel : analysis->kernels) {
      if (!kernel.utilisation[MemoryLevel::hbm]) {
        EXPECT_NE(kernel.bound_by, BoundBy::unknown) << kernel.short_name;
        EXPECT_TRUE(kernel.headroom) << kernel.short_name;
        EXPECT_EQ(kernel.bound_basis, "Nsight Compute's throughput percentages");
      }
      EXPECT_LE(kernel.memory_stall_ratio.value_or(0), 1.0) << kernel.short_name;
    }
  }
}

// Both pages of one recording of a copy kernel: 89.4 % of the DRAM's throughput by Nsight.
TEST(OpenAnalysis, BindsACopyByDramOnEitherPage) {
  for (const char* page : {"details", "raw"}) {
    const Result<Analysis> analysis =
        open_analysis(source_root / "tests/data/nsight-compute" /
                      (std::string("three-kernels-cache-none.") + page + ".csv"));
    ASSERT_TRUE(analysis) << format_error(analysis.error());
    for (const KernelAnalysis& kernel : analysis->kernels) {
      if (kernel.short_name == "copyk") {
        EXPECT_EQ(kernel.bound_by, BoundBy::hbm) << page;
        EXPECT_NEAR(*kernel.headroom, 1.119, 0.005) << page;
      }
    }
  }
}

// PyTorch's softmax of naive attention keeps the schedulers busy, not its arithmetic.
TEST(OpenAnalysis, CallsNoKernelComputeBoundForItsIssueSlots) {
  const Result<Analysis> analysis =
      open_analysis(source_root / "tests/data/nsight-compute/sdpa-math-fwd-bwd.raw.csv");
  ASSERT_TRUE(analysis) << format_error(analysis.error());
  for (const KernelAnalysis& kernel : analysis->kernels) {
    if (kernel.bound_by == BoundBy::compute) {
      EXPECT_TRUE(!kernel.bound_pipe.empty() || kernel.compute_utilisation.value_or(0) >= 0.6)
          << kernel.short_name;
    }
  }
}

TEST(OpenAnalysis, SaysWhyAFileIsNeither) {
  const test::TempDir folder;
  ASSERT_TRUE(write_file(folder / "x", "hello", Overwrite::no));
  const Result<Analysis> analysis = open_analysis(folder / "x");
  ASSERT_FALSE(analysis);
  EXPECT_EQ(exit_code_for(analysis.error()), ExitCode::input);
  EXPECT_FALSE(analysis.error().why.empty());
}

}  // namespace
}  // namespace ridgepoint
