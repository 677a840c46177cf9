#include "analyzer/attention/flop.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

namespace ridgepoint {
namespace {

AttentionShape shape_of(std::int64_t rows, std::int64_t keys, bool causal) {
  return {1, 1, 1, rows, keys, 64, "fp16", causal, 0.125, "forward"};
}

TEST(AttentionFlop, IsFourTimesPairsTimesHeadDimension) {
  AttentionShape shape = shape_of(16384, 16384, false);
  EXPECT_DOUBLE_EQ(attention_flop(shape), 4.0 * 16384 * 16384 * 64);
  shape.heads = 8;
  EXPECT_DOUBLE_EQ(attention_flop(shape), 8 * 4.0 * 16384 * 16384 * 64);
}

TEST(AttentionFlop, BackwardHasFiveProducts) {
  AttentionShape shape = shape_of(128, 128, false);
  const double forward = attention_flop(shape);
  shape.direction = "backward";
  EXPECT_DOUBLE_EQ(attention_flop(shape), 2.5 * forward);
}

TEST(AttentionFlop, KeepingPSavesOneProductInFiveBackward) {
  AttentionShape shape = shape_of(128, 128, false);
  shape.direction = "backward";
  EXPECT_DOUBLE_EQ(product_flop(shape, 4), 0.8 * attention_flop(shape));
}

TEST(AttentionFlop, CausalCountsTheDiagonal) {
  EXPECT_DOUBLE_EQ(visible_pairs(shape_of(4, 4, true)), 10);  // 1 + 2 + 3 + 4
  EXPECT_DOUBLE_EQ(visible_pairs(shape_of(1, 7, true)), 7);   // the last row sees all
  EXPECT_DOUBLE_EQ(visible_pairs(shape_of(5, 2, true)), 3);   // three rows see nothing
}

RC_GTEST_PROP(AttentionFlop, CausalPairsAgreeWithTheMaskElementByElement, ()) {
  const auto rows = *rc::gen::inRange<std::int64_t>(1, 60);
  const auto keys = *rc::gen::inRange<std::int64_t>(1, 60);
  std::int64_t pairs = 0;
  for (std::int64_t i = 0; i < rows; ++i) {
    for (std::int64_t j = 0; j < keys; ++j) {
      pairs += j <= i + keys - rows ? 1 : 0;
    }
  }
  RC_ASSERT(visible_pairs(shape_of(rows, keys, true)) == static_cast<double>(pairs));
}

TEST(CompulsoryBytes, AreInputsOnceAndOutputsOnce) {
  AttentionShape shape = shape_of(1024, 2048, false);
  shape.batch = 2;
  shape.heads = 8;
  shape.kv_heads = 2;
  const double q = 2.0 * 2 * 8 * 1024 * 64;
  const double k = 2.0 * 2 * 2 * 2048 * 64;
  EXPECT_DOUBLE_EQ(compulsory_bytes(shape), 2 * q + 2 * k + 4.0 * 2 * 8 * 1024);
  shape.direction = "backward";  // Q, O, dO, dQ; K, V, dK, dV; the LSE
  EXPECT_DOUBLE_EQ(compulsory_bytes(shape), 4 * q + 4 * k + 4.0 * 2 * 8 * 1024);
}

}  // namespace
}  // namespace ridgepoint
