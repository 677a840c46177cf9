// The plans know the kernels' tiles without linking them: they must be the same.
#include "analyzer/predict/plan.h"

#include <gtest/gtest.h>

#include "analyzer/attention/flop.h"
#include "analyzer/attention/io_model.h"
#include "analyzer/attention/split_kv.h"
#include "analyzer/predict/gpu.h"
#include "kernels/attention/backward_variant.h"
#include "kernels/attention/hopper/plan.h"
#include "kernels/attention/split_kv/parts.h"
#include "kernels/runtime/processors.h"

namespace ridgepoint {
namespace {

// The plan of one variant beside the variant itself, of either direction.
template <class Variant>
void expect_same(const PlannedVariant& planned, const Variant& variant, AttentionShape shape,
                 const kernels::AttentionProblem& problem) {
  SCOPED_TRACE(shape.direction + " " + planned.name + ", d " + std::to_string(shape.head_dim) +
               ", N " + std::to_string(shape.seqlen_q));
  // Split-KV cuts the keys by the multiprocessors that it finds, Hopper's takes its tiles by them.
  DeviceInfo device = find_gpu("H200").value().device;
  device.sm_count = kernels::processors();
  const VariantPlan plan = planned.plan(shape, device);
  const bool runs = variant.unsupported_reason(problem, 90).empty();
  ASSERT_EQ(plan.unsupported.empty(), runs) << plan.unsupported;
  if (!runs) {
    return;
  }
  const auto tiles = variant.tiles(problem);
  ASSERT_EQ(plan.launches.size(), tiles.size());
  EXPECT_EQ(static_cast<std::size_t>(plan.workspace_bytes), variant.workspace_bytes(problem));
  for (std::size_t i = 0; i < tiles.size(); ++i) {
    const KernelTileInfo& tile = plan.launches[i].kernel.tile;
    EXPECT_EQ(tile.role, tiles[i].role);
    EXPECT_EQ(tile.block_m, tiles[i].block_m) << tile.role;
    EXPECT_EQ(tile.block_n, tiles[i].block_n) << tile.role;
    EXPECT_EQ(tile.block_k, tiles[i].block_k) << tile.role;
    EXPECT_EQ(tile.stages, tiles[i].stages) << tile.role;
    EXPECT_EQ(tile.threads, tiles[i].threads) << tile.role;
    EXPECT_EQ(tile.smem_bytes, static_cast<std::int64_t>(tiles[i].smem_bytes)) << tile.role;
  }
}

// Calls `use` with problems of many sizes, of few heads and of many.
template <class Use>
void for_each_problem(const std::string& direction, const Use& use) {
  for (const std::int32_t head_dim : {64, 128, 256}) {
    for (const std::int32_t seqlen : {256, 384, 512, 640, 1024, 4096, 16384, 65536}) {
      for (const std::int32_t heads : {8, 264}) {
        kernels::AttentionProblem problem;
        problem.batch = 1;
        problem.heads = problem.kv_heads = heads;
        problem.seqlen_q = problem.seqlen_k = seqlen;
        problem.head_dim = head_dim;
        use(AttentionShape{1, heads, heads, seqlen, seqlen, head_dim, "fp16", false, 0, direction},
            problem);
      }
    }
  }
}

// A token, or a few, against the keys so far.
TEST(Plans, ShareOutTheKeysAsTheSplitKvKernelDoes) {
  const auto& planned = planned_variants("forward").back();
  ASSERT_STREQ(planned.name, "split_kv");
  const kernels::AttentionVariant& variant = *kernels::find_attention_variant("split_kv");
  for (const std::int32_t batch : {1, 8, 33}) {
    for (const std::int32_t kv_heads : {1, 8}) {
      for (const std::int32_t group : {1, 4}) {
        for (const std::int32_t queries : {1, 4, 17}) {
          for (const std::int32_t keys : {17, 200, 8192, 65536}) {
            kernels::AttentionProblem problem;
            problem.batch = batch;
            problem.heads = kv_heads * group;
            problem.kv_heads = kv_heads;
            problem.seqlen_q = queries;
            problem.seqlen_k = keys;
            problem.head_dim = 128;
            const AttentionShape shape{batch, problem.heads, kv_heads, queries, keys,
                                       128,   "fp16",        false,    0,       "forward"};
            expect_same(planned, variant, shape, problem);
            DeviceInfo device = find_gpu("H200").value().device;
            device.sm_count = kernels::processors();
            EXPECT_EQ(planned.plan(shape, device).by_default, variant.by_default(problem));
            for (const std::int64_t processors : {20, 108, 132}) {
              for (const std::int64_t rows : {16, 64}) {
                EXPECT_EQ(kernel_parts(shape, {rows, 64}, processors),
                          kernels::split_kv::parts_for(problem, rows, 64, processors));
              }
            }
          }
        }
      }
    }
  }
}

TEST(Plans, HaveTheTilesOfTheKernels) {
  for_each_problem("forward", [](const AttentionShape& shape, const auto& problem) {
    const auto& variants = kernels::attention_variants();
    ASSERT_EQ(planned_variants("forward").size(), variants.size());
    for (std::size_t v = 0; v < variants.size(); ++v) {
      ASSERT_EQ(planned_variants("forward")[v].name, variants[v]->name());
      expect_same(planned_variants("forward")[v], *variants[v], shape, problem);
    }
  });
}

TEST(Plans, HaveTheTilesTheMemoryAndTheProductsOfTheBackwardKernels) {
  for_each_problem("backward", [](const AttentionShape& shape, const auto& problem) {
    const auto& variants = kernels::attention_backward_variants();
    ASSERT_EQ(planned_variants("backward").size(), variants.size());
    for (std::size_t v = 0; v < variants.size(); ++v) {
      const PlannedVariant& planned = planned_variants("backward")[v];
      ASSERT_EQ(planned.name, variants[v]->name());
      expect_same(planned, *variants[v], shape, problem);
      const VariantPlan plan = planned.plan(shape, find_gpu("H200").value().device);
      if (!plan.unsupported.empty()) {
        continue;
      }
      EXPECT_EQ(static_cast<std::size_t>(plan.saved_bytes), variants[v]->saved_bytes(problem));
      double flop = 0;
      for (const PlannedLaunch& launch : plan.launches) {
        flop += launch.flop;
      }
      EXPECT_DOUBLE_EQ(flop, product_flop(shape, variants[v]->products()));
    }
  });
}

TEST(Plans, KnowTheSectionsOfHeadsOfTheCausalHopperKernel) {
  for (const std::int32_t seqlen : {512, 4096, 8192, 65536, 1 << 20}) {
    for (const std::int32_t kv_heads : {2, 16}) {
      kernels::AttentionProblem problem;
      problem.batch = 2;
      problem.heads = 16;
      problem.kv_heads = kv_heads;
      problem.seqlen_q = problem.seqlen_k = seqlen;
      problem.head_dim = 128;
      const AttentionShape shape{2, 16, kv_heads, seqlen, seqlen, 128, "fp16", true, 0, "forward"};
      EXPECT_EQ(hopper_section_heads(shape), kernels::hopper::section_heads(problem))
          << seqlen << " " << kv_heads;
    }
  }
}

}  // namespace
}  // namespace ridgepoint
