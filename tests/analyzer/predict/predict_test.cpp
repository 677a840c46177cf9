#include "analyzer/predict/predict.h"

#include <gmock/gmock.h>
#include <rapidcheck/gtest.h>

#include "analyzer/attention/flop.h"
#include "analyzer/predict/gpu.h"

namespace ridgepoint {
namespace {

using ::testing::Contains;
using ::testing::Each;
using ::testing::ElementsAre;
using ::testing::Field;
using ::testing::HasSubstr;
using ::testing::Not;

AttentionShape shape_of(std::int64_t seqlen, std::int64_t head_dim = 64) {
  return {1, 8, 8, seqlen, seqlen, head_dim, "fp16", false, 0, "forward"};
}

Analysis predict_ok(const AttentionShape& shape, const char* gpu,
                    std::vector<std::string> variants = {}) {
  auto analysis = predict({shape, std::move(variants), {}}, find_gpu(gpu).value());
  EXPECT_TRUE(analysis) << (analysis ? "" : analysis.error().why);
  return analysis.value_or(Analysis());
}

std::vector<std::string> names(const Analysis& analysis) {
  std::vector<std::string> all;
  for (const VariantAnalysis& variant : analysis.variants) {
    all.push_back(variant.name);
  }
  return all;
}

TEST(Predict, SaysFirstThatNothingWasMeasured) {
  const Analysis analysis = predict_ok(shape_of(4096), "H100");
  EXPECT_EQ(analysis.source, Source::predicted);
  ASSERT_FALSE(analysis.issues.empty());
  EXPECT_THAT(analysis.issues.front().text, HasSubstr("nothing here was measured"));
  for (const VariantAnalysis& variant : analysis.variants) {
    EXPECT_FALSE(variant.traffic[MemoryLevel::hbm].measured.total);
    EXPECT_FALSE(variant.latency);
  }
}

TEST(Predict, RunsTheHopperKernelOnlyOnHopper) {
  EXPECT_THAT(names(predict_ok(shape_of(4096), "H100")), ElementsAre("naive", "fused", "hopper"));
  for (const char* gpu : {"A100", "L40S", "RTX4090", "B200"}) {
    const Analysis analysis = predict_ok(shape_of(4096), gpu);
    EXPECT_THAT(names(analysis), ElementsAre("naive", "fused")) << gpu;
    EXPECT_THAT(analysis.issues, Contains(Field(&Issue::code, "prediction.variant_left_out")));
  }
}

TEST(Predict, ANamedVariantThatCannotRunIsAnError) {
  const auto on_a100 = predict({shape_of(4096), {"hopper"}, {}}, find_gpu("A100").value());
  ASSERT_FALSE(on_a100);
  EXPECT_THAT(on_a100.error().why, HasSubstr("9.0"));
  EXPECT_FALSE(predict({shape_of(4096), {"unheard_of"}, {}}, find_gpu("A100").value()));
  EXPECT_FALSE(predict({shape_of(4096, 80), {}, {}}, find_gpu("H100").value()));
}

TEST(Predict, FusionMovesFewerHbmBytesAndHasALowerBoundOnEveryGpu) {
  for (const char* gpu : {"A100", "H100", "H200", "B200", "L40S", "RTX4090"}) {
    const Analysis analysis = predict_ok(shape_of(16384), gpu);
    const VariantAnalysis& naive = analysis.variants[0];
    const VariantAnalysis& fused = analysis.variants[1];
    EXPECT_LT(*fused.traffic[MemoryLevel::hbm].predicted,
              0.01 * *naive.traffic[MemoryLevel::hbm].predicted)
        << gpu;
    EXPECT_LT(*fused.time_s, *naive.time_s) << gpu;
  }
}

TEST(Predict, ANaiveKernelWithoutRoomForItsIntermediatesIsPointedOut) {
  const Analysis analysis = predict_ok(shape_of(65536), "RTX4090");  // 2 x 64 GiB
  EXPECT_THAT(analysis.issues, Contains(Field(&Issue::code, "prediction.out_of_memory")));
}

TEST(Predict, TheL2RoofIsLeftOutWhereNobodyKnowsIt) {
  EXPECT_THAT(predict_ok(shape_of(4096), "H100").issues,
              Contains(Field(&Issue::code, "prediction.l2_roof_unknown")));
  EXPECT_THAT(predict_ok(shape_of(4096), "H200").issues,
              Not(Contains(Field(&Issue::code, "prediction.l2_roof_unknown"))));
}

TEST(Predict, SaysOfWhichGpusTheL2WasNeverMeasured) {
  for (const char* measured : {"H100", "H200"}) {
    EXPECT_THAT(predict_ok(shape_of(4096), measured).issues,
                Not(Contains(Field(&Issue::code, "prediction.l2_not_measured"))));
  }
  for (const char* other : {"A100", "B200", "L40S", "RTX4090"}) {
    EXPECT_THAT(predict_ok(shape_of(4096), other).issues,
                Contains(Field(&Issue::code, "prediction.l2_not_measured")));
  }
}

TEST(Predict, CostFollowsFromThePriceOfAnHour) {
  const auto analysis = predict({shape_of(4096), {"fused"}, 3.6}, find_gpu("H100").value());
  ASSERT_TRUE(analysis);
  const VariantAnalysis& fused = analysis->variants.front();
  EXPECT_DOUBLE_EQ(*fused.cost_per_million_tokens, 1e3 / *fused.tokens_per_s);
  EXPECT_FALSE(predict_ok(shape_of(4096), "H100").variants.front().cost_per_million_tokens);
}

TEST(Predict, TilesThatAreListedFitAndOneIsInUse) {
  for (const char* gpu : {"A100", "H100", "RTX4090"}) {
    for (const std::int64_t head_dim : {64, 128, 256}) {
      const Analysis analysis = predict_ok(shape_of(8192, head_dim), gpu);
      const DeviceInfo& device = analysis.devices.front();
      int fused_in_use = 0;
      for (const TileOption& option : analysis.tile_options) {
        EXPECT_LE(option.tile.smem_bytes, device.smem_per_block_bytes) << gpu;
        EXPECT_GE(option.blocks_per_sm, 1) << gpu;
        EXPECT_LE(option.registers_per_thread, 255) << gpu;
        fused_in_use += option.in_use && option.variant == "fused" ? 1 : 0;
      }
      EXPECT_EQ(fused_in_use, 1) << gpu << " " << head_dim;
    }
  }
}

// The compiler spilled at these: kernels/attention/fused/traits.cuh and hopper/choice.cuh.
TEST(Predict, TilesThatSpilledAreNotCalledFeasible) {
  const Analysis analysis = predict_ok(shape_of(8192, 128), "H200");
  for (const TileOption& option : analysis.tile_options) {
    EXPECT_FALSE(option.variant == "fused" && option.tile.block_n >= 64);
    EXPECT_FALSE(option.variant == "hopper" && option.tile.block_m == 192 &&
                 option.tile.block_n >= 96);
  }
  for (const TileOption& option : predict_ok(shape_of(8192, 256), "H200").tile_options) {
    EXPECT_FALSE(option.variant == "fused" && option.tile.block_n >= 112);
  }
}

TEST(Predict, ExtentsThatNoTensorHasAreRefused) {
  for (const std::int64_t seqlen : {std::int64_t{0}, std::int64_t{-1}, std::int64_t{1} << 62}) {
    EXPECT_FALSE(predict({shape_of(seqlen), {}, {}}, find_gpu("H100").value()));
  }
}

// One token against 64 Ki kept ones, 32 query heads in 8 groups: 256 MiB of K and V.
AttentionShape decode_shape() {
  return {1, 32, 8, 1, 65536, 128, "fp16", true, 0, "forward"};
}

TEST(PredictDecode, SplitsTheKeysWhereTheQueryTilesCannotFillTheGpu) {
  const Analysis analysis = predict_ok(decode_shape(), "H200");
  EXPECT_THAT(names(analysis), ElementsAre("naive", "fused", "hopper", "split_kv"));
  const VariantAnalysis& split = analysis.variants.back();
  ASSERT_EQ(split.kernels.size(), 2U);
  const KernelAnalysis& attention = analysis.kernels[split.kernels[0]];
  EXPECT_EQ(count(attention.grid), 8U * 16);
  EXPECT_EQ(attention.role, "split_attention");
  EXPECT_EQ(analysis.kernels[split.kernels[1]].role, "combine");
  EXPECT_EQ(split.workspace_bytes, 16 * 32 * 520);
  // 4 FLOP a key, row and dimension; 2 bytes for each of its K and V, shared by 4 heads.
  EXPECT_NEAR(*attention.intensity[MemoryLevel::hbm], 4, 0.05);
  EXPECT_EQ(attention.bound_by, BoundBy::hbm);
  EXPECT_NEAR(*split.time_s, 256 * 1048576 / 4.8e12, 1e-6);
  // K and V go through shared memory: read once by the warps, and a sixteenth of the copies
  // counted.
  EXPECT_NEAR(*split.traffic[MemoryLevel::smem].predicted / (1.0625 * 256 * 1048576), 1, 0.10);
}

TEST(PredictDecode, ListsThePartsOfWhichOneIsBest) {
  const Analysis analysis = predict_ok(decode_shape(), "H200");
  std::vector<std::int64_t> best;
  for (const SplitOption& option : analysis.split_options) {
    EXPECT_GE(option.time_s * (1 + 1e-9), 256 * 1048576 / 4.82e12);
    if (option.best) {
      best.push_back(option.splits);
    }
  }
  EXPECT_THAT(best, ElementsAre(16));
  EXPECT_EQ(analysis.split_options.front().splits, 1);
}

TEST(PredictDecode, IsNotOfferedWhereTheGridIsFullUnlessAskedFor) {
  EXPECT_THAT(names(predict_ok(shape_of(16384), "H200")), Not(Contains("split_kv")));
  EXPECT_TRUE(predict_ok(shape_of(16384), "H200").split_options.empty());
  // On an A100 two parts would fill the last wave better; that alone is no reason to offer them.
  EXPECT_THAT(names(predict_ok(shape_of(16384), "A100")), Not(Contains("split_kv")));
  const Analysis asked = predict_ok(shape_of(16384), "H200", {"split_kv"});
  EXPECT_THAT(names(asked), ElementsAre("split_kv"));
  EXPECT_EQ(asked.kernels.size(), 1U);  // one part needs no second kernel
}

TEST(PredictDecode, ItsTileFitsEveryGpu) {
  for (const char* gpu : {"A100", "H100", "H200", "B200", "L40S", "RTX4090"}) {
    for (const std::int64_t head_dim : {64, 128}) {
      for (const std::int64_t queries : {1, 64}) {
        AttentionShape shape = decode_shape();
        shape.head_dim = head_dim;
        shape.seqlen_q = queries;
        EXPECT_TRUE(predict({shape, {"split_kv"}, {}}, find_gpu(gpu).value())) << gpu;
      }
    }
  }
}

TEST(PredictDecode, BackwardHasNoSuchVariant) {
  AttentionShape shape = decode_shape();
  shape.direction = "backward";
  const auto analysis = predict({shape, {"split_kv"}, {}}, find_gpu("H200").value());
  ASSERT_FALSE(analysis);
  EXPECT_THAT(analysis.error().why, HasSubstr("no such variant"));
}

// The arithmetic and the shared memory of idle SMs are no use to a kernel.
TEST(Predict, TheBoundOfASmallGridCountsOnlyTheSmsThatGetABlock) {
  AttentionShape shape = shape_of(4096, 128);
  shape.heads = shape.kv_heads = 1;  // 32 query tiles on 132 SMs
  const Analysis analysis = predict_ok(shape, "H200", {"fused"});
  const double peak = *analysis.ceiling("tensor_fp16")->theoretical;
  EXPECT_GE(*analysis.variants.front().time_s, attention_flop(shape) / (peak * 32 / 132));
  EXPECT_LE(*analysis.kernels.front().compute_utilisation, 32.0 / 132 * (1 + 1e-9));
}

// One token: the list of tiles and the table above it speak of the same kernel.
TEST(PredictDecode, TheTileInUseHasTheBoundOfItsKernel) {
  AttentionShape shape = shape_of(65536, 128);
  shape.seqlen_q = 1;
  const Analysis analysis = predict_ok(shape, "H200", {"fused"});
  const auto in_use = std::find_if(analysis.tile_options.begin(), analysis.tile_options.end(),
                                   [](const TileOption& option) { return option.in_use; });
  ASSERT_NE(in_use, analysis.tile_options.end());
  EXPECT_NEAR(in_use->time_bound_s, *analysis.kernels.front().time_s, 1e-3 * in_use->time_bound_s);
}

RC_GTEST_PROP(PredictProperty, NoVariantIsEverFasterThanItsArithmeticAndItsCompulsoryReads, ()) {
  AttentionShape shape = shape_of(*rc::gen::inRange(1, 40000), *rc::gen::element(64, 128));
  shape.batch = *rc::gen::inRange(1, 5);
  shape.causal = *rc::gen::arbitrary<bool>();
  const GpuDescription gpu =
      find_gpu(*rc::gen::element<std::string>("A100", "H200", "L40S")).value();
  const auto analysis = predict({shape, {}, {}}, gpu);
  RC_ASSERT(analysis.has_value());
  const double tensor = *analysis->ceiling("tensor_fp16")->theoretical;
  const double hbm = *analysis->ceiling("hbm")->theoretical;
  const double reads = query_bytes(shape) + 2 * key_bytes(shape);
  for (const VariantAnalysis& variant : analysis->variants) {
    RC_ASSERT(*variant.time_s * (1 + 1e-9) >= attention_flop(shape) / tensor);
    RC_ASSERT(*variant.time_s * (1 + 1e-9) >= reads / hbm);
  }
}

}  // namespace
}  // namespace ridgepoint
