#include "analyzer/predict/bound.h"

#include <gtest/gtest.h>

namespace ridgepoint {
namespace {

const std::vector<Ceiling> roofs = {
    {CeilingKind::bandwidth, "hbm", "HBM", 4e12, std::nullopt, ""},
    {CeilingKind::bandwidth, "smem", "Shared memory", 32e12, std::nullopt, ""},
    {CeilingKind::compute, "tensor_fp16", "Tensor FP16", 1e15, std::nullopt, ""}};

KernelIo io_of(double hbm, double l2, double smem) {
  KernelIo io;
  io.hbm.read = hbm;
  io.l2.read = l2;
  io.smem.read = smem;
  return io;
}

TEST(TimeBound, IsThatOfTheSlowestResource) {
  const TimeBound by_hbm = time_bound(io_of(4e9, 0, 0), 1e11, "tensor_fp16", roofs);
  EXPECT_DOUBLE_EQ(by_hbm.time_s, 1e-3);
  EXPECT_EQ(by_hbm.by, BoundBy::hbm);
  EXPECT_DOUBLE_EQ(*by_hbm.compute_s, 1e-4);
  EXPECT_EQ(time_bound(io_of(4e9, 0, 64e9), 0, "", roofs).by, BoundBy::smem);
  EXPECT_EQ(time_bound(io_of(4e9, 0, 0), 2e12, "tensor_fp16", roofs).by, BoundBy::compute);
}

TEST(TimeBound, LeavesOutALevelWhoseRoofIsNotKnown) {
  const TimeBound bound = time_bound(io_of(1, 1e30, 1), 0, "", roofs);
  EXPECT_FALSE(bound.level_s[MemoryLevel::l2]);
  EXPECT_LT(bound.time_s, 1);
}

TEST(TimeBound, IsUnknownWithoutRoofs) {
  const TimeBound bound = time_bound(io_of(1, 1, 1), 1, "tensor_fp16", {});
  EXPECT_EQ(bound.time_s, 0);
  EXPECT_EQ(bound.by, BoundBy::unknown);
}

}  // namespace
}  // namespace ridgepoint
