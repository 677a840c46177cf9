#include "kernels/attention/gradient_reference.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <set>

#include "kernels/attention/gradient_accuracy.h"
#include "kernels/attention/half.h"

namespace ridgepoint::kernels {
namespace {

struct Example {
  AttentionProblem problem;
  AttentionData data;
  std::vector<std::uint16_t> d_o;
};

Example example(int seqlen_q, int seqlen_k, bool causal) {
  AttentionProblem p;
  p.heads = 4;
  p.kv_heads = 2;
  p.seqlen_q = seqlen_q;
  p.seqlen_k = seqlen_k;
  p.head_dim = 4;
  p.causal = causal;
  return {p, random_attention_data(p, 3), random_tensor(query_elements(p), p.dtype, 4)};
}

TEST(SampleKeyRows, TakesTheFirstTheLastAndNoMoreHeadsThanAllowed) {
  AttentionProblem p = example(16, 40, false).problem;
  p.batch = 3;
  std::set<std::pair<int, int>> heads;
  for (const RowId& id : sample_key_rows(p, 30, 1, 2)) {
    heads.insert({id.batch, id.head});
    EXPECT_LT(id.row, 40);
  }
  EXPECT_THAT(heads, testing::ElementsAre(std::pair(0, 0), std::pair(2, 1)));
}

// The loss whose gradient by O is dO.
double loss(const Example& e) {
  const AttentionRows rows = reference_rows(e.problem, e.data, all_rows(e.problem));
  double sum = 0;
  for (std::size_t i = 0; i < rows.o.size(); ++i) {
    sum += rows.o[i] * static_cast<double>(decode_fp16(e.d_o[i]));
  }
  return sum;
}

// Central difference of the loss by one element, between its two neighbours in FP16.
double difference_quotient(const Example& e, std::vector<std::uint16_t> AttentionData::*tensor,
                           std::size_t element) {
  Example low = e;
  Example high = e;
  const float value = decode_fp16((e.data.*tensor)[element]);
  (low.data.*tensor)[element] = encode_fp16(value - 0.01F);
  (high.data.*tensor)[element] = encode_fp16(value + 0.01F);
  const auto step = static_cast<double>(decode_fp16((high.data.*tensor)[element]) -
                                        decode_fp16((low.data.*tensor)[element]));
  return (loss(high) - loss(low)) / step;
}

class GradientReference : public testing::TestWithParam<bool> {};

TEST_P(GradientReference, IsTheDerivativeOfTheForwardPass) {
  const Example e = example(5, 7, GetParam());
  const GradientRows gradients = reference_gradient_rows(
      e.problem, e.data, e.d_o, all_rows(e.problem), sample_key_rows(e.problem, 1000, 0));
  ASSERT_EQ(gradients.dq.size(), e.data.q.size());
  ASSERT_EQ(gradients.dk.size(), e.data.k.size());
  for (std::size_t i = 0; i < gradients.dq.size(); ++i) {
    EXPECT_NEAR(gradients.dq[i], difference_quotient(e, &AttentionData::q, i), 2e-3) << i;
  }
  for (std::size_t i = 0; i < gradients.dk.size(); ++i) {
    EXPECT_NEAR(gradients.dk[i], difference_quotient(e, &AttentionData::k, i), 2e-3) << i;
    EXPECT_NEAR(gradients.dv[i], difference_quotient(e, &AttentionData::v, i), 2e-3) << i;
  }
}

TEST_P(GradientReference, RowsDoNotDependOnWhichOthersAreAskedFor) {
  const Example e = example(6, 9, GetParam());
  const std::vector<RowId> queries = all_rows(e.problem);
  const std::vector<RowId> keys = sample_key_rows(e.problem, 1000, 0);
  const GradientRows all = reference_gradient_rows(e.problem, e.data, e.d_o, queries, keys);
  const std::vector<RowId> one_query = {queries[13]};
  const std::vector<RowId> one_key = {keys[11]};
  const GradientRows one = reference_gradient_rows(e.problem, e.data, e.d_o, one_query, one_key);
  for (std::size_t c = 0; c < 4; ++c) {
    EXPECT_EQ(one.dq[c], all.dq[13 * 4 + c]);
    EXPECT_EQ(one.dk[c], all.dk[11 * 4 + c]);
    EXPECT_EQ(one.dv[c], all.dv[11 * 4 + c]);
  }
}

INSTANTIATE_TEST_SUITE_P(Masks, GradientReference, testing::Bool());

TEST(GradientReference, QueriesWithoutKeysHaveNoGradient) {
  const Example e = example(5, 2, true);
  const GradientRows gradients =
      reference_gradient_rows(e.problem, e.data, e.d_o, all_rows(e.problem), {});
  for (std::size_t c = 0; c < 3 * 4; ++c) {
    EXPECT_EQ(gradients.dq[c], 0);
  }
}

TEST(GradientAccuracy, AcceptsRoundedAndRefusesWrongGradients) {
  const Example e = example(6, 9, false);
  const std::vector<RowId> queries = all_rows(e.problem);
  const std::vector<RowId> keys = sample_key_rows(e.problem, 1000, 0);
  const GradientBasis basis = make_gradient_basis(e.problem, e.data, e.d_o, queries, keys);
  const auto encoded = [](const std::vector<double>& values) {
    std::vector<std::uint16_t> bits;
    for (const double value : values) {
      bits.push_back(encode_fp16(static_cast<float>(value)));
    }
    return bits;
  };
  const std::vector<std::uint16_t> dq = encoded(basis.exact.dq);
  const std::vector<std::uint16_t> dk = encoded(basis.exact.dk);
  std::vector<std::uint16_t> dv = encoded(basis.exact.dv);
  EXPECT_EQ(check_gradients(basis, dq, dk, dv).failure, "");
  EXPECT_NE(check_gradients(basis, dq, dv, dk).failure, "");
  dv[7] = 0x7E00;  // NaN
  const GradientAccuracy with_nan = check_gradients(basis, dq, dk, dv);
  EXPECT_THAT(with_nan.failure, testing::HasSubstr("dV"));
  EXPECT_TRUE(std::isinf(with_nan.max_abs_error[2]));
}

}  // namespace
}  // namespace ridgepoint::kernels
