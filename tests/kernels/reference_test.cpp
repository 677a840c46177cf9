#include "kernels/attention/reference.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <set>
#include <tuple>

#include "kernels/attention/half.h"

namespace ridgepoint::kernels {
namespace {

std::vector<std::uint16_t> fp16(std::initializer_list<float> values) {
  std::vector<std::uint16_t> bits;
  for (const float value : values) {
    bits.push_back(encode_fp16(value));
  }
  return bits;
}

// One query, two keys, two columns: scores 0 and ln 3 (as near as FP16 allows) weigh V 1 to 3.
TEST(Reference, AgreesWithAHandCalculation) {
  AttentionProblem p;
  p.seqlen_q = 1;
  p.seqlen_k = 2;
  p.head_dim = 2;
  p.softmax_scale = 1.0F;
  const AttentionData data{fp16({1, 0}), fp16({0, 5, 1, 7}), fp16({4, 8, 8, -8})};
  const AttentionRows result = reference_rows(p, data, all_rows(p));
  // Scores 0 and 1: weights 1/(1+e) and e/(1+e).
  const double e = std::exp(1.0);
  EXPECT_NEAR(result.o[0], (4 + 8 * e) / (1 + e), 1e-12);
  EXPECT_NEAR(result.o[1], (8 - 8 * e) / (1 + e), 1e-12);
  EXPECT_NEAR(result.lse[0], std::log(1 + e), 1e-12);
}

TEST(Reference, CausalRowsAreAlignedAtTheBottomRight) {
  AttentionProblem p;
  p.seqlen_q = 3;
  p.seqlen_k = 2;
  p.head_dim = 1;
  p.causal = true;
  const AttentionData data{fp16({1, 1, 1}), fp16({1, 1}), fp16({10, 20})};
  const AttentionRows result = reference_rows(p, data, all_rows(p));
  EXPECT_EQ(result.o, (std::vector<double>{0, 10, 15}));
  EXPECT_EQ(result.lse[0], -std::numeric_limits<double>::infinity());
  EXPECT_NEAR(result.lse[1], 1.0, 1e-12);
  EXPECT_NEAR(result.lse[2], 1.0 + std::log(2.0), 1e-12);
}

TEST(Reference, WithoutKeysEveryRowIsEmpty) {
  AttentionProblem p;
  p.seqlen_q = 2;
  p.head_dim = 1;
  const AttentionRows result = reference_rows(p, {fp16({1, 2}), {}, {}}, all_rows(p));
  EXPECT_EQ(result.o, (std::vector<double>{0, 0}));
  EXPECT_TRUE(std::isinf(result.lse[0]) && result.lse[0] < 0);
}

TEST(Reference, QueryHeadsShareTheKeyHeadOfTheirGroup) {
  AttentionProblem p;
  p.batch = 2;
  p.heads = 4;
  p.kv_heads = 2;
  p.seqlen_q = 1;
  p.seqlen_k = 1;
  p.head_dim = 1;
  // One key: O is V of the key head that was read.
  const AttentionData data{fp16({1, 1, 1, 1, 1, 1, 1, 1}), fp16({1, 1, 1, 1}), fp16({1, 2, 3, 4})};
  EXPECT_EQ(reference_rows(p, data, all_rows(p)).o, (std::vector<double>{1, 1, 2, 2, 3, 3, 4, 4}));
}

TEST(Reference, ResultOfARowDoesNotDependOnWhichOthersAreAskedFor) {
  AttentionProblem p;
  p.heads = 2;
  p.seqlen_q = 70;
  p.seqlen_k = 90;
  p.kv_heads = 2;
  const AttentionData data = random_attention_data(p, 1);
  const std::vector<RowId> rows = all_rows(p);
  const AttentionRows all = reference_rows(p, data, rows);
  const std::vector<RowId> one = {rows[77]};
  const AttentionRows alone = reference_rows(p, data, one);
  EXPECT_EQ(alone.lse[0], all.lse[77]);
  EXPECT_EQ(alone.o[5], all.o[77 * 64 + 5]);
}

TEST(Reference, RoundedArithmeticIsCloseToExactButNotEqual) {
  AttentionProblem p;
  p.seqlen_q = 16;
  p.seqlen_k = 300;
  p.dtype = DataType::bf16;
  const AttentionData data = random_attention_data(p, 2);
  const std::vector<RowId> rows = all_rows(p);
  const AttentionRows exact = reference_rows(p, data, rows);
  for (const Arithmetic arithmetic :
       {Arithmetic::rounded_probabilities, Arithmetic::rounded_scores}) {
    const AttentionRows rounded = reference_rows(p, data, rows, arithmetic);
    double error = 0;
    for (std::size_t i = 0; i < exact.o.size(); ++i) {
      error = std::max(error, std::fabs(rounded.o[i] - exact.o[i]));
      ASSERT_EQ(rounded.o[i],
                static_cast<double>(round_to(DataType::bf16, static_cast<float>(rounded.o[i]))));
    }
    EXPECT_GT(error, 1e-6);
    EXPECT_LT(error, 2e-2);
  }
}

TEST(SampleRows, AreDistinctAndHoldTheFirstAndTheLast) {
  AttentionProblem p;
  p.batch = 2;
  p.heads = 3;
  p.seqlen_q = 1000;
  const std::vector<RowId> rows = sample_rows(p, 100, 5);
  std::set<std::int64_t> indices;
  for (const RowId& row : rows) {
    indices.insert(row_index(p, row));
  }
  EXPECT_EQ(indices.size(), 100U);
  EXPECT_EQ(*indices.begin(), 0);
  EXPECT_EQ(*indices.rbegin(), 2 * 3 * 1000 - 1);
}

TEST(SampleRows, GiveEveryRowWhenThereAreFew) {
  AttentionProblem p;
  p.heads = 2;
  p.seqlen_q = 3;
  const std::vector<RowId> rows = sample_rows(p, 100, 5);
  ASSERT_EQ(rows.size(), 6U);
  for (std::size_t i = 0; i < rows.size(); ++i) {
    EXPECT_EQ(row_index(p, rows[i]), static_cast<std::int64_t>(i));
  }
  p.seqlen_q = 0;
  EXPECT_TRUE(sample_rows(p, 100, 5).empty());
}

}  // namespace
}  // namespace ridgepoint::kernels
