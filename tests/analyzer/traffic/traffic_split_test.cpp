#include "analyzer/traffic/traffic_split.h"

#include <gmock/gmock.h>
#include <rapidcheck/gtest.h>

#include "analyzer/attention/flop.h"

namespace ridgepoint {
namespace {

TEST(SplitBytes, BeyondWhatIsDueOnceBytesMovedAgain) {
  const TrafficSplit split = split_bytes(100, {30, 20});
  EXPECT_EQ(split.inputs_outputs, 30);
  EXPECT_EQ(split.intermediates, 20);
  EXPECT_EQ(split.again, 50);
  EXPECT_EQ(split.kept, 0);
}

TEST(SplitBytes, IntermediatesAreTheFirstThatACacheKept) {
  const TrafficSplit split = split_bytes(35, {30, 20});
  EXPECT_EQ(split.inputs_outputs, 30);
  EXPECT_EQ(split.intermediates, 5);
  EXPECT_EQ(split.again, 0);
  EXPECT_EQ(split.kept, 15);
  EXPECT_EQ(split_bytes(10, {30, 20}).kept, 40);
}

RC_GTEST_PROP(SplitBytesProperty, PartsAreNeverNegativeAndAddUpToWhatMoved, ()) {
  const double moved = *rc::gen::inRange(0, 1000000000);
  const DueOnce due{static_cast<double>(*rc::gen::inRange(0, 1000000000)),
                    static_cast<double>(*rc::gen::inRange(0, 1000000000))};
  const TrafficSplit split = split_bytes(moved, due);
  RC_ASSERT(split.inputs_outputs >= 0 && split.intermediates >= 0 && split.again >= 0 &&
            split.kept >= 0);
  RC_ASSERT(split.total() == moved);
  RC_ASSERT(split.again == 0 || split.kept == 0);
  RC_ASSERT(split.kept - split.again == due.inputs_outputs + due.intermediates - moved);
}

// Naive attention, three kernels, whose S and P are 2 x 8 x 1,024 x 1,024 bytes.
struct NaiveRun : ::testing::Test {
  const AttentionShape shape{1, 8, 8, 1024, 1024, 64, "fp16", false, 0.125, "forward"};
  const double tensor = 2.0 * 8 * 1024 * 64;
  const double matrix = 2.0 * 8 * 1024 * 1024;
  const double lse = 4.0 * 8 * 1024;
  std::vector<KernelAnalysis> kernels = std::vector<KernelAnalysis>(3);
  std::vector<VariantAnalysis> variants = std::vector<VariantAnalysis>(1);
  std::vector<std::vector<TensorUse>> uses = {
      tensor_uses(shape, {"scores", 128, 64, 64, 2, 256, 0}),
      tensor_uses(shape, {"softmax", 1, 0, 0, 1, 256, 0}),
      tensor_uses(shape, {"output", 128, 64, 64, 2, 256, 0})};

