#include "kernels/attention/accuracy.h"

#include <gmock/gmock.h>

#include <cmath>
#include <limits>

#include "kernels/attention/half.h"

namespace ridgepoint::kernels {
namespace {

using testing::HasSubstr;

// A problem with two empty rows, and outputs that are right: the exact result, rounded once.
class Accuracy : public testing::Test {
 protected:
  Accuracy() {
    problem_.seqlen_q = 40;
    problem_.seqlen_k = 38;
    problem_.causal = true;
    data_ = random_attention_data(problem_, 1);
    basis_ = make_accuracy_basis(problem_, data_, all_rows(problem_));
    for (const double value : basis_.exact.o) {
      o_.push_back(encode_fp16(static_cast<float>(value)));
    }
    lse_.assign(basis_.exact.lse.begin(), basis_.exact.lse.end());
  }

  AttentionProblem problem_;
  AttentionData data_;
  AccuracyBasis basis_;
  std::vector<std::uint16_t> o_;
  std::vector<float> lse_;
};

TEST_F(Accuracy, PassesTheExactResultRoundedOnce) {
  const AccuracyResult result = check_accuracy(basis_, o_, lse_);
  EXPECT_TRUE(result.passed()) << result.failure;
  EXPECT_GT(result.max_abs_error, 0);
  EXPECT_LT(result.max_abs_error, basis_.tolerance);
}

TEST_F(Accuracy, FailsOneWrongElementAndNamesItsRow) {
  o_[20 * 64 + 3] = encode_fp16(decode_fp16(o_[20 * 64 + 3]) + 0.1F);
  const AccuracyResult result = check_accuracy(basis_, o_, lse_);
  EXPECT_NEAR(result.max_abs_error, 0.1, 1e-3);
  EXPECT_THAT(result.failure, HasSubstr("O of batch 0, head 0, row 20"));
}

TEST_F(Accuracy, FailsANan) {
  o_[5 * 64] = 0x7E00;
  const AccuracyResult result = check_accuracy(basis_, o_, lse_);
  EXPECT_TRUE(std::isinf(result.max_abs_error));
  EXPECT_FALSE(result.passed());
}

TEST_F(Accuracy, EmptyRowsMustBeExactlyZero) {
  o_[0] = encode_fp16(1e-6F);
  EXPECT_THAT(check_accuracy(basis_, o_, lse_).failure, HasSubstr("row 0 is"));
}

TEST_F(Accuracy, EmptyRowsMustHaveAnLseOfMinusInfinity) {
  for (const float wrong : {std::numeric_limits<float>::infinity(), -1e30F, 0.0F}) {
    lse_[1] = wrong;
    EXPECT_THAT(check_accuracy(basis_, o_, lse_).failure,
                HasSubstr("LSE of batch 0, head 0, row 1"));
  }
}

TEST_F(Accuracy, AnAbsentLseIsNotJudged) {
  EXPECT_TRUE(check_accuracy(basis_, o_, {}).passed());
}

}  // namespace
}  // namespace ridgepoint::kernels
