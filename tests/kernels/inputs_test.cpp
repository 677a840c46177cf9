#include "kernels/attention/inputs.h"

#include <gtest/gtest.h>

#include <cmath>

#include "kernels/attention/half.h"

namespace ridgepoint::kernels {
namespace {

TEST(RandomTensor, RepeatsForTheSameSeedAndDiffersForAnother) {
  const auto first = random_tensor(100000, DataType::fp16, 7);
  EXPECT_EQ(first, random_tensor(100000, DataType::fp16, 7));
  EXPECT_NE(first, random_tensor(100000, DataType::fp16, 8));
}

TEST(RandomTensor, HoldsNoZero) {
  // So small a deviation rounds most values to zero in FP16.
  for (const std::uint16_t bits : random_tensor(100000, DataType::fp16, 1, 1e-8F)) {
    ASSERT_NE(bits & 0x7FFF, 0);
  }
}

TEST(RandomTensor, HasTheDeviationAskedFor) {
  const std::int64_t count = 1 << 20;
  for (const float deviation : {1.0F, 3.0F}) {
    double sum = 0;
    double squares = 0;
    for (const std::uint16_t bits : random_tensor(count, DataType::bf16, 3, deviation)) {
      const auto value = static_cast<double>(decode_bf16(bits));
      sum += value;
      squares += value * value;
    }
    const auto n = static_cast<double>(count);
    EXPECT_NEAR(sum / n, 0.0, 0.01 * static_cast<double>(deviation));
    EXPECT_NEAR(std::sqrt(squares / n), static_cast<double>(deviation),
                0.01 * static_cast<double>(deviation));
  }
}

TEST(RandomAttentionData, GivesEachTensorItsOwnNumbersAndSize) {
  AttentionProblem p;
  p.heads = 4;
  p.kv_heads = 2;
  p.seqlen_q = 10;
  p.seqlen_k = 20;
  const AttentionData data = random_attention_data(p, 1);
  EXPECT_EQ(data.q.size(), 4U * 10 * 64);
  EXPECT_EQ(data.k.size(), 2U * 20 * 64);
  EXPECT_EQ(data.v.size(), data.k.size());
  EXPECT_NE(data.k, data.v);
  EXPECT_NE(data.q, data.k);
}

}  // namespace
}  // namespace ridgepoint::kernels
