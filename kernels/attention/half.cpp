#include "kernels/attention/half.h"

#include <bit>

namespace ridgepoint::kernels {
namespace {

constexpr std::uint32_t sign_bit = 0x80000000U;
constexpr std::uint32_t float_infinity = 0x7F800000U;

}  // namespace

std::uint16_t encode_fp16(float value) {
  const std::uint32_t bits = std::bit_cast<std::uint32_t>(value);
  const std::uint32_t sign = (bits & sign_bit) >> 16;
  std::uint32_t magnitude = bits & ~sign_bit;
  if (magnitude > float_infinity) {
    return static_cast<std::uint16_t>(sign | 0x7E00U);
  }
  constexpr std::uint32_t first_infinite = 0x477FF000U;  // 65520, halfway from 65504 to 2^16
  if (magnitude >= first_infinite) {
    return static_cast<std::uint16_t>(sign | 0x7C00U);
  }
  constexpr std::uint32_t first_normal = 0x38800000U;  // 2^-14
  if (magnitude < first_normal) {
    // The last place of 0.5F is 2^-24, that of an FP16 subnormal: the addition does the rounding.
    const float shifted = std::bit_cast<float>(magnitude) + 0.5F;
    return static_cast<std::uint16_t>(
        sign | (std::bit_cast<std::uint32_t>(shifted) - std::bit_cast<std::uint32_t>(0.5F)));
  }
  // Exponent bias 127 becomes 15; 13 mantissa bits go, rounded by adding just under half a place,
  // plus the last kept bit so that ties go to even.
  const std::uint32_t odd = (magnitude >> 13) & 1U;
  magnitude = magnitude - (112U << 23) + 0xFFFU + odd;
  return static_cast<std::uint16_t>(sign | (magnitude >> 13));
}

std::uint16_t encode_bf16(float value) {
  const std::uint32_t bits = std::bit_cast<std::uint32_t>(value);
  if ((bits & ~sign_bit) > float_infinity) {
    return static_cast<std::uint16_t>((bits >> 16) | 0x40U);
  }
  const std::uint32_t odd = (bits >> 16) & 1U;
  return static_cast<std::uint16_t>((bits + 0x7FFFU + odd) >> 16);
}

float decode_fp16(std::uint16_t bits) {
  const std::uint32_t sign = (bits & 0x8000U) << 16;
  const std::uint32_t exponent = (bits >> 10) & 0x1FU;
  const std::uint32_t mantissa = bits & 0x3FFU;
  if (exponent == 0) {
    const float magnitude = static_cast<float>(mantissa) * 0x1p-24F;
    return sign != 0 ? -magnitude : magnitude;
  }
  if (exponent == 0x1FU) {
    return std::bit_cast<float>(sign | float_infinity | (mantissa << 13));
  }
  return std::bit_cast<float>(sign | ((exponent + 112U) << 23) | (mantissa << 13));
}

float decode_bf16(std::uint16_t bits) {
  return std::bit_cast<float>(std::uint32_t{bits} << 16);
}

std::vector<float> decode(DataType type, std::span<const std::uint16_t> bits) {
  std::vector<float> values(bits.size());
  for (std::size_t i = 0; i < bits.size(); ++i) {
    values[i] = decode(type, bits[i]);
  }
  return values;
}

}  // namespace ridgepoint::kernels
