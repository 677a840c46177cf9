#include "collector/profile/launch_filter.h"

#include <gtest/gtest.h>

namespace ridgepoint::collector {
namespace {

LaunchFilter filter_of(const FilterOptions& options) {
  Result<LaunchFilter> filter = LaunchFilter::create(options);
  EXPECT_TRUE(filter) << format_error(filter.error());
  return std::move(*filter);
}

TEST(LaunchFilter, MatchesTheDemangledNameOrTheBaseName) {
  FilterOptions options;
  options.kernel = "^gemm$";
  const LaunchFilter by_base = filter_of(options);
  EXPECT_TRUE(by_base.kernel_matches("void ns::gemm<float, 4>(float*)"));
  EXPECT_FALSE(by_base.kernel_matches("void ns::gemm_split<float>(float*)"));
  options.kernel = "gemm<float";
  EXPECT_TRUE(filter_of(options).kernel_matches("void ns::gemm<float, 4>(float*)"));
}

TEST(LaunchFilter, WithoutOptionsTakesEveryLaunch) {
  LaunchFilter filter = filter_of({});
  EXPECT_TRUE(filter.kernel_matches("anything"));
  EXPECT_TRUE(filter.may_replay("ncclDevKernel_AllReduce"));
  EXPECT_FALSE(filter.needs_range());
  EXPECT_TRUE(filter.take());
  EXPECT_FALSE(filter.exhausted());
}

TEST(LaunchFilter, SkipAndCountMakeAWindow) {
  FilterOptions options;
  options.launch_skip = 2;
  options.launch_count = 2;
  LaunchFilter filter = filter_of(options);
  EXPECT_FALSE(filter.take());
  EXPECT_FALSE(filter.take());
  EXPECT_TRUE(filter.take());
  EXPECT_FALSE(filter.exhausted());
  EXPECT_TRUE(filter.take());
  EXPECT_TRUE(filter.exhausted());
  EXPECT_FALSE(filter.take());
}

TEST(LaunchFilter, RangesMatchByNameAndDomain) {
  FilterOptions options;
  options.nvtx = "^step";
  options.nvtx_domain = "train";
  const LaunchFilter filter = filter_of(options);
  EXPECT_TRUE(filter.needs_range());
  EXPECT_TRUE(filter.range_matches("train", "step 7"));
  EXPECT_FALSE(filter.range_matches("eval", "step 7"));
  EXPECT_FALSE(filter.range_matches("train", "warm-up step"));
}

TEST(LaunchFilter, KernelsThatWaitForPeersAreNotReplayed) {
  FilterOptions options;
  options.no_replay = "^nccl";
  const LaunchFilter filter = filter_of(options);
  EXPECT_FALSE(filter.may_replay("ncclDevKernel_AllReduce_Sum_f32_RING_LL(ncclDevComm*)"));
  EXPECT_TRUE(filter.may_replay("gemm"));
}

TEST(LaunchFilter, ABadPatternNamesItsOption) {
  FilterOptions options;
  options.kernel = "gemm(";
  const auto filter = LaunchFilter::create(options);
  ASSERT_FALSE(filter);
  EXPECT_EQ(filter.error().domain, ErrorDomain::usage);
  EXPECT_NE(filter.error().what.find("--kernel"), std::string::npos);
}

TEST(LaunchFilter, NamesOfTemplatesMayBeVeryLong) {
  FilterOptions options;
  options.kernel = "a.*b.*c";
  EXPECT_FALSE(filter_of(options).kernel_matches(std::string(200000, 'a')));
}

}  // namespace
}  // namespace ridgepoint::collector
