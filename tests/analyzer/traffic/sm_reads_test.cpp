#include "analyzer/traffic/sm_reads.h"

#include <gtest/gtest.h>

namespace ridgepoint {
namespace {

KernelAnalysis counted(std::vector<std::pair<std::string, double>> quantities) {
  KernelAnalysis kernel;
  kernel.quantities = std::move(quantities);
  return kernel;
}

TEST(SmReads, AreReceivedAtOneEndAndLookedUpAtTheOther) {
  const auto reads = sm_reads(counted({{"sm_received_bytes", 1000}, {"l2_sm_read_bytes", 600}}));
  ASSERT_TRUE(reads);
  EXPECT_EQ(reads->received, 1000);
  EXPECT_EQ(reads->looked_up, 600);
  EXPECT_EQ(reads->merged(), 400);
}

// Answers to atomics are looked up and not received.
TEST(SmReads, NothingMetWhereMoreWasLookedUpThanReceived) {
  EXPECT_EQ(sm_reads(counted({{"sm_received_bytes", 10}, {"l2_sm_read_bytes", 11}}))->merged(), 0);
}

TEST(SmReads, OlderSessionsHaveThemOfTmaWhereItReceivedMoreThanAllThatWasSent) {
  EXPECT_EQ(sm_reads(counted({{"tma_load_bytes", 100}, {"l2_to_sm_bytes", 80}}))->merged(), 20);
  EXPECT_FALSE(sm_reads(counted({{"tma_load_bytes", 100}, {"l2_to_sm_bytes", 120}})))
      << "what else was sent is not known";
}

TEST(SmReads, AreNotKnownFromOneEnd) {
  EXPECT_FALSE(sm_reads(counted({{"sm_received_bytes", 1000}})));
  EXPECT_FALSE(sm_reads(counted({})));
}

TEST(SmReads, OfAVariantAddUpOverItsKernels) {
  Analysis analysis;
  analysis.kernels = {counted({{"sm_received_bytes", 10}, {"l2_sm_read_bytes", 7}}), counted({}),
                      counted({{"sm_received_bytes", 5}, {"l2_sm_read_bytes", 5}})};
  VariantAnalysis variant;
  variant.kernels = {0, 1, 2};
  EXPECT_EQ(sm_reads(analysis, variant)->received, 15);
  EXPECT_EQ(sm_reads(analysis, variant)->merged(), 3);
  variant.kernels = {1};
  EXPECT_FALSE(sm_reads(analysis, variant));
}

}  // namespace
}  // namespace ridgepoint
