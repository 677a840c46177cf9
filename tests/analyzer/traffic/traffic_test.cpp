#include "analyzer/traffic/traffic.h"

#include <gmock/gmock.h>
#include <rapidcheck/gtest.h>

namespace ridgepoint {
namespace {

using ::testing::ElementsAre;
using ::testing::Pair;

TEST(Traffic, HbmIsReadPlusWrite) {
  Quantities q;
  q.set("hbm_read_bytes", 70);
  EXPECT_FALSE(traffic_of(q)[MemoryLevel::hbm].total) << "half of it is not the whole";
  q.set("hbm_write_bytes", 30);
  EXPECT_DOUBLE_EQ(*traffic_of(q)[MemoryLevel::hbm].total, 100);
}

TEST(Traffic, AWavefrontUsesAllBanksForOneCycle) {
  Quantities q;
  q.set("smem_wavefronts", 10);
  q.set("smem_requested_bytes", 640);
  EXPECT_DOUBLE_EQ(*traffic_of(q)[MemoryLevel::smem].total, 1280);
  EXPECT_DOUBLE_EQ(*traffic_of(q)[MemoryLevel::smem].requested, 640);
}

// What CUPTI counts of flash attention's kernel on an H200: 35,651,584 bytes of its cp.async are
// 1,368,064 in the counter of all instructions, which is not always the same.
TEST(Traffic, WhatLoadsAndStoresAskedOfSharedMemoryLeavesOutCpAsync) {
  Quantities q;
  q.set("smem_wavefronts", 1278592);
  q.set("smem_requested_bytes", 156557312);
  EXPECT_DOUBLE_EQ(*traffic_of(q)[MemoryLevel::smem].requested, 156557312) << "an older session";
  q.set("smem_load_store_bytes", 155189248);
  EXPECT_DOUBLE_EQ(*traffic_of(q)[MemoryLevel::smem].requested, 155189248);
  q.set("gmma_instructions", 1);
  EXPECT_FALSE(traffic_of(q)[MemoryLevel::smem].requested) << "the operands of WGMMA are missing";
}

// 1000 byte reach the SMs with 700 looked up: 300 are another SM's as well.
TEST(Traffic, L2CountsARequestAnsweredTogetherForEachWhoAsked) {
  Quantities q;
  q.set("l2_lookup_bytes", 900);
  q.set("l2_read_bytes", 720);
  q.set("l2_write_bytes", 180);
  q.set("sm_received_bytes", 1000);
  q.set("l2_sm_read_bytes", 700);
  const Traffic l2 = traffic_of(q)[MemoryLevel::l2];
  EXPECT_DOUBLE_EQ(*l2.total, 1200);
  EXPECT_DOUBLE_EQ(*l2.read, 1020);
  EXPECT_DOUBLE_EQ(*l2.write, 180);
  EXPECT_DOUBLE_EQ(*l2.merged, 300);
  EXPECT_DOUBLE_EQ(*l2.looked_up(), 900);
}

TEST(Traffic, L2IsWhatWasLookedUpWhereNobodyCountedWhatTheSmsReceived) {
  Quantities q;
  q.set("l2_lookup_bytes", 900);
  const Traffic l2 = traffic_of(q)[MemoryLevel::l2];
  EXPECT_DOUBLE_EQ(*l2.total, 900);
  EXPECT_FALSE(l2.merged);
  EXPECT_DOUBLE_EQ(*l2.looked_up(), 900);
}

TEST(Traffic, OfASumKnowsWhatMergedOnlyWhereAllPartsDo) {
  const Traffic known{1200, 1020, 180, std::nullopt, 300};
  const Traffic unknown{500, 400, 100, std::nullopt, std::nullopt};
  Traffic sum = known;
  add_traffic(sum, known);
  EXPECT_DOUBLE_EQ(*sum.total, 2400);
  EXPECT_DOUBLE_EQ(*sum.merged, 600);
  for (const auto& [first, second] : {std::pair(known, unknown), std::pair(unknown, known)}) {
    sum = first;
    add_traffic(sum, second);
    EXPECT_FALSE(sum.merged);
    EXPECT_DOUBLE_EQ(*sum.total, 900 + 500) << "what was looked up, of both";
    EXPECT_DOUBLE_EQ(*sum.read, 720 + 400);
    EXPECT_DOUBLE_EQ(*sum.write, 280);
  }
}

TEST(Traffic, NothingMeasuredIsNothingNotZero) {
  const auto traffic = traffic_of({});
  for (const MemoryLevel level : memory_levels) {
    EXPECT_FALSE(traffic[level].total);
  }
  EXPECT_FALSE(flop_of({}).total);
}

// The CUDA cores may have done any number.
TEST(Flop, NoneOnTheTensorCoresIsNotNoneAtAll) {
  Quantities q;
  q.set("tensor_fp16_flop", 0);
  EXPECT_FALSE(flop_of(q).total);
  for (const char* other : {"fp64_flop", "fp32_flop", "fp16_flop"}) {
    q.set(other, 0);
  }
  EXPECT_EQ(flop_of(q).total, 0);
}

TEST(Flop, TensorTypesAddUpAndStayApartFromTheCudaCores) {
  Quantities q;
  q.set("tensor_fp16_flop", 1000);
  q.set("tensor_bf16_flop", 0);
  q.set("fp32_flop", 50);
  const FlopCounts flop = flop_of(q);
  EXPECT_DOUBLE_EQ(*flop.tensor, 1000);
  EXPECT_DOUBLE_EQ(*flop.fp32, 50);
  EXPECT_DOUBLE_EQ(*flop.total, 1050);
  EXPECT_FALSE(flop.fp64);
  EXPECT_THAT(flop_by_unit(q), ElementsAre(Pair("tensor_fp16", 1000), Pair("fp32", 50)));
}

RC_GTEST_PROP(Traffic, ASumEqualsItsPartsAndMissesWhatOnePartMisses, ()) {
  const auto sizes =
      *rc::gen::nonEmpty(rc::gen::container<std::vector<int>>(rc::gen::inRange(0, 1 << 30)));
  Traffic sum{0.0, 0.0, 0.0, std::nullopt};
  double expected = 0;
  for (const int size : sizes) {
    add_traffic(sum, {2.0 * size, 1.0 * size, 1.0 * size, 5.0});
    expected += 2.0 * size;
  }
  RC_ASSERT(*sum.total == expected);
  RC_ASSERT(*sum.read + *sum.write == *sum.total);
  RC_ASSERT(!sum.requested);
}

}  // namespace
}  // namespace ridgepoint
