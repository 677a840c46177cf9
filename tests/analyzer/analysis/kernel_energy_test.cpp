// Energy of launches, from a made-up device of known power: its total moves every 100 ms, and it is
// asked every 50 ms, not at the same moments.
#include "analyzer/analysis/kernel_energy.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <optional>
#include <vector>

#include "tests/support/recordings.h"

namespace ridgepoint {
namespace {

constexpr std::int64_t ms = 1000000;
constexpr std::int64_t begin_ns = 1000000 * ms;

struct KernelEnergy : ::testing::Test {
  KernelEnergy() {
    session.kernels.resize(2);
    session.kernels[0].name = "heavy";
    session.kernels[1].name = "light";
    session.devices.resize(1);
  }
  void launch(std::uint32_t kernel, std::int64_t from_ms, std::int64_t to_ms) {
    Launch one;
    one.kernel = kernel;
    one.start_ns = begin_ns + from_ms * ms;
    one.end_ns = begin_ns + to_ms * ms;
    session.launches.push_back(one);
  }
  // 500 W until `until`, 100 W afterwards.
  void watch(std::int64_t until_ms, std::int64_t end_ms) {
    for (std::int64_t at = 7; at < end_ms; at += 50) {
      const std::int64_t step = at / 100 * 100;
      const double busy_s = static_cast<double>(std::min(step, until_ms)) * 1e-3;
      const double idle_s = static_cast<double>(std::max<std::int64_t>(0, step - until_ms)) * 1e-3;
      PowerSample sample;
      sample.time_ns = begin_ns + at * ms;
      sample.power_w = 1;  // not what counts
      sample.energy_j = 1e4 + 500 * busy_s + 100 * idle_s;
      session.power.push_back(sample);
    }
  }
  std::optional<LaunchEnergy> of(std::size_t kernel) const {
    std::vector<LaunchGroup> groups = group_launches(session);
    std::vector<KernelAnalysis> kernels(groups.size());
    fill_kernel_energy(kernels, groups, session);
    for (std::size_t i = 0; i < groups.size(); ++i) {
      if (groups[i].kernel == kernel) {
        return kernels[i].energy;
      }
    }
    return std::nullopt;
  }
  Session session;
};

TEST_F(KernelEnergy, ALongLaunchHasItsPowerAndEnergy) {
  launch(0, 0, 3000);
  launch(1, 3000, 3020);
  watch(3000, 5000);
  const auto energy = of(0);
  ASSERT_TRUE(energy);
  EXPECT_NEAR(energy->power_w, 500, 500 * energy->error_share);
  EXPECT_NEAR(energy->energy_j, 1500, 1500 * energy->error_share);
  EXPECT_EQ(energy->launches, 1);
  EXPECT_LE(energy->error_share, 2 * 0.05 / 2.7) << "a sampling period at each end";
  EXPECT_GT(energy->error_share, 0);
  EXPECT_FALSE(of(1)) << "20 ms are not a step of the counter";
}

TEST_F(KernelEnergy, LaunchesBackToBackAreMeasuredTogether) {
  for (std::int64_t i = 0; i < 100; ++i) {
    launch(0, i * 20, i * 20 + 20);
  }
  watch(2000, 2500);
  const auto energy = of(0);
  ASSERT_TRUE(energy);
  EXPECT_EQ(energy->launches, 100);
  EXPECT_NEAR(energy->energy_j, 10, 10 * energy->error_share) << "of one of them";
}

TEST_F(KernelEnergy, FewerThanTenStepsAreNoMeasurement) {
  launch(0, 0, 1000);
  watch(1000, 1500);
  EXPECT_FALSE(of(0));
}

TEST_F(KernelEnergy, NothingIsSharedOutAmongKernelsThatTakeTurns) {
  for (std::int64_t i = 0; i < 100; ++i) {
    launch(0, i * 40, i * 40 + 20);
    launch(1, i * 40 + 20, i * 40 + 40);
  }
  watch(4000, 4500);
  EXPECT_FALSE(of(0));
  EXPECT_FALSE(of(1));
}

TEST_F(KernelEnergy, ALaunchWithAnotherBesideItHasNone) {
  launch(0, 0, 3000);
  launch(1, 1500, 1600);
  watch(3000, 4000);
  EXPECT_FALSE(of(0));
}

TEST_F(KernelEnergy, ALaunchWhoseTimeIsNotKnownMayBeAnywhere) {
  launch(0, 0, 900);
  launch(1, 900, 900);
  launch(0, 901, 1801);
  watch(1801, 2500);
  EXPECT_FALSE(of(0)) << "neither of the two is long enough alone";
}

TEST_F(KernelEnergy, LongPausesEndAStretch) {
  for (std::int64_t i = 0; i < 4; ++i) {
    launch(0, i * 1000, i * 1000 + 500);
  }
  watch(4000, 4500);
  EXPECT_FALSE(of(0));
}

TEST_F(KernelEnergy, AnotherDeviceDoesNotCount) {
  session.devices.resize(2);
  launch(0, 0, 3000);
  session.launches[0].device = 1;
  watch(3000, 4000);
  EXPECT_FALSE(of(0));
}

// Their kernels run for microseconds; the phases before were long enough for the variants.
TEST(KernelEnergyOfRecordings, ShortKernelsHaveNone) {
  const Session session = test_support::recording(test_support::batched_recording);
  ASSERT_GT(session.power.size(), 100U);
  for (const KernelAnalysis& kernel : test_support::analysed(session).kernels) {
    EXPECT_FALSE(kernel.energy) << kernel.name;
  }
}

}  // namespace
}  // namespace ridgepoint
