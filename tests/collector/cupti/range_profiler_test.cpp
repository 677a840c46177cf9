#include "collector/cupti/range_profiler.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/collector/cupti/fake_cupti.h"

namespace ridgepoint::collector {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

class RangeProfilerTest : public ::testing::Test {
 protected:
  // Runs passes until the profiler has all, `most` at the most.
  Result<RangeValues> collect(std::size_t most = 10,
                              const std::vector<std::size_t>* ranges = nullptr) {
    Result<ProfilerHost> host = ProfilerHost::create(api, "GH100");
    if (!host) {
      return tl::make_unexpected(host.error());
    }
    const Result<CounterPlan> plan = host->plan({"a.sum", "b.sum"});
    if (!plan) {
      return tl::make_unexpected(plan.error());
    }
    Result<RangeProfiler> profiler =
        RangeProfiler::enable(api, nullptr, *host, *plan, Replay::user);
    if (!profiler) {
      return tl::make_unexpected(profiler.error());
    }
    if (Status begun = profiler->begin(2); !begun) {
      return tl::make_unexpected(begun.error());
    }
    for (std::size_t pass = 0; pass < most; ++pass) {
      if (Status started = profiler->start(); !started) {
        return tl::make_unexpected(started.error());
      }
      const Result<bool> all = profiler->stop();
      if (!all) {
        return tl::make_unexpected(all.error());
      }
      if (*all) {
        break;
      }
    }
    return ranges == nullptr ? profiler->finish() : profiler->finish(*ranges);
  }

  test::FakeCupti fake;
  CuptiApi api = fake.api();
};

TEST_F(RangeProfilerTest, ReturnsOneRowALaunchInTheOrderOfTheCounters) {
  const Result<RangeValues> values = collect();
  ASSERT_TRUE(values) << format_error(values.error());
  EXPECT_THAT(*values, ElementsAre(ElementsAre(0, 1), ElementsAre(10, 11)));
  EXPECT_EQ(fake.passes_done, 3U);
  EXPECT_TRUE(fake.was_called("cuptiRangeProfilerDisable"));
  EXPECT_TRUE(fake.was_called("cuptiProfilerHostDeinitialize"));
}

TEST_F(RangeProfilerTest, ChosenRangesComeInTheOrderAskedForAndMustHaveBeenCounted) {
  const std::vector<std::size_t> second = {1};
  const Result<RangeValues> values = collect(3, &second);
  ASSERT_TRUE(values) << format_error(values.error());
  EXPECT_THAT(*values, ElementsAre(ElementsAre(10, 11)));
  fake.passes_done = 0;
  const std::vector<std::size_t> beyond = {2};
  const Result<RangeValues> none = collect(3, &beyond);
  ASSERT_FALSE(none);
  EXPECT_THAT(none.error().why, HasSubstr("counted 2 launches"));
}

TEST_F(RangeProfilerTest, MissingPassesAreAnErrorAndNoValues) {
  const Result<RangeValues> values = collect(2);
  ASSERT_FALSE(values);
  EXPECT_THAT(values.error().why, HasSubstr("not all counter passes"));
  EXPECT_FALSE(fake.was_called("cuptiProfilerHostEvaluateToGpuValues"));
}

TEST_F(RangeProfilerTest, DroppedRangesAreAnErrorThatCountsThem) {
  fake.ranges_dropped = 4;
  const Result<RangeValues> values = collect();
  ASSERT_FALSE(values);
  EXPECT_THAT(values.error().why, HasSubstr("dropped 4"));
}

TEST_F(RangeProfilerTest, RefusedPrivilegesSurfaceWithTheirCode) {
  fake.failures["cuptiRangeProfilerEnable"] = CUPTI_ERROR_INSUFFICIENT_PRIVILEGES;
  const Result<RangeValues> values = collect();
  ASSERT_FALSE(values);
  EXPECT_EQ(values.error().code, CUPTI_ERROR_INSUFFICIENT_PRIVILEGES);
  EXPECT_FALSE(fake.was_called("cuptiRangeProfilerStart"));
}

TEST_F(RangeProfilerTest, SecondProfilerSurfacesWithItsCode) {
  fake.failures["cuptiProfilerInitialize"] = CUPTI_ERROR_MULTIPLE_SUBSCRIBERS_NOT_SUPPORTED;
  const Result<RangeValues> values = collect();
  ASSERT_FALSE(values);
  EXPECT_EQ(values.error().code, CUPTI_ERROR_MULTIPLE_SUBSCRIBERS_NOT_SUPPORTED);
}

TEST_F(RangeProfilerTest, UnknownChipSurfacesBeforeTheDeviceIsTouched) {
  fake.failures["cuptiProfilerHostInitialize"] = CUPTI_ERROR_INVALID_CHIP_NAME;
  const Result<RangeValues> values = collect();
  ASSERT_FALSE(values);
  EXPECT_THAT(values.error().hint, HasSubstr("newer CUPTI"));
  EXPECT_FALSE(fake.was_called("cuptiRangeProfilerEnable"));
}

TEST_F(RangeProfilerTest, EveryStepThatFailsEndsTheMeasurement) {
  for (const char* step :
       {"cuptiRangeProfilerGetCounterDataSize", "cuptiRangeProfilerCounterDataImageInitialize",
        "cuptiRangeProfilerSetConfig", "cuptiRangeProfilerStart", "cuptiRangeProfilerStop",
        "cuptiRangeProfilerDecodeData", "cuptiRangeProfilerGetCounterDataInfo",
        "cuptiProfilerHostEvaluateToGpuValues"}) {
    fake.failures = {{step, CUPTI_ERROR_UNKNOWN}};
    fake.passes_done = 0;
    EXPECT_FALSE(collect()) << step;
  }
}

}  // namespace
}  // namespace ridgepoint::collector
