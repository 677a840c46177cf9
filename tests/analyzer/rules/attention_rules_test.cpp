// Rules that know the attention problem.
#include <algorithm>
#include <optional>

#include "analyzer/attention/flop.h"
#include "tests/analyzer/rules/one_kernel.h"

namespace ridgepoint {
namespace {

using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::SizeIs;

struct Attention : testing::OneKernel {
  Attention() {
    kernel().role = "attention";
    analysis.attention = AttentionShape{1, 8, 8, 4096, 4096, 64, "fp16", false, 0.125, "forward"};
    tile = {"attention", 128, 128, 64, 2, 128, 0};
  }
};

struct CausalImbalance : Attention {
  CausalImbalance() {
    analysis.attention->causal = true;
    kernel().balance = {0.5, 0.80, 1.0};
  }
};

TEST_F(CausalImbalance, FiresInsteadOfLoadImbalanceUnderACausalMask) {
  const auto found = fired("causal_imbalance");
  ASSERT_THAT(found, SizeIs(1));
  EXPECT_NEAR(*found[0].estimated_gain, 0.2, 1e-12);
  EXPECT_THAT(found[0].action, HasSubstr("longest tiles first"));
  EXPECT_THAT(fired("load_imbalance"), IsEmpty());
}

TEST_F(CausalImbalance, IsSilentForEvenSmsAndWithoutTheMask) {
  kernel().balance = {0.97, 0.98, 0.99};
  EXPECT_THAT(fired("causal_imbalance"), IsEmpty());
  kernel().balance = {0.5, 0.80, 1.0};
  analysis.attention->causal = false;
  EXPECT_THAT(fired("causal_imbalance"), IsEmpty());
}

struct PaddedQueryTiles : Attention {
  PaddedQueryTiles() {
    analysis.attention->heads = 32;  // decode: one query, in groups of four heads
    analysis.attention->seqlen_q = 1;
    kernel().variant = "fused";
    VariantAnalysis fused;
    fused.name = "fused";
    fused.kernels = {0};
    fused.time_s = 4e-4;
    fused.flop.tensor = 128e9;
    fused.algorithm_flop = 1e9;
    analysis.variants = {fused};
  }
  void packed_beside_it(double time_s) {
    VariantAnalysis packed = analysis.variants[0];
    packed.name = "packed";
    packed.kernels.clear();
    packed.flop.tensor = 4e9;
    packed.time_s = time_s;
    analysis.variants.push_back(packed);
  }
};

TEST_F(PaddedQueryTiles, AreNamedWithTheHeadsThatCouldFillThem) {
  const auto found = fired("padded_query_tiles");
  ASSERT_THAT(found, SizeIs(1));
  EXPECT_THAT(found[0].title, HasSubstr("fused multiplies 128 times what the problem needs"));
  EXPECT_THAT(found[0].action, HasSubstr("Pack the 4 query heads of a group"));
  EXPECT_FALSE(found[0].estimated_gain) << "nothing in this run shows what it would gain";
}

TEST_F(PaddedQueryTiles, GainWhatALeanerVariantOfTheRunSaved) {
  packed_beside_it(1e-4);
  const auto found = fired("padded_query_tiles");
  ASSERT_THAT(found, SizeIs(1)) << "the packed one pads too, but its tiles are not known";
  EXPECT_NEAR(*found[0].estimated_gain, 0.75, 1e-12);
  EXPECT_EQ(found[0].gain_kind, GainKind::measured);
}

TEST_F(PaddedQueryTiles, AreNoMatterOfFullTilesNorOfAKernelThatHbmBinds) {
  analysis.attention->seqlen_q = 128;
  EXPECT_THAT(fired("padded_query_tiles"), IsEmpty());
  analysis.attention->seqlen_q = 1;
  kernel().bound_by = BoundBy::hbm;
  EXPECT_THAT(fired("padded_query_tiles"), IsEmpty());
  kernel().bound_by = BoundBy::latency;
  tile.block_m = 16;  // the least that mma.sync multiplies
  EXPECT_THAT(fired("padded_query_tiles"), IsEmpty());
}

struct SplitKv : Attention {
  SplitKv() {
    kernel().grid = {8, 1, 1};  // decode: one query tile a head
    analysis.attention->seqlen_q = 1;
    analysis.attention->seqlen_k = 32768;
  }
};

TEST_F(SplitKv, SaysInHowManyPartsAndWhatThatGains) {
  const auto found = fired("split_kv_for_small_grids");
  ASSERT_THAT(found, SizeIs(1));
  // 16 parts, 128 blocks on 132 SMs, walk 16 of the 256 key tiles each; 15 would walk 18, and more
  // parts would come to 16 again in several waves. An SM's even share of 5 TB/s over 2,048 keys of
  // 256 bytes, then Q, O and LSE, and 16 x 8 rows of 264 bytes written and read.
  EXPECT_THAT(found[0].title, HasSubstr("split the keys in 16"));
  const double model_s = (2048.0 * 256 * 132 + 2 * 1024 + 32 + 2 * 16 * 8 * 264) / 5e12;
  EXPECT_NEAR(*found[0].estimated_gain, 1 - model_s / 1e-3, 1e-12);
  EXPECT_THAT(found[0].gain_formula, HasSubstr("time measured"));
  EXPECT_THAT(fired("small_grid"), IsEmpty());
}

TEST_F(SplitKv, IsSilentForAKernelThatTakesNoLongerThanTheModel) {
  kernel().time_s = 1.2e-5;
  EXPECT_THAT(fired("split_kv_for_small_grids"), IsEmpty());
}

TEST_F(SplitKv, SaysToPackTheHeadsOfAGroup) {
  analysis.attention->kv_heads = 2;
  EXPECT_THAT(fired("split_kv_for_small_grids").at(0).action, HasSubstr("Pack the 4 query heads"));
}

TEST_F(SplitKv, IsSilentForFullGridsAndForFewKeys) {
  kernel().grid = {1320, 1, 1};
  EXPECT_THAT(fired("split_kv_for_small_grids"), IsEmpty());
  kernel().grid = {8, 1, 1};
  analysis.attention->seqlen_k = 512;
  EXPECT_THAT(fired("split_kv_for_small_grids"), IsEmpty());
}

struct AttentionTile : Attention {
  std::optional<ChipModel> chip = find_chip("GH100").value();

