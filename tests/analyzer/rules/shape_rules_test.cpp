#include "tests/analyzer/rules/one_kernel.h"

namespace ridgepoint {
namespace {

using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::SizeIs;

struct LoadImbalance : testing::OneKernel {};

TEST_F(LoadImbalance, FiresWhenTheMeanSmIdlesATwentiethOfTheTime) {
  kernel().balance = {0.5, 0.80, 1.0};
  const auto found = fired("load_imbalance");
  ASSERT_THAT(found, SizeIs(1));
  EXPECT_NEAR(*found[0].estimated_gain, 0.2, 1e-12);
}

TEST_F(LoadImbalance, LeavesSmsWithoutABlockToSmallGrid) {
  kernel().balance = {0.0, 0.5, 1.0};
  kernel().grid = {66, 1, 1};
  EXPECT_THAT(fired("load_imbalance"), IsEmpty());
}

TEST_F(LoadImbalance, IsSilentWhenSmsAreEvenOrNobodyLooked) {
  EXPECT_THAT(fired("load_imbalance"), IsEmpty());
  kernel().balance = {};
  EXPECT_THAT(fired("load_imbalance"), IsEmpty());
}

struct WaveQuantisation : testing::OneKernel {};

TEST_F(WaveQuantisation, FiresWhenTheLastWaveIsNearlyEmpty) {
  kernel().occupancy.waves = 6.1;
  kernel().balance = {};
  const auto found = fired("wave_quantisation");
  ASSERT_THAT(found, SizeIs(1));
  EXPECT_NEAR(*found[0].estimated_gain, 1 - 6.1 / 7, 1e-12);
}

TEST_F(WaveQuantisation, BelievesTheSmsMoreThanTheArithmetic) {
  kernel().occupancy.waves = 6.1;
  kernel().balance = {0.97, 0.98, 0.99};
  EXPECT_THAT(fired("wave_quantisation"), IsEmpty());
}

TEST_F(WaveQuantisation, IsSilentForWholeWavesAndForOneWave) {
  kernel().balance = {};
  kernel().occupancy.waves = 3.0;
  EXPECT_THAT(fired("wave_quantisation"), IsEmpty());
  kernel().occupancy.waves = 0.5;
  EXPECT_THAT(fired("wave_quantisation"), IsEmpty());
}

struct SmallGrid : testing::OneKernel {};

TEST_F(SmallGrid, FiresWhenSmsGetNoBlock) {
  kernel().grid = {33, 1, 1};
  kernel().role = "attention";
  const auto found = fired("small_grid");
  ASSERT_THAT(found, SizeIs(1));
  EXPECT_NEAR(*found[0].estimated_gain, 0.75, 1e-12);
  EXPECT_THAT(found[0].action, HasSubstr("split-KV"));
}

TEST_F(SmallGrid, SaysNothingOfARangeThatWasCountedAsAWhole) {
  kernel().grid = {1, 1, 1};
  ASSERT_THAT(fired("small_grid"), SizeIs(1));
  EXPECT_THAT(fired("small_grid")[0].title, HasSubstr(": 1 block for 132 SMs"));
  kernel().name = "NVTX range: step";
  EXPECT_THAT(fired("small_grid"), IsEmpty()) << "it has no grid";
}

TEST_F(SmallGrid, IsSilentFromOneBlockAnSmOn) {
  kernel().grid = {132, 1, 1};
  EXPECT_THAT(fired("small_grid"), IsEmpty());
}

struct TileTooSmall : testing::OneKernel {
  TileTooSmall() {
    kernel().role = "attention";
    kernel().utilisation[MemoryLevel::l2] = 0.8;
    kernel().compute_utilisation = 0.35;
    tile = {"attention", 64, 64, 64, 2, 128, 40960};
    analysis.attention = AttentionShape{1, 8, 8, 4096, 4096, 64, "fp16", false, 0.125, "forward"};
  }
};

TEST_F(TileTooSmall, FiresWhenL2IsBusierThanTheTensorCores) {
  const auto found = fired("tile_too_small_for_traffic");
  ASSERT_THAT(found, SizeIs(1));
  EXPECT_NEAR(*found[0].estimated_gain, 0.4, 1e-12);  // 0.8 - max(0.4, 0.35)
  EXPECT_THAT(found[0].action, HasSubstr("128 query rows"));
}

TEST_F(TileTooSmall, SaysSoWhenALargerTileDoesNotFit) {
  tile = {"attention", 128, 256, 64, 4, 256, 200000};
  device.smem_per_block_bytes = 102400;
  EXPECT_THAT(fired("tile_too_small_for_traffic")[0].action, HasSubstr("would need"));
}

TEST_F(TileTooSmall, IsSilentWhenComputeIsNearerOrTheKernelIsNotFused) {
  kernel().compute_utilisation = 0.85;
  EXPECT_THAT(fired("tile_too_small_for_traffic"), IsEmpty());
  kernel().compute_utilisation = 0.35;
  kernel().role = "scores";
  EXPECT_THAT(fired("tile_too_small_for_traffic"), IsEmpty());
}

}  // namespace
}  // namespace ridgepoint
