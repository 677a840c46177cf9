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

TEST(LaunchFilter, TakesPatternsAsNsightComputeWritesThem) {
  FilterOptions options;
  options.kernel = "regex:gemm";
  options.no_replay = "regex:^nccl";
  const LaunchFilter filter = filter_of(options);
  EXPECT_TRUE(filter.kernel_matches("my_gemm_kernel(float*)"));
  EXPECT_FALSE(filter.kernel_matches("softmax(float*)"));
  EXPECT_FALSE(filter.may_replay("ncclDevKernel_AllReduce"));
}

TEST(LaunchFilter, WithoutOptionsTakesEveryLaunch) {
  LaunchFilter filter = filter_of({});
  EXPECT_TRUE(filter.kernel_matches("anything"));
  EXPECT_TRUE(filter.may_replay("ncclDevKernel_AllReduce"));
  EXPECT_EQ(filter.ranges(), nullptr);
  EXPECT_TRUE(filter.device_matches(3));
  EXPECT_TRUE(filter.timing_matches(1, {}, {}));
  EXPECT_TRUE(filter.take("k", 0));
  EXPECT_FALSE(filter.exhausted());
}

TEST(LaunchFilter, SkipAndCountMakeAWindow) {
  FilterOptions options;
  options.launch_skip = 2;
  options.launch_count = 2;
  LaunchFilter filter = filter_of(options);
  EXPECT_FALSE(filter.take("k", 0));
  EXPECT_FALSE(filter.take("k", 0));
  EXPECT_TRUE(filter.take("k", 0));
  EXPECT_FALSE(filter.exhausted());
  EXPECT_TRUE(filter.take("k", 0));
  EXPECT_TRUE(filter.exhausted());
  EXPECT_FALSE(filter.take("k", 0));
}

TEST(LaunchFilter, NthCountsEachKernelOnEachDevice) {
  FilterOptions options;
  options.nth = "2,4-";
  LaunchFilter filter = filter_of(options);
  const auto taken = [&](const char* kernel, std::uint32_t device) {
    std::string pattern;
    for (int i = 0; i < 5; ++i) {
      pattern += filter.take(kernel, device) ? 'x' : '.';
    }
    return pattern;
  };
  EXPECT_EQ(taken("a", 0), ".x.xx");
  EXPECT_EQ(taken("b", 0), ".x.xx");
  EXPECT_EQ(taken("a", 1), ".x.xx");
}

TEST(LaunchFilter, SkipAndCountApplyToWhatNthLeaves) {
  FilterOptions options;
  options.nth = "2";
  options.launch_skip = 1;
  LaunchFilter filter = filter_of(options);
  EXPECT_FALSE(filter.take("a", 0));
  EXPECT_FALSE(filter.take("a", 0)) << "the first that --nth leaves is skipped";
  EXPECT_FALSE(filter.take("b", 0));
  EXPECT_TRUE(filter.take("b", 0));
}

TEST(LaunchFilter, ListsThatAreNoneNameTheOption) {
  for (const char* list : {"0", "x", "3-1", "1,,2", "-4", "1-2-3", "99999999999999999999"}) {
    FilterOptions options;
    options.nth = list;
    const auto filter = LaunchFilter::create(options);
    ASSERT_FALSE(filter) << list;
    EXPECT_NE(filter.error().what.find("--nth"), std::string::npos);
  }
}

TEST(LaunchFilter, DevicesAreChosenByTheirNumbers) {
  FilterOptions options;
  options.devices = {0, 2};
  const LaunchFilter filter = filter_of(options);
  EXPECT_TRUE(filter.device_matches(2));
  EXPECT_FALSE(filter.device_matches(1));
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