  AttentionTile() {
    analysis.attention->seqlen_q = analysis.attention->seqlen_k = 16384;
    kernel().occupancy = {0.12, 0.125, 2, "registers, shared memory", 3.88};
  }
  std::vector<Diagnosis> found() const {
    std::vector<Diagnosis> all = diagnose({analysis, session, {tile}, {&device}, {&*chip}});
    all.erase(std::remove_if(all.begin(), all.end(),
                             [](const Diagnosis& d) { return d.id != "attention_tile"; }),
              all.end());
    return all;
  }
};

TEST_F(AttentionTile, NamesTheTileThatHoldsMoreWarpsForAKernelBoundByLatency) {
  // 48 keys a tile take about 64 + 48 + 32 + 12 = 156 registers, of which a sub-partition holds 3
  // warps instead of 2. With 192 queries 688 tiles go over 264 slots in 3 rounds, where 1,024 over
  // 264 take 4 now.
  const auto all = found();
  ASSERT_THAT(all, SizeIs(1));
  EXPECT_THAT(all[0].action, HasSubstr("192 query rows and 48 keys"));
  EXPECT_THAT(all[0].action, HasSubstr("about 156 registers"));
  const double warps = 0.125 / 0.1875;
  const double padded = 86 * 192 / 16384.0;
  const double rounds = padded * (3 / (688 / 264.0)) / (4 / (1024 / 264.0));
  const double steps = (1 + 1500 / (64 * 48.0)) / (1 + 1500 / (64 * 128.0));
  EXPECT_NEAR(*all[0].estimated_gain, 1 - warps * rounds * steps, 1e-9);
  EXPECT_THAT(all[0].gain_formula, HasSubstr("IO and occupancy model"));
  EXPECT_THAT(
      all[0].explanation,
      HasSubstr("48 keys a step instead of 128, whose rescaling of the output costs 25.8 %"));
}

// Measured on an H200: two consumers have 0.76 to 0.83 of the rate of three
// (docs/hopper-attention.md), although 1,024 tiles in 8 rounds idle less than 688 in 6.
TEST_F(AttentionTile, DoesNotGiveUpWarpsForFullerRounds) {
  measured("gmma_instructions", 1e6);
  tile = {"attention", 192, 128, 64, 2, 512, 115816};
  kernel().grid = {132, 1, 1};
  kernel().bound_by = BoundBy::compute;
  kernel().occupancy = {0.2, 0.25, 1, "registers, shared memory", 1};
  EXPECT_THAT(found(), IsEmpty());
}

TEST_F(AttentionTile, CountsTheBytesOfAKernelBoundByL2) {
  kernel().bound_by = BoundBy::l2;
  kernel().utilisation[MemoryLevel::l2] = 0.9;
  tile = {"attention", 64, 64, 64, 2, 64, 40960};  // every tile of 64 queries reads all of K and V
  kernel().occupancy = {0.12, 0.125, 4, "registers", 3.88};
  const auto all = found();
  ASSERT_THAT(all, SizeIs(1));
  EXPECT_THAT(all[0].explanation, HasSubstr("through L2 instead of"));
  EXPECT_LE(*all[0].estimated_gain, 0.7 + 1e-9) << "compute is used to 30 %";
  EXPECT_GE(*all[0].estimated_gain, 0.5) << "192 queries or more read a third of it or less";
}

TEST_F(AttentionTile, GainsNoMoreThanTheOtherRoofsLeave) {
  kernel().utilisation[MemoryLevel::smem] = 0.99;
  EXPECT_THAT(found(), IsEmpty());
}

TEST_F(AttentionTile, IsSilentWithoutAFullGridAChipOrARoleItKnows) {
  analysis.attention->seqlen_q = 128;
  EXPECT_THAT(found(), IsEmpty()) << "8 tiles: split_kv_for_small_grids has the word";
  analysis.attention->seqlen_q = 16384;
  EXPECT_THAT(fired("attention_tile"), IsEmpty()) << "no chip";
  kernel().role = "softmax";
  EXPECT_THAT(found(), IsEmpty());
}

struct KvStreamedAgain : Attention {
  double needed() const {
    return query_bytes(*analysis.attention) + 2 * key_bytes(*analysis.attention);
  }
};

TEST_F(KvStreamedAgain, FiresWhenInputsAreReadFromHbmMoreThanOnce) {
  kernel().traffic[MemoryLevel::hbm].read = 4 * needed();
  kernel().utilisation[MemoryLevel::hbm] = 0.8;
  const auto found = fired("kv_streamed_again");
  ASSERT_THAT(found, SizeIs(1));
  EXPECT_NEAR(*found[0].estimated_gain, 0.8 - 0.3, 1e-12);  // compute is the next roof
}

TEST_F(KvStreamedAgain, IsSilentWhenTheyAreReadOnceOrNobodyCounted) {
  EXPECT_THAT(fired("kv_streamed_again"), IsEmpty());
  kernel().traffic[MemoryLevel::hbm].read = 1.05 * needed();
  EXPECT_THAT(fired("kv_streamed_again"), IsEmpty());
}

struct TensorCoresUnused : Attention {
  TensorCoresUnused() {
    analysis.ceilings.push_back(
        {CeilingKind::compute, "fp32", "FP32", 0.1e15, std::nullopt, "invented"});
    kernel().flop.precision = "fp32";
    kernel().compute_utilisation = 0.5;
  }
};

TEST_F(TensorCoresUnused, FiresForAProductOnCudaCores) {
  kernel().flop.tensor = 0;
  const auto found = fired("tensor_cores_unused");
  ASSERT_THAT(found, SizeIs(1));
  EXPECT_NEAR(*found[0].estimated_gain, 0.5 * 0.9, 1e-12);
}

TEST_F(TensorCoresUnused, IsSilentForSoftmaxForTensorFlopAndForFlopNobodyCounted) {
  EXPECT_THAT(fired("tensor_cores_unused"), IsEmpty());
  kernel().flop.tensor = 1e12;
  EXPECT_THAT(fired("tensor_cores_unused"), IsEmpty());
  kernel().flop.tensor = 0;
  kernel().role = "softmax";
  EXPECT_THAT(fired("tensor_cores_unused"), IsEmpty());
}

struct MaskedTiles : Attention {
  MaskedTiles() {
    analysis.attention->causal = true;
    VariantAnalysis variant;
    variant.name = "fused";
    variant.kernels = {0};
    variant.analytic_flop = variant.algorithm_flop = 1e12;
    variant.flop.tensor = 2e12;
    analysis.variants = {variant};
  }
};

TEST_F(MaskedTiles, FiresWhenTwiceTheVisiblePairsAreMultiplied) {
  const auto found = fired("masked_tiles_computed");
  ASSERT_THAT(found, SizeIs(1));
  EXPECT_EQ(found[0].variant, "fused");
  EXPECT_NEAR(*found[0].estimated_gain, 0.5, 1e-12);
}

TEST_F(MaskedTiles, IsSilentForWholeTilesAtTheDiagonalAndWithoutAMask) {
  analysis.variants.front().flop.tensor = 1.04e12;
  EXPECT_THAT(fired("masked_tiles_computed"), IsEmpty());
  analysis.variants.front().flop.tensor = 2e12;
  analysis.attention->causal = false;
  EXPECT_THAT(fired("masked_tiles_computed"), IsEmpty());
}

}  // namespace
}  // namespace ridgepoint
