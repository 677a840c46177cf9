#include "analyzer/roofline/ceilings.h"

#include <gmock/gmock.h>

#include <algorithm>

#include "tests/support/sample_session.h"

namespace ridgepoint {
namespace {

using ::testing::HasSubstr;

struct Ceilings : ::testing::Test {
  DeviceInfo device = testing::sample_device();
  ChipModel chip = find_chip("GH100").value().value();
  Quantities none;
};

const Ceiling* find(const std::vector<Ceiling>& ceilings, const std::string& id) {
  const auto found = std::find_if(ceilings.begin(), ceilings.end(),
                                  [&](const Ceiling& one) { return one.id == id; });
  return found == ceilings.end() ? nullptr : &*found;
}

TEST_F(Ceilings, HbmFollowsFromClockAndBusWhenNoCounterSaysMore) {
  const auto peak = bandwidth_peak(MemoryLevel::hbm, device, &chip, none, {});
  ASSERT_TRUE(peak);
  EXPECT_DOUBLE_EQ(peak->value, 3.2e9 * 2 * 6144 / 8);  // 4.9152 TB/s
  EXPECT_THAT(peak->source, HasSubstr("6144 bit"));
}

TEST_F(Ceilings, HbmPrefersTheCountersOwnPeakAndSaysSo) {
  Quantities q;
  q.set("hbm_peak_bytes_per_cycle", 1500);
  const auto peak =
      bandwidth_peak(MemoryLevel::hbm, device, &chip, q, {std::nullopt, 3.0e9, std::nullopt});
  EXPECT_DOUBLE_EQ(peak->value, 4.5e12);
  EXPECT_THAT(peak->source, HasSubstr("counter peak"));
}

TEST_F(Ceilings, L2HasNoRoofWhereNoneIsPublishedOrMeasured) {
  EXPECT_FALSE(bandwidth_peak(MemoryLevel::l2, device, &chip, none, {}));
  const ChipModel ampere = find_chip("GA100").value().value();
  EXPECT_DOUBLE_EQ(bandwidth_peak(MemoryLevel::l2, device, &ampere, none, {1e9, {}, {}})->value,
                   5120e9);
}

TEST_F(Ceilings, SharedMemoryAndTensorRoofsFollowTheSmClock) {
  EXPECT_DOUBLE_EQ(bandwidth_peak(MemoryLevel::smem, device, &chip, none, {1.5e9, {}, {}})->value,
                   128 * 132 * 1.5e9);
  EXPECT_DOUBLE_EQ(compute_peak("tensor_fp16", device, &chip, none, {1.83e9, {}, {}})->value,
                   4096 * 132 * 1.83e9);
  EXPECT_DOUBLE_EQ(compute_peak("tensor_fp16", device, &chip, none, {})->value, 4096 * 132 * 1.98e9)
      << "without a measured clock the maximum stands in";
}

TEST_F(Ceilings, AnUndescribedChipStillHasTheCountersPeaks) {
  Quantities q;
  q.set("fp32_peak_flop_per_cycle", 33792);
  EXPECT_DOUBLE_EQ(compute_peak("fp32", device, nullptr, q, {1e9, {}, {}})->value, 33792e9);
  EXPECT_FALSE(compute_peak("tensor_fp16", device, nullptr, q, {1e9, {}, {}}));
}

TEST_F(Ceilings, TheChartStandsAtTheMaximumClockWhateverTheKernelsRanAt) {
  Quantities q;
  q.set("sm_clock_hz", 1.2e9);
  const auto ceilings = ceilings_of(device, &chip, q);
  EXPECT_DOUBLE_EQ(*find(ceilings, "tensor_fp16")->theoretical, 4096 * 132 * 1.98e9);
  EXPECT_DOUBLE_EQ(*find(ceilings, "smem")->theoretical, 128 * 132 * 1.98e9);
}

TEST_F(Ceilings, AMeasuredCeilingStandsBesideTheoryOrAlone) {
  device.measured_ceilings = {{"hbm", 4.2e12, 1e10, 1.9e9, std::nullopt},
                              {"l2", 5.5e12, 1e10, 1.9e9, std::nullopt}};
  const auto ceilings = ceilings_of(device, &chip, none);
  EXPECT_DOUBLE_EQ(*find(ceilings, "hbm")->measured, 4.2e12);
  EXPECT_TRUE(find(ceilings, "hbm")->theoretical);
  ASSERT_NE(find(ceilings, "l2"), nullptr);
  EXPECT_FALSE(find(ceilings, "l2")->theoretical);
  EXPECT_EQ(find(ceilings, "l2")->kind, CeilingKind::bandwidth);
}

}  // namespace
}  // namespace ridgepoint
