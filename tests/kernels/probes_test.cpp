#include "kernels/ceilings/probes.h"

#include <gmock/gmock.h>

#include <set>
#include <string>

namespace ridgepoint::kernels::ceilings {
namespace {

constexpr std::size_t h200_l2_bytes = 62914560;
const ProbeDevice h200 = {132, std::size_t{130} << 30U, h200_l2_bytes};

TEST(CeilingProbes, EachIsOneWayToOneCeiling) {
  std::set<std::string> names;
  for (const Probe* probe : probes()) {
    EXPECT_TRUE(names.insert(std::string(probe->ceiling) + "." + probe->method).second);
    EXPECT_EQ(std::string(probe->ceiling).find('.'), std::string::npos)
        << "the dot parts ceiling and method";
    const ProbeShape shape = probe->shape(h200);
    EXPECT_GT(shape.work_per_iteration, 0) << probe->ceiling;
    EXPECT_EQ(shape.blocks % h200.sm_count, 0) << "every SM has the same work";
  }
  for (const char* name :
       {"hbm.read", "hbm.write", "hbm.copy", "l2.read", "smem.read", "fp32.fma", "fp64.fma",
        "fp16.fma", "tensor_fp16.mma_sync", "tensor_bf16.mma_sync", "tensor_tf32.mma_sync",
        "tensor_int8.mma_sync", "tensor_fp8.mma_sync", "tensor_fp64.mma_sync", "tensor_fp16.wgmma",
        "tensor_bf16.wgmma", "tensor_tf32.wgmma", "tensor_fp8.wgmma", "tensor_int8.wgmma"}) {
    EXPECT_EQ(names.count(name), 1U) << name;
  }
}

TEST(CeilingProbes, WarpgroupProductsRunOnHopperAlone) {
  EXPECT_TRUE(runs_on(wgmma_fp8(), 90));
  EXPECT_FALSE(runs_on(wgmma_fp8(), 89));
  EXPECT_FALSE(runs_on(wgmma_fp8(), 100));
  EXPECT_FALSE(runs_on(mma_fp8(), 86));
  EXPECT_TRUE(runs_on(mma_fp8(), 89));
  EXPECT_FALSE(runs_on(mma_fp8(), 90)) << "it would not time products of FP8";
  EXPECT_TRUE(runs_on(mma_fp8(), 120));
  EXPECT_TRUE(runs_on(mma_fp16(), 80));
  EXPECT_TRUE(runs_on(mma_fp16(), 120));
  EXPECT_FALSE(runs_on(mma_fp16(), 75));
  EXPECT_TRUE(runs_on(mma_fp64(), 90));
  EXPECT_FALSE(runs_on(mma_fp64(), 80)) << "the shape came with 9.0";
  EXPECT_FALSE(runs_on(mma_fp64(), 100)) << "this build has no code for it";
}

TEST(CeilingProbes, MemoryProbesTakeNoMoreThanHalfOfWhatIsFree) {
  for (const Probe* probe : {&hbm_read(), &hbm_write(), &hbm_copy()}) {
    const ProbeShape roomy = probe->shape(h200);
    EXPECT_GT(roomy.buffer_bytes, std::size_t{7} << 30U) << "far larger than any L2";
    EXPECT_LE(roomy.buffer_bytes, std::size_t{8} << 30U);
    const ProbeShape tight = probe->shape({132, std::size_t{1} << 30U});
    EXPECT_LE(tight.buffer_bytes, std::size_t{1} << 29U);
    EXPECT_EQ(tight.work_per_iteration, static_cast<double>(tight.buffer_bytes));
    EXPECT_EQ(probe->shape({132, 1000}).work_per_iteration, 0) << "nothing to measure with";
  }
}

TEST(CeilingProbes, TheL2ProbeStaysWithinL2) {
  const ProbeShape shape = l2_read().shape(h200);
  EXPECT_LE(shape.buffer_bytes, h200_l2_bytes / 2);
  EXPECT_GT(shape.buffer_bytes, h200_l2_bytes / 8) << "more than any L1 could hold";
  EXPECT_EQ(shape.work_per_iteration, static_cast<double>(shape.buffer_bytes));
  EXPECT_EQ(l2_read().shape({132, std::size_t{130} << 30U, 1 << 20}).work_per_iteration, 0)
      << "an L2 in which not every block has a slice";
}

// M x N x K of all blocks: 4 x 4 instructions of 64 x 256 x 16 by each of two warpgroups.
TEST(CeilingProbes, TensorWorkIsTwoMNK) {
  EXPECT_EQ(wgmma_fp16().shape(h200).work_per_iteration, 132.0 * 2 * 16 * 2 * 64 * 256 * 16);
  EXPECT_EQ(wgmma_tf32().shape(h200).work_per_iteration, 132.0 * 2 * 16 * 2 * 64 * 256 * 8);
  EXPECT_EQ(wgmma_fp8().shape(h200).work_per_iteration, 132.0 * 2 * 16 * 2 * 64 * 256 * 32);
  // Two blocks of 8 warps an SM, 8 steps of 2 x 4 instructions.
  EXPECT_EQ(mma_int8().shape(h200).work_per_iteration, 132.0 * 16 * 64 * 2 * 16 * 8 * 32);
  // Half as many of FP64.
  EXPECT_EQ(mma_fp64().shape(h200).work_per_iteration, 132.0 * 16 * 32 * 2 * 16 * 8 * 8);
}

}  // namespace
}  // namespace ridgepoint::kernels::ceilings
