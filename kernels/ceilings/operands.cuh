// Operand bits for the tensor probes: random signs and mantissas, one exponent, so that every value
// has a size of 1/8 to 1/4 and a sum of a billion products stays finite.
#pragma once

#include <cuda_runtime.h>

#include <cstdint>

namespace ridgepoint::kernels::ceilings {

struct Fp16Bits {
  static __device__ __forceinline__ std::uint32_t of(std::uint32_t random) {
    return (random & 0x83FF83FFU) | 0x30003000U;
  }
};
struct Bf16Bits {
  static __device__ __forceinline__ std::uint32_t of(std::uint32_t random) {
    return (random & 0x807F807FU) | 0x3E003E00U;
  }
};
struct Tf32Bits {
  static __device__ __forceinline__ std::uint32_t of(std::uint32_t random) {
    return (random & 0x807FE000U) | 0x3E000000U;
  }
};
struct E4m3Bits {
  static __device__ __forceinline__ std::uint32_t of(std::uint32_t random) {
    return (random & 0x87878787U) | 0x20202020U;
  }
};
struct Fp64Bits {
  static __device__ __forceinline__ double of(std::uint32_t random) {
    return __hiloint2double(static_cast<int>((random & 0x800FFFFFU) | 0x3FC00000U),
                            static_cast<int>(random));
  }
};
struct Int8Bits {
  static __device__ __forceinline__ std::uint32_t of(std::uint32_t random) { return random; }
};

}  // namespace ridgepoint::kernels::ceilings
