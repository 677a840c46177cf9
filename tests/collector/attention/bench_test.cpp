#include "collector/attention/bench.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace ridgepoint::collector {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

AttentionShape small_shape() {
  AttentionShape shape;
  shape.batch = 1;
  shape.heads = shape.kv_heads = 2;
  shape.seqlen_q = shape.seqlen_k = 256;
  shape.head_dim = 64;
  shape.dtype = "fp16";
  return shape;
}

TEST(ProblemOf, TakesTheShapeAndFillsInTheUsualScale) {
  AttentionShape shape = small_shape();
  const auto problem = problem_of(shape);
  ASSERT_TRUE(problem) << format_error(problem.error());
  EXPECT_EQ(problem->heads, 2);
  EXPECT_EQ(problem->dtype, kernels::DataType::fp16);
  EXPECT_DOUBLE_EQ(shape.softmax_scale, 0.125) << "1/sqrt(64)";
}

TEST(ProblemOf, ImpossibleShapesAreUsageErrors) {
  for (void (*spoil)(AttentionShape&) :
       {+[](AttentionShape& s) { s.dtype = "fp12"; }, +[](AttentionShape& s) { s.heads = -1; },
        +[](AttentionShape& s) { s.seqlen_k = std::int64_t{1} << 40; },
        +[](AttentionShape& s) { s.direction = "sideways"; },
        +[](AttentionShape& s) { s.kv_heads = 3; }}) {
    AttentionShape shape = small_shape();
    spoil(shape);
    const auto problem = problem_of(shape);
    ASSERT_FALSE(problem);
    EXPECT_EQ(problem.error().domain, ErrorDomain::usage);
    EXPECT_FALSE(problem.error().why.empty());
  }
}

std::vector<std::string> chosen_by_default(AttentionShape shape) {
  const auto chosen = choose_variants({}, "forward", *problem_of(shape), 90);
  EXPECT_TRUE(chosen) << format_error(chosen.error());
  EXPECT_TRUE(chosen->skipped.empty()) << "what cannot help is no fault to tell of";
  std::vector<std::string> names;
  for (const MeasuredVariant& variant : chosen->variants) {
    names.push_back(variant.name());
  }
  return names;
}

TEST(ChooseVariants, AllThatCanRunAndMayHelpWhenNoneIsNamed) {
  AttentionShape full = small_shape();
  full.batch = 64;
  full.seqlen_q = full.seqlen_k = 1024;
  EXPECT_THAT(chosen_by_default(full), ElementsAre("naive", "fused", "hopper"));
  AttentionShape decode = full;
  decode.batch = 1;
  decode.seqlen_q = 1;
  EXPECT_THAT(chosen_by_default(decode), ElementsAre("naive", "fused", "hopper", "split_kv"));
}

TEST(ChooseVariants, SplitKvRunsAnywhereWhenNamed) {
  AttentionShape full = small_shape();
  full.batch = 64;
  full.seqlen_q = full.seqlen_k = 1024;
  EXPECT_EQ(choose_variants({"split_kv"}, "forward", *problem_of(full), 90)->variants.size(), 1U);
}

TEST(ChooseVariants, NamedVariantRunsOnceHoweverOftenItIsNamed) {
  AttentionShape shape = small_shape();
  const auto chosen = choose_variants({"fused", "fused"}, "forward", *problem_of(shape), 90);
  ASSERT_TRUE(chosen);
  EXPECT_EQ(chosen->variants.size(), 1U);
}

TEST(ChooseVariants, UnknownNameListsTheKnownOnes) {
  AttentionShape shape = small_shape();
  const auto chosen = choose_variants({"magic"}, "forward", *problem_of(shape), 90);
  ASSERT_FALSE(chosen);
  EXPECT_EQ(chosen.error().domain, ErrorDomain::usage);
  EXPECT_THAT(chosen.error().hint, HasSubstr("naive, fused"));
}

TEST(ChooseVariants, BackwardHasVariantsOfItsOwn) {
  AttentionShape shape = small_shape();
  shape.direction = "backward";
  const auto all = choose_variants({}, "backward", *problem_of(shape), 90);
  ASSERT_TRUE(all) << format_error(all.error());
  ASSERT_EQ(all->variants.size(), kernels::attention_backward_variants().size());
  EXPECT_EQ(all->variants.front().products(), 4) << "naive keeps P";
  EXPECT_GT(all->variants.front().saved_bytes(*problem_of(shape)), 0U);
  EXPECT_EQ(all->variants.back().name(), "hopper_deterministic");
  EXPECT_EQ(all->variants.back().forward(), nullptr);
  const auto forward = choose_variants({"hopper_deterministic"}, "forward", *problem_of(shape), 90);
  ASSERT_FALSE(forward);
  EXPECT_THAT(forward.error().why, HasSubstr("forward variant"));
}

TEST(ChooseVariants, BackwardOfAHeadDimensionThatIsNotBuiltSaysWhichAre) {
  AttentionShape shape = small_shape();
  shape.head_dim = 256;
  const auto chosen = choose_variants({}, "backward", *problem_of(shape), 90);
  ASSERT_FALSE(chosen);
  EXPECT_EQ(chosen.error().domain, ErrorDomain::usage);
  EXPECT_THAT(chosen.error().why, HasSubstr("built for head_dim 64 and 128, not 256"));
}

TEST(ChooseVariants, GpuTooOldForEveryVariantSaysWhy) {
  AttentionShape shape = small_shape();
  const auto chosen = choose_variants({}, "forward", *problem_of(shape), 70);
  ASSERT_FALSE(chosen);
  EXPECT_THAT(chosen.error().why, HasSubstr("7.0"));
}

}  // namespace
}  // namespace ridgepoint::collector
