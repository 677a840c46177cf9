// Warpgroup matrix products of TF32, FP8 (E4M3) and INT8 operands (PTX ISA 9.0, 9.7.15): both
// matrices by descriptor and K-major, the only layout these types have. One instruction spans 32
// bytes of k. Life cycle and accumulator layout as in wgmma.cuh.
#pragma once

#include <cstdint>

#include "kernels/ptx/wgmma.cuh"

namespace ridgepoint::kernels::ptx {

struct Tf32;
struct E4m3;
struct Int8;

#define RIDGEPOINT_WGMMA_FLOAT(ELEMENT, K, TYPE)                                                 \
  template <>                                                                                    \
  struct Wgmma<ELEMENT, 256> {                                                                   \
    static __device__ __forceinline__ void ss(float (&d)[128], std::uint64_t a, std::uint64_t b, \
                                              bool accumulate) {                                 \
      asm volatile(                                                                              \
          "{\n.reg .pred add;\nsetp.ne.b32 add, %130, 0;\n"                                      \
          "wgmma.mma_async.sync.aligned.m64n256k" #K ".f32." TYPE "." TYPE " {" RIDGEPOINT_D128  \
          "}, %128, %129, add, 1, 1;\n}\n"                                                       \
          : RIDGEPOINT_ACC128(d, 0)                                                              \
          : "l"(a), "l"(b), "r"(static_cast<int>(accumulate)));                                  \
    }                                                                                            \
  };
RIDGEPOINT_WGMMA_FLOAT(Tf32, 8, "tf32")
RIDGEPOINT_WGMMA_FLOAT(E4m3, 32, "e4m3")

#define RIDGEPOINT_INT8(d, b)                                                           \
  "+r"((d)[b]), "+r"((d)[b + 1]), "+r"((d)[b + 2]), "+r"((d)[b + 3]), "+r"((d)[b + 4]), \
      "+r"((d)[b + 5]), "+r"((d)[b + 6]), "+r"((d)[b + 7])
#define RIDGEPOINT_INT32(d, b)                                                  \
  RIDGEPOINT_INT8(d, b), RIDGEPOINT_INT8(d, b + 8), RIDGEPOINT_INT8(d, b + 16), \
      RIDGEPOINT_INT8(d, b + 24)
#define RIDGEPOINT_INT128(d, b)                                                     \
  RIDGEPOINT_INT32(d, b), RIDGEPOINT_INT32(d, b + 32), RIDGEPOINT_INT32(d, b + 64), \
      RIDGEPOINT_INT32(d, b + 96)

// The 32-bit accumulators are signed numbers in unsigned registers.
template <>
struct Wgmma<Int8, 256> {
  static __device__ __forceinline__ void ss(std::uint32_t (&d)[128], std::uint64_t a,
                                            std::uint64_t b, bool accumulate) {
    asm volatile(
        "{\n.reg .pred add;\nsetp.ne.b32 add, %130, 0;\n"
        "wgmma.mma_async.sync.aligned.m64n256k32.s32.s8.s8 {" RIDGEPOINT_D128
        "}, %128, %129, add;\n}\n"
        : RIDGEPOINT_INT128(d, 0)
        : "l"(a), "l"(b), "r"(static_cast<int>(accumulate)));
  }
};

}  // namespace ridgepoint::kernels::ptx
