#include "analyzer/analysis/waiting_kernels.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "analyzer/analysis/checks.h"

namespace ridgepoint {
namespace {

using ::testing::HasSubstr;
using ::testing::IsEmpty;

KernelAnalysis counted(const char* name) {
  KernelAnalysis kernel;
  kernel.name = kernel.short_name = name;
  kernel.bandwidth[MemoryLevel::hbm] = 1e10;
  return kernel;
}

TEST(WaitingKernels, CountersOfKernelsThatWaitForPeersAreSaidToCoverTheWait) {
  Analysis analysis;
  analysis.kernels = {counted("gemm(float*)"),
                      counted("ncclDevKernel_AllReduce_Sum_f32_RING_LL(ncclDevKernelArgs)"),
                      counted("void nvshmem::barrier_kernel<4>(int)"),
                      counted("nvshmemi_barrier(int)")};
  const std::vector<Issue> issues = check_consistency(analysis);
  ASSERT_EQ(issues.size(), 1U);
  EXPECT_EQ(issues[0].code, "kernels.waiting");
  EXPECT_THAT(issues[0].text, HasSubstr("AllReduce"));
  EXPECT_THAT(issues[0].text, HasSubstr("and 1 more")) << "a namespace is no kernel's name";
}

TEST(WaitingKernels, TheirTimesAloneRaiseNothing) {
  Analysis analysis;
  analysis.kernels = {counted("ncclDevKernel_AllGather(int)")};
  analysis.kernels[0].bandwidth = {};
  analysis.kernels[0].time_s = 1e-3;
  EXPECT_THAT(check_consistency(analysis), IsEmpty());
  analysis.kernels[0].stall_samples = 100;
  EXPECT_EQ(check_consistency(analysis).size(), 1U);
}

}  // namespace
}  // namespace ridgepoint
