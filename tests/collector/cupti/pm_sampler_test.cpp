#include "collector/cupti/pm_sampler.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/collector/cupti/fake_pm_sampling.h"

namespace ridgepoint::collector {
namespace {

using ::testing::DoubleNear;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

class PmSamplerTest : public ::testing::Test {
 protected:
  PmSamplerTest() {
    fake.passes_needed = 1;
    pm.fill(api);
  }
  Result<PmSeries> sample() {
    PmSamplerOptions options;
    options.chip = "GH100";
    options.counters = {"a.avg", "b.avg"};
    options.interval_ns = 10000;
    options.most_samples = 100;
    Result<PmSampler> sampler = PmSampler::create(api, options);
    if (!sampler) {
      return tl::make_unexpected(sampler.error());
    }
    const Status ran = sampler->start().and_then([&] { return sampler->stop(); });
    if (!ran) {
      return tl::make_unexpected(ran.error());
    }
    return sampler->take();
  }
  test::FakeCupti fake;
  test::FakePmSampling pm;
  CuptiApi api = fake.api();
};

TEST_F(PmSamplerTest, GivesAColumnACounterAndTimesFromTheFirstSample) {
  const auto series = sample();
  ASSERT_TRUE(series) << format_error(series.error());
  EXPECT_THAT(series->names, ElementsAre("a.avg", "b.avg"));
  EXPECT_THAT(series->columns, ElementsAre(ElementsAre(0, 10, 20), ElementsAre(1, 11, 21)));
  EXPECT_THAT(series->start_s, ElementsAre(0, DoubleNear(1e-5, 1e-12), DoubleNear(2e-5, 1e-12)));
  EXPECT_THAT(series->end_s.back(), DoubleNear(3e-5, 1e-12));
  EXPECT_DOUBLE_EQ(series->interval_s, 1e-5);
  EXPECT_FALSE(series->cut_off);
  EXPECT_EQ(pm.interval_asked, 10000U);
  EXPECT_TRUE(pm.was_called("cuptiPmSamplingDisable")) << "other tools get the counters back";
}

TEST_F(PmSamplerTest, AFullBufferKeepsWhatCameBeforeAndSaysSo) {
  pm.overflow = true;
  const auto by_flag = sample();
  ASSERT_TRUE(by_flag);
  EXPECT_TRUE(by_flag->cut_off);
  pm.overflow = false;
  pm.failures = {{"cuptiPmSamplingDecodeData", CUPTI_ERROR_OUT_OF_MEMORY}};
  const auto by_code = sample();
  ASSERT_TRUE(by_code);
  EXPECT_TRUE(by_code->cut_off);
  EXPECT_EQ(by_code->columns[0].size(), 3U);
}

TEST_F(PmSamplerTest, CountersThatNeedASecondPassAreRefusedBeforeTheDeviceIsTouched) {
  fake.passes_needed = 2;
  const auto series = sample();
  ASSERT_FALSE(series);
  EXPECT_THAT(series.error().why, HasSubstr("2 passes"));
  EXPECT_FALSE(pm.was_called("cuptiPmSamplingEnable"));
}

TEST_F(PmSamplerTest, ACuptiWithoutItIsADeviceErrorWithAHint) {
  api.cuptiPmSamplingSetConfig = nullptr;
  const auto series = sample();
  ASSERT_FALSE(series);
  EXPECT_EQ(series.error().domain, ErrorDomain::device);
  EXPECT_THAT(series.error().hint, HasSubstr("CUDA 12.6"));
}

TEST_F(PmSamplerTest, EveryStepThatFailsEndsTheSamplingAndFreesTheDevice) {
  for (const char* step :
       {"cuptiPmSamplingGetCounterAvailability", "cuptiPmSamplingEnable",
        "cuptiPmSamplingSetConfig", "cuptiPmSamplingGetCounterDataSize",
        "cuptiPmSamplingCounterDataImageInitialize", "cuptiPmSamplingStart", "cuptiPmSamplingStop",
        "cuptiPmSamplingDecodeData", "cuptiPmSamplingGetCounterDataInfo",
        "cuptiPmSamplingCounterDataGetSampleInfo"}) {
    pm.failures = {{step, CUPTI_ERROR_INSUFFICIENT_PRIVILEGES}};
    pm.calls.clear();
    const auto series = sample();
    ASSERT_FALSE(series) << step;
    EXPECT_EQ(series.error().code, CUPTI_ERROR_INSUFFICIENT_PRIVILEGES) << step;
    const bool enabled =
        pm.was_called("cuptiPmSamplingEnable") && std::string(step) != "cuptiPmSamplingEnable";
    EXPECT_EQ(pm.was_called("cuptiPmSamplingDisable"), enabled) << step;
  }
}

}  // namespace
}  // namespace ridgepoint::collector
