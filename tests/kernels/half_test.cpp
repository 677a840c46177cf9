#include "kernels/attention/half.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

namespace ridgepoint::kernels {
namespace {

constexpr float infinity = std::numeric_limits<float>::infinity();

bool is_nan_pattern(DataType type, std::uint16_t bits) {
  return type == DataType::fp16 ? (bits & 0x7FFFU) > 0x7C00U : (bits & 0x7FFFU) > 0x7F80U;
}

class Half : public testing::TestWithParam<DataType> {};

TEST_P(Half, EveryBitPatternSurvivesDecodingAndEncoding) {
  for (std::uint32_t bits = 0; bits <= 0xFFFFU; ++bits) {
    const auto pattern = static_cast<std::uint16_t>(bits);
    const float value = decode(GetParam(), pattern);
    if (is_nan_pattern(GetParam(), pattern)) {
      EXPECT_TRUE(std::isnan(value));
      EXPECT_TRUE(is_nan_pattern(GetParam(), encode(GetParam(), value)));
    } else {
      ASSERT_EQ(encode(GetParam(), value), pattern);
    }
  }
}

TEST_P(Half, RoundsToTheNearestAndTiesToEven) {
  const std::uint16_t last_finite = GetParam() == DataType::fp16 ? 0x7BFF : 0x7F7F;
  for (std::uint16_t bits = 0; bits < last_finite; ++bits) {
    const auto next = static_cast<std::uint16_t>(bits + 1);
    const float low = decode(GetParam(), bits);
    const float high = decode(GetParam(), next);
    const float middle = low + (high - low) / 2;  // exact in float: both have few bits
    const std::uint16_t even = bits % 2 == 0 ? bits : next;
    ASSERT_EQ(encode(GetParam(), middle), even) << low;
    ASSERT_EQ(encode(GetParam(), std::nextafter(middle, 0.0F)), bits) << low;
    ASSERT_EQ(encode(GetParam(), std::nextafter(middle, infinity)), next) << low;
    ASSERT_EQ(encode(GetParam(), -middle), even | 0x8000) << low;
  }
}

INSTANTIATE_TEST_SUITE_P(Formats, Half, testing::Values(DataType::fp16, DataType::bf16),
                         [](const auto& test) {
                           return test.param == DataType::fp16 ? "fp16" : "bf16";
                         });

TEST(HalfRange, Fp16OverflowsHalfWayPastItsLargestValue) {
  EXPECT_EQ(decode_fp16(encode_fp16(65519.99F)), 65504.0F);
  EXPECT_EQ(decode_fp16(encode_fp16(65520.0F)), infinity);
  EXPECT_EQ(decode_fp16(encode_fp16(-infinity)), -infinity);
}

TEST(HalfRange, KnownValues) {
  EXPECT_EQ(encode_fp16(1.0F), 0x3C00);
  EXPECT_EQ(encode_fp16(-2.0F), 0xC000);
  EXPECT_EQ(encode_fp16(0x1p-24F), 0x0001);
  EXPECT_EQ(encode_fp16(0x1p-25F), 0x0000);
  EXPECT_EQ(encode_bf16(1.0F), 0x3F80);
  EXPECT_EQ(encode_bf16(3.0e38F), 0x7F62);
}

}  // namespace
}  // namespace ridgepoint::kernels
