// Warpgroup matrix products (PTX ISA 9.0, 9.7.15, "Asynchronous Warpgroup Level Matrix
// Instructions"): m64nNk16, FP16 or BF16 operands, FP32 accumulators.
//
// Life cycle of a batch: `wgmma_fence` once the accumulators and register operands have their
// values; any number of `Wgmma<...>::ss` and `rs`; `wgmma_commit` closes them into a group;
// independent work; `wgmma_wait<N>` until at most N groups of this warpgroup are unfinished.
// Between issue and wait the registers of the batch belong to the hardware. The compiler does not
// know that, so `hold` pins registers around the batch: it emits nothing, but no access to them
// moves across it.
//
// Accumulator i of lane l in warp w of the warpgroup is element
//   row 16w + l/4 + 8*((i/2)%2),  column 8*(i/4) + 2*(l%4) + i%2.
// A operand registers of k-step j hold, as pairs, accumulators 8j to 8j+7 of a product of the same
// rows: the probabilities need no exchange between lanes to become an operand.
#pragma once

#include <cuda_bf16.h>
#include <cuda_fp16.h>

#include <cstdint>

namespace ridgepoint::kernels::ptx {

// "wgmma.fence" (9.7.15.7.1)
__device__ __forceinline__ void wgmma_fence() {
  asm volatile("wgmma.fence.sync.aligned;\n" ::: "memory");
}
// "wgmma.commit_group" (9.7.15.7.2)
__device__ __forceinline__ void wgmma_commit() {
  asm volatile("wgmma.commit_group.sync.aligned;\n" ::: "memory");
}
// "wgmma.wait_group" (9.7.15.7.3)
template <int Unfinished>
__device__ __forceinline__ void wgmma_wait() {
  asm volatile("wgmma.wait_group.sync.aligned %0;\n" ::"n"(Unfinished) : "memory");
}

template <int Count>
__device__ __forceinline__ void hold(float (&registers)[Count]) {
#pragma unroll
  for (int i = 0; i < Count; ++i) {
    asm volatile("" : "+f"(registers[i])::"memory");
  }
}
template <int Count>
__device__ __forceinline__ void hold(std::uint32_t (&registers)[Count]) {
#pragma unroll
  for (int i = 0; i < Count; ++i) {
    asm volatile("" : "+r"(registers[i])::"memory");
  }
}

// ss: A and B by descriptor. rs: A in registers, B by descriptor. A matrix by descriptor is
// K-major, or MN-major with TransposedA or TransposedB.
template <typename Element, int N>
struct Wgmma;

#define RIDGEPOINT_D8 "%0, %1, %2, %3, %4, %5, %6, %7"
#define RIDGEPOINT_D16 RIDGEPOINT_D8 ", %8, %9, %10, %11, %12, %13, %14, %15"
#define RIDGEPOINT_D24 RIDGEPOINT_D16 ", %16, %17, %18, %19, %20, %21, %22, %23"
#define RIDGEPOINT_D32 RIDGEPOINT_D24 ", %24, %25, %26, %27, %28, %29, %30, %31"
#define RIDGEPOINT_D40 RIDGEPOINT_D32 ", %32, %33, %34, %35, %36, %37, %38, %39"
#define RIDGEPOINT_D48 RIDGEPOINT_D40 ", %40, %41, %42, %43, %44, %45, %46, %47"
#define RIDGEPOINT_D56 RIDGEPOINT_D48 ", %48, %49, %50, %51, %52, %53, %54, %55"
#define RIDGEPOINT_D64 RIDGEPOINT_D56 ", %56, %57, %58, %59, %60, %61, %62, %63"
#define RIDGEPOINT_D72 RIDGEPOINT_D64 ", %64, %65, %66, %67, %68, %69, %70, %71"
#define RIDGEPOINT_D80 RIDGEPOINT_D72 ", %72, %73, %74, %75, %76, %77, %78, %79"
#define RIDGEPOINT_D88 RIDGEPOINT_D80 ", %80, %81, %82, %83, %84, %85, %86, %87"
#define RIDGEPOINT_D96 RIDGEPOINT_D88 ", %88, %89, %90, %91, %92, %93, %94, %95"
#define RIDGEPOINT_D104 RIDGEPOINT_D96 ", %96, %97, %98, %99, %100, %101, %102, %103"
#define RIDGEPOINT_D112 RIDGEPOINT_D104 ", %104, %105, %106, %107, %108, %109, %110, %111"
#define RIDGEPOINT_D120 RIDGEPOINT_D112 ", %112, %113, %114, %115, %116, %117, %118, %119"
#define RIDGEPOINT_D128 RIDGEPOINT_D120 ", %120, %121, %122, %123, %124, %125, %126, %127"

#define RIDGEPOINT_ACC8(d, b)                                                           \
  "+f"((d)[b]), "+f"((d)[b + 1]), "+f"((d)[b + 2]), "+f"((d)[b + 3]), "+f"((d)[b + 4]), \
      "+f"((d)[b + 5]), "+f"((d)[b + 6]), "+f"((d)[b + 7])
#define RIDGEPOINT_ACC16(d, b) RIDGEPOINT_ACC8(d, b), RIDGEPOINT_ACC8(d, b + 8)
#define RIDGEPOINT_ACC24(d, b) RIDGEPOINT_ACC16(d, b), RIDGEPOINT_ACC8(d, b + 16)
#define RIDGEPOINT_ACC32(d, b) RIDGEPOINT_ACC24(d, b), RIDGEPOINT_ACC8(d, b + 24)
#define RIDGEPOINT_ACC40(d, b) RIDGEPOINT_ACC32(d, b), RIDGEPOINT_ACC8(d, b + 32)
#define RIDGEPOINT_ACC48(d, b) RIDGEPOINT_ACC40(d, b), RIDGEPOINT_ACC8(d, b + 40)
#define RIDGEPOINT_ACC56(d, b) RIDGEPOINT_ACC48(d, b), RIDGEPOINT_ACC8(d, b + 48)
#define RIDGEPOINT_ACC64(d, b) RIDGEPOINT_ACC56(d, b), RIDGEPOINT_ACC8(d, b + 56)
#define RIDGEPOINT_ACC72(d, b) RIDGEPOINT_ACC64(d, b), RIDGEPOINT_ACC8(d, b + 64)
#define RIDGEPOINT_ACC80(d, b) RIDGEPOINT_ACC72(d, b), RIDGEPOINT_ACC8(d, b + 72)
#define RIDGEPOINT_ACC88(d, b) RIDGEPOINT_ACC80(d, b), RIDGEPOINT_ACC8(d, b + 80)
#define RIDGEPOINT_ACC96(d, b) RIDGEPOINT_ACC88(d, b), RIDGEPOINT_ACC8(d, b + 88)
#define RIDGEPOINT_ACC104(d, b) RIDGEPOINT_ACC96(d, b), RIDGEPOINT_ACC8(d, b + 96)
#define RIDGEPOINT_ACC112(d, b) RIDGEPOINT_ACC104(d, b), RIDGEPOINT_ACC8(d, b + 104)
#define RIDGEPOINT_ACC120(d, b) RIDGEPOINT_ACC112(d, b), RIDGEPOINT_ACC8(d, b + 112)
#define RIDGEPOINT_ACC128(d, b) RIDGEPOINT_ACC120(d, b), RIDGEPOINT_ACC8(d, b + 120)

// R accumulator registers are operands 0 to R-1; o0 to o6 are the numbers of the operands behind
// them.
#define RIDGEPOINT_WGMMA(ELEMENT, TYPE, N, R, o0, o1, o2, o3, o4, o5, o6)                      \
  template <>                                                                                  \
  struct Wgmma<ELEMENT, N> {                                                                   \
    template <int TransposedB = 0, int TransposedA = 0>                                        \
    static __device__ __forceinline__ void ss(float (&d)[R], std::uint64_t a, std::uint64_t b, \
                                              bool accumulate) {                               \
      asm volatile("{\n.reg .pred add;\nsetp.ne.b32 add, %" #o2                                \
                   ", 0;\n"                                                                    \
                   "wgmma.mma_async.sync.aligned.m64n" #N "k16.f32." TYPE "." TYPE             \
                   " {" RIDGEPOINT_D##R "}, %" #o0 ", %" #o1 ", add, 1, 1, %" #o4 ", %" #o3    \
                                        ";\n}\n"                                               \
                   : RIDGEPOINT_ACC##R(d, 0)                                                   \
                   : "l"(a), "l"(b), "r"(static_cast<int>(accumulate)), "n"(TransposedB),      \
                     "n"(TransposedA));                                                        \
    }                                                                                          \
    template <int TransposedB = 0>                                                             \
    static __device__ __forceinline__ void rs(float (&d)[R], const std::uint32_t* a,           \
                                              std::uint64_t b, bool accumulate) {              \
      asm volatile("{\n.reg .pred add;\nsetp.ne.b32 add, %" #o5                                \
                   ", 0;\n"                                                                    \
                   "wgmma.mma_async.sync.aligned.m64n" #N "k16.f32." TYPE "." TYPE             \
                   " {" RIDGEPOINT_D##R "}, {%" #o0 ", %" #o1 ", %" #o2 ", %" #o3 "}, %" #o4   \
                                        ", add, 1, 1, %" #o6 ";\n}\n"                          \
                   : RIDGEPOINT_ACC##R(d, 0)                                                   \
                   : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "l"(b),                       \
                     "r"(static_cast<int>(accumulate)), "n"(TransposedB));                     \
    }                                                                                          \
  };
#define RIDGEPOINT_WGMMA_BOTH(N, R, ...)             \
  RIDGEPOINT_WGMMA(__half, "f16", N, R, __VA_ARGS__) \
  RIDGEPOINT_WGMMA(__nv_bfloat16, "bf16", N, R, __VA_ARGS__)

RIDGEPOINT_WGMMA_BOTH(64, 32, 32, 33, 34, 35, 36, 37, 38)
RIDGEPOINT_WGMMA_BOTH(80, 40, 40, 41, 42, 43, 44, 45, 46)
RIDGEPOINT_WGMMA_BOTH(128, 64, 64, 65, 66, 67, 68, 69, 70)
RIDGEPOINT_WGMMA_BOTH(160, 80, 80, 81, 82, 83, 84, 85, 86)
RIDGEPOINT_WGMMA_BOTH(176, 88, 88, 89, 90, 91, 92, 93, 94)
RIDGEPOINT_WGMMA_BOTH(256, 128, 128, 129, 130, 131, 132, 133, 134)

}  // namespace ridgepoint::kernels::ptx
