// What the kernels need to know of a 16-bit element type: conversion of pairs, and its -inf.
#pragma once

#include <cuda_bf16.h>
#include <cuda_fp16.h>

#include <cstdint>

namespace ridgepoint::kernels::device {

template <typename T>
struct Element;

template <>
struct Element<__half> {
  static constexpr std::uint32_t minus_infinity_pair = 0xFC00FC00U;

  static __device__ __forceinline__ std::uint32_t pack(float low, float high) {
    const __half2 pair = __floats2half2_rn(low, high);
    return *reinterpret_cast<const std::uint32_t*>(&pair);
  }
  static __device__ __forceinline__ float2 unpack(std::uint32_t bits) {
    return __half22float2(*reinterpret_cast<const __half2*>(&bits));
  }
};

template <>
struct Element<__nv_bfloat16> {
  static constexpr std::uint32_t minus_infinity_pair = 0xFF80FF80U;

  static __device__ __forceinline__ std::uint32_t pack(float low, float high) {
    const __nv_bfloat162 pair = __floats2bfloat162_rn(low, high);
    return *reinterpret_cast<const std::uint32_t*>(&pair);
  }
  // bfloat16 is the upper half of a float.
  static __device__ __forceinline__ float2 unpack(std::uint32_t bits) {
    return make_float2(__uint_as_float(bits << 16), __uint_as_float(bits & 0xFFFF0000U));
  }
};

}  // namespace ridgepoint::kernels::device
