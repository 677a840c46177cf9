// The plans know the kernels' tiles without linking them: they must be the same.
#include "analyzer/predict/plan.h"

#include <gtest/gtest.h>

#include "analyzer/attention/io_model.h"
#include "analyzer/predict/gpu.h"
#include "kernels/attention/hopper/plan.h"
#include "kernels/attention/variant.h"

namespace ridgepoint {
namespace {

TEST(Plans, HaveTheTilesOfTheKernels) {
  const DeviceInfo device = find_gpu("H200").value().device;
  for (const kernels::AttentionVariant* variant : kernels::attention_variants()) {
    for (const PlannedVariant& planned : planned_variants()) {
      if (variant->name() != planned.name) {
        continue;
      }
      for (const std::int32_t head_dim : {64, 128, 256}) {
        for (const std::int32_t seqlen : {512, 4096, 16384, 65536}) {
          kernels::AttentionProblem problem;
          problem.batch = 1;
          problem.heads = problem.kv_heads = 8;
          problem.seqlen_q = problem.seqlen_k = seqlen;
          problem.head_dim = head_dim;
          const AttentionShape shape{1,        8,      8,     seqlen, seqlen,
                                     head_dim, "fp16", false, 0,      "forward"};
          const VariantPlan plan = planned.plan(shape, device);
          const bool runs = variant->unsupported_reason(problem, 90).empty();
          ASSERT_EQ(plan.unsupported.empty(), runs) << planned.name << " " << head_dim;
          if (!runs) {
            continue;
          }
          const auto tiles = variant->tiles(problem);
          ASSERT_EQ(plan.launches.size(), tiles.size()) << planned.name;
          EXPECT_EQ(static_cast<std::size_t>(plan.workspace_bytes),
                    variant->workspace_bytes(problem));
          for (std::size_t i = 0; i < tiles.size(); ++i) {
            const KernelTileInfo& tile = plan.launches[i].kernel.tile;
            EXPECT_EQ(tile.role, tiles[i].role);
            EXPECT_EQ(tile.block_m, tiles[i].block_m) << planned.name << " " << tile.role;
            EXPECT_EQ(tile.block_n, tiles[i].block_n) << planned.name << " " << tile.role;
            EXPECT_EQ(tile.block_k, tiles[i].block_k) << planned.name << " " << tile.role;
            EXPECT_EQ(tile.stages, tiles[i].stages) << planned.name << " " << tile.role;
            EXPECT_EQ(tile.threads, tiles[i].threads) << planned.name << " " << tile.role;
            EXPECT_EQ(tile.smem_bytes, static_cast<std::int64_t>(tiles[i].smem_bytes))
                << planned.name << " " << tile.role;
          }
        }
      }
    }
  }
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