  NaiveRun() {
    variants.front().kernels = {0, 1, 2};
    for (KernelAnalysis& kernel : kernels) {
      kernel.launches = 1;
    }
    moved(0, 2 * tensor, matrix);
    moved(1, matrix, matrix + lse);
    moved(2, matrix + 3 * tensor, tensor);
  }
  void moved(std::size_t kernel, double read, double write) {
    kernels[kernel].traffic[MemoryLevel::hbm] = {read + write, read, write, {}};
  }
};

TEST_F(NaiveRun, TellsTensorsOfTheProblemFromItsIntermediates) {
  split_traffic(kernels, variants, uses);
  const auto& split = variants.front().split[MemoryLevel::hbm];
  ASSERT_TRUE(split);
  EXPECT_DOUBLE_EQ(split->inputs_outputs, compulsory_bytes(shape));
  EXPECT_DOUBLE_EQ(split->intermediates, 4 * matrix);  // S and P, each written and read
  EXPECT_DOUBLE_EQ(split->again, 2 * tensor);          // V three times
  EXPECT_DOUBLE_EQ(split->kept, 0);
  EXPECT_DOUBLE_EQ(kernels[1].split[MemoryLevel::hbm]->inputs_outputs, lse);
}

TEST_F(NaiveRun, AMatrixThatL2KeptIsSaidToBeKept) {
  moved(1, 0, matrix + lse);
  split_traffic(kernels, variants, uses);
  EXPECT_DOUBLE_EQ(variants.front().split[MemoryLevel::hbm]->kept, matrix);
  EXPECT_DOUBLE_EQ(variants.front().split[MemoryLevel::hbm]->intermediates, 3 * matrix);
}

TEST_F(NaiveRun, LaunchesOfAKernelAddUp) {
  for (std::size_t i = 0; i < 3; ++i) {
    kernels[i].launches = 2;
    moved(i, 2 * *kernels[i].traffic[MemoryLevel::hbm].read,
          2 * *kernels[i].traffic[MemoryLevel::hbm].write);
  }
  split_traffic(kernels, variants, uses);
  EXPECT_DOUBLE_EQ(variants.front().split[MemoryLevel::hbm]->intermediates, 8 * matrix);
}

TEST_F(NaiveRun, WhatNobodyCountedIsNotSplit) {
  kernels[2].traffic[MemoryLevel::hbm].read.reset();
  split_traffic(kernels, variants, uses);
  EXPECT_TRUE(kernels[0].split[MemoryLevel::hbm]);
  EXPECT_FALSE(kernels[2].split[MemoryLevel::hbm]);
  EXPECT_FALSE(variants.front().split[MemoryLevel::hbm]);  // a part would pass for the whole
  EXPECT_FALSE(variants.front().split[MemoryLevel::l2]);
  EXPECT_FALSE(variants.front().l2_saved_bytes);
}

TEST_F(NaiveRun, L2SavesWhatTheSmsReadAndHbmDidNotSend) {
  for (KernelAnalysis& kernel : kernels) {
    const double read = *kernel.traffic[MemoryLevel::hbm].read;
    kernel.traffic[MemoryLevel::l2] = {6 * read, 5 * read, read, {}};
    kernel.quantities = {{"l2_to_sm_bytes", 4 * read}};
  }
  split_traffic(kernels, variants, uses);
  EXPECT_DOUBLE_EQ(*kernels[0].l2_saved_bytes, 3 * 2 * tensor);
  EXPECT_DOUBLE_EQ(*variants.front().l2_saved_bytes, 3 * (2 * matrix + 5 * tensor));
  kernels[0].quantities = {{"l2_to_sm_bytes", 1.0}};  // less than HBM sent: nothing was saved
  split_traffic(kernels, variants, uses);
  EXPECT_EQ(*kernels[0].l2_saved_bytes, 0);
}

TEST(TensorUses, OfEveryVariantMakeTheProblemsTensorsDueOnce) {
  // Inputs read by several kernels of a variant count once; so the variant owes what the problem
  // needs, and the naive backward pass less, which uses neither O nor the LSE.
  const AttentionShape shape{1, 8, 8, 1024, 1024, 64, "fp16", false, 0.125, "backward"};
  std::vector<KernelAnalysis> kernels(3);
  std::vector<VariantAnalysis> variants(1);
  variants.front().kernels = {0, 1, 2};
  std::vector<std::vector<TensorUse>> uses;
  for (const char* role : {"rows", "gradients", "conversion"}) {
    uses.push_back(tensor_uses(shape, {role, 64, 64, 64, 2, 256, 0}));
    KernelAnalysis& kernel = kernels[uses.size() - 1];
    kernel.launches = 1;
    Traffic& hbm = kernel.traffic[MemoryLevel::hbm];
    hbm.read = hbm.write = 0;
    for (const TensorUse& use : uses.back()) {
      (use.written ? hbm.write : hbm.read) = *(use.written ? hbm.write : hbm.read) + use.bytes;
    }
    hbm.total = *hbm.read + *hbm.write;
  }
  split_traffic(kernels, variants, uses);
  const TrafficSplit split = *variants.front().split[MemoryLevel::hbm];
  EXPECT_DOUBLE_EQ(split.inputs_outputs, compulsory_bytes(shape));
  EXPECT_DOUBLE_EQ(split.again, query_bytes(shape));  // dO, by a second kernel
}

TEST(TensorUses, UnknownRolesAndSizesNoTensorHasOweNothing) {
  AttentionShape shape{1, 8, 8, 1024, 1024, 64, "fp16", false, 0.125, "forward"};
  EXPECT_TRUE(tensor_uses(shape, {"transpose", 1, 1, 1, 1, 1, 1}).empty());
  shape.seqlen_k = std::int64_t{1} << 62;
  EXPECT_TRUE(tensor_uses(shape, {"attention", 128, 128, 64, 2, 256, 0}).empty());
}

}  // namespace
}  // namespace ridgepoint
