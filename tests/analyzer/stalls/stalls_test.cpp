#include "analyzer/stalls/stalls.h"

#include <gmock/gmock.h>

namespace ridgepoint {
namespace {

KernelAnalysis stalls_of(const Session& session, std::size_t kernel = 0) {
  KernelAnalysis analysis;
  analysis.session_kernel = kernel;
  fill_stalls(analysis, session, PcSamplesByKernel(session));
  return analysis;
}

TEST(Stalls, SharesAreOfAllSamplesIncludingThoseThatIssued) {
  Session session;
  session.kernels.resize(2);
  session.stall_reasons = {"selected", "long_scoreboard", "not_selected", "mio_throttle"};
  session.pc_samples = {{0, 0, 0, 20, 0},  {0, 16, 1, 25, 20}, {0, 32, 1, 25, 20},
                        {0, 32, 2, 20, 0}, {0, 48, 3, 10, 5},  {1, 0, 1, 999, 999}};
  const KernelAnalysis kernel = stalls_of(session);
  EXPECT_EQ(kernel.stall_samples, 100);
  ASSERT_EQ(kernel.stalls.size(), 4U);
  EXPECT_EQ(kernel.stalls.front().reason, "long_scoreboard");
  EXPECT_DOUBLE_EQ(kernel.stalls.front().share, 0.5);
  EXPECT_TRUE(kernel.stalls.front().memory);
  EXPECT_DOUBLE_EQ(*kernel.memory_stall_ratio, 0.6);
  double sum = 0;
  for (const StallShare& stall : kernel.stalls) {
    sum += stall.share;
  }
  EXPECT_DOUBLE_EQ(sum, 1.0);
}

Session sampled_on(std::int64_t first, std::int64_t second) {
  Session session;
  session.kernels.resize(1);
  session.stall_reasons = {"selected", "long_scoreboard"};
  session.pc_samples = {
      {0, 0, 0, 30, 0, first}, {0, 0, 1, 30, 30, first}, {0, 16, 1, 90, 9, second}};
  return session;
}

TEST(Stalls, SamplesOfSeveralDevicesAreAlsoGivenApart) {
  const KernelAnalysis kernel = stalls_of(sampled_on(0, 1));
  EXPECT_EQ(kernel.stall_samples, 150);
  EXPECT_DOUBLE_EQ(*kernel.memory_stall_ratio, 0.8);
  ASSERT_EQ(kernel.stalls_by_device.size(), 2U);
  EXPECT_EQ(kernel.stalls_by_device[0].device, 0);
  EXPECT_EQ(kernel.stalls_by_device[0].samples, 60);
  EXPECT_DOUBLE_EQ(*kernel.stalls_by_device[0].memory_stall_ratio, 0.5);
  EXPECT_EQ(kernel.stalls_by_device[1].samples, 90);
  EXPECT_DOUBLE_EQ(*kernel.stalls_by_device[1].memory_stall_ratio, 1);
}

TEST(Stalls, OneDeviceOrOneThatIsNotKnownIsNotGivenApart) {
  EXPECT_TRUE(stalls_of(sampled_on(1, 1)).stalls_by_device.empty());
  EXPECT_TRUE(stalls_of(sampled_on(0, no_index)).stalls_by_device.empty());
  EXPECT_TRUE(stalls_of(sampled_on(no_index, no_index)).stalls_by_device.empty());
}

TEST(Stalls, AKernelWithoutSamplesHasNoRatio) {
  EXPECT_FALSE(stalls_of(Session()).memory_stall_ratio);
}

TEST(Stalls, WithoutSamplesTheStallCountersServe) {
  KernelAnalysis kernel;
  kernel.quantities = {
      {"warp_cycles_active", 1000}, {"stall_long_scoreboard", 300}, {"stall_wait", 100}};
  const Session nothing;
  fill_stalls(kernel, nothing, PcSamplesByKernel(nothing));
  EXPECT_EQ(kernel.stall_samples, 0);
  EXPECT_DOUBLE_EQ(*kernel.memory_stall_ratio, 0.3);
  EXPECT_EQ(kernel.stalls.front().reason, "long_scoreboard");
}

TEST(Stalls, ReasonsThatSumToMoreThanAllWarpCyclesStillShareOneWhole) {
  KernelAnalysis kernel;
  kernel.quantities = {
      {"warp_cycles_active", 1000}, {"stall_long_scoreboard", 905}, {"stall_drain", 100}};
  const Session nothing;
  fill_stalls(kernel, nothing, PcSamplesByKernel(nothing));
  EXPECT_NEAR(*kernel.memory_stall_ratio, 1.0, 1e-12);
  EXPECT_NEAR(kernel.stalls.front().share, 905.0 / 1005, 1e-12);
}

TEST(Stalls, TheMemoryReasonsAreTheSixThatWaitForMemory) {
  for (const char* reason : {"long_scoreboard", "short_scoreboard", "lg_throttle", "mio_throttle",
                             "tex_throttle", "drain"}) {
    EXPECT_TRUE(is_memory_stall(reason)) << reason;
  }
  for (const char* reason :
       {"selected", "not_selected", "wait", "barrier", "math_pipe_throttle", "gmma", ""}) {
    EXPECT_FALSE(is_memory_stall(reason)) << reason;
  }
}

}  // namespace
}  // namespace ridgepoint
