#include "collector/cupti/pc_sampler.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/collector/cupti/fake_cupti.h"

namespace ridgepoint::collector {
namespace {

using ::testing::ElementsAre;

TEST(StallReasonName, SplitsReasonFromTheSecondCount) {
  const auto all = parse_stall_reason("smsp__pcsamp_warps_issue_stalled_long_scoreboard");
  ASSERT_TRUE(all);
  EXPECT_EQ(all->reason, "long_scoreboard");
  EXPECT_FALSE(all->not_issued);
  const auto idle = parse_stall_reason("smsp__pcsamp_warps_issue_stalled_wait_not_issued");
  ASSERT_TRUE(idle);
  EXPECT_EQ(idle->reason, "wait");
  EXPECT_TRUE(idle->not_issued);
}

TEST(StallReasonName, TotalsAreNoReasons) {
  EXPECT_FALSE(parse_stall_reason("smsp__pcsamp_sample_count"));
  EXPECT_FALSE(parse_stall_reason("smsp__pcsamp_samples_data_dropped"));
}

class PcSamplerTest : public ::testing::Test {
 protected:
  Result<PcSamples> sample() {
    Result<PcSampler> sampler = PcSampler::create(api, nullptr, 12);
    if (!sampler) {
      return tl::make_unexpected(sampler.error());
    }
    const Status done = sampler->start().and_then([&] { return sampler->stop(); });
    if (!done) {
      return tl::make_unexpected(done.error());
    }
    return sampler->take();
  }
  test::FakeCupti fake;
  CuptiApi api = fake.api();
};

TEST_F(PcSamplerTest, FoldsBothCountsOfAReasonIntoOneRowAnInstruction) {
  fake.batches = {{{16, 1, 30}, {16, 2, 20}, {32, 3, 5}}};
  const Result<PcSamples> samples = sample();
  ASSERT_TRUE(samples) << format_error(samples.error());
  EXPECT_THAT(samples->reasons, ElementsAre("wait", "long_scoreboard"));
  ASSERT_EQ(samples->records.size(), 2U);
  EXPECT_EQ(samples->records[0].function, "_Z6kernelv");
  EXPECT_EQ(samples->records[0].pc_offset, 16U);
  EXPECT_EQ(samples->records[0].samples, 30U);
  EXPECT_EQ(samples->records[0].samples_not_issued, 20U);
  EXPECT_EQ(samples->records[1].pc_offset, 32U);
  EXPECT_EQ(samples->records[1].samples, 5U);
  EXPECT_EQ(samples->period_cycles, 4096U);
}

TEST_F(PcSamplerTest, AddsUpWhatArrivesInSeveralBatches) {
  fake.batches = {{{16, 1, 30}}, {{16, 1, 12}, {48, 1, 1}}};
  const Result<PcSamples> samples = sample();
  ASSERT_TRUE(samples);
  ASSERT_EQ(samples->records.size(), 2U);
  EXPECT_EQ(samples->records[0].samples, 42U);
  EXPECT_EQ(samples->total, 43U);
}

TEST_F(PcSamplerTest, FullHardwareBufferIsToldAndKeepsWhatCame) {
  fake.batches = {{{16, 1, 30}}};
  fake.failures["cuptiPCSamplingGetData"] = CUPTI_ERROR_OUT_OF_MEMORY;
  const Result<PcSamples> samples = sample();
  ASSERT_TRUE(samples);
  EXPECT_TRUE(samples->hardware_buffer_full);
  EXPECT_EQ(samples->records.size(), 1U);
}

TEST_F(PcSamplerTest, RefusedPrivilegesSurfaceWithTheirCode) {
  fake.failures["cuptiPCSamplingEnable"] = CUPTI_ERROR_INSUFFICIENT_PRIVILEGES;
  const Result<PcSamples> samples = sample();
  ASSERT_FALSE(samples);
  EXPECT_EQ(samples.error().code, CUPTI_ERROR_INSUFFICIENT_PRIVILEGES);
}

TEST_F(PcSamplerTest, SamplingIsSwitchedOffWhenItsConfigurationIsRefused) {
  fake.failures["cuptiPCSamplingSetConfigurationAttribute"] = CUPTI_ERROR_INVALID_PARAMETER;
  EXPECT_FALSE(sample());
  EXPECT_TRUE(fake.was_called("cuptiPCSamplingDisable"));
}

}  // namespace
}  // namespace ridgepoint::collector
