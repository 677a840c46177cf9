// The two 16-bit formats on the host: FP16 (IEEE 754 binary16) and BF16 (the upper half of
// binary32). Encoding rounds to nearest, ties to even, as the GPU's cvt.rn does; NaN stays NaN,
// overflow becomes infinity.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "kernels/attention/problem.h"

namespace ridgepoint::kernels {

std::uint16_t encode_fp16(float value);
std::uint16_t encode_bf16(float value);
float decode_fp16(std::uint16_t bits);
float decode_bf16(std::uint16_t bits);

inline std::uint16_t encode(DataType type, float value) {
  return type == DataType::fp16 ? encode_fp16(value) : encode_bf16(value);
}
inline float decode(DataType type, std::uint16_t bits) {
  return type == DataType::fp16 ? decode_fp16(bits) : decode_bf16(bits);
}
// The nearest value that the format holds.
inline float round_to(DataType type, float value) {
  return decode(type, encode(type, value));
}

std::vector<float> decode(DataType type, std::span<const std::uint16_t> bits);

}  // namespace ridgepoint::kernels
