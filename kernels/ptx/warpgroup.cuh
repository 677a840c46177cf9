// Warps, warpgroups, the named barriers between them, and their accesses to shared memory. Numbers
// are sections of PTX ISA 9.0.
#pragma once

#include <cstdint>

namespace ridgepoint::kernels::ptx {

constexpr int warpgroup_threads = 128;

// "setmaxnreg" (9.7.19.5, "Miscellaneous Instructions"): all warps of the warpgroup execute it. It
// takes effect only in a kernel whose register count at entry is capped, and `grow` blocks until
// the other warpgroups have given registers back.
template <int Registers>
__device__ __forceinline__ void shrink_registers() {
  static_assert(Registers >= 24 && Registers <= 256 && Registers % 8 == 0);
  asm volatile("setmaxnreg.dec.sync.aligned.u32 %0;\n" ::"n"(Registers));
}
template <int Registers>
__device__ __forceinline__ void grow_registers() {
  static_assert(Registers >= 24 && Registers <= 256 && Registers % 8 == 0);
  asm volatile("setmaxnreg.inc.sync.aligned.u32 %0;\n" ::"n"(Registers));
}

// Named barriers ("barrier.cta", 9.7.13.1, "Parallel Synchronization and Communication
// Instructions: bar, barrier"; ids 0 to 15; 0 is __syncthreads). A phase completes when `threads`
// threads came, by either call; `barrier_arrive` does not wait.
__device__ __forceinline__ void barrier_sync(int id, int threads) {
  asm volatile("barrier.cta.sync.aligned %0, %1;\n" ::"r"(id), "r"(threads) : "memory");
}
__device__ __forceinline__ void barrier_arrive(int id, int threads) {
  asm volatile("barrier.cta.arrive.aligned %0, %1;\n" ::"r"(id), "r"(threads) : "memory");
}

// A value equal in all lanes, in a form the compiler can keep in a uniform register.
__device__ __forceinline__ int uniform(int value) {
  return __shfl_sync(0xFFFFFFFFU, value, 0);
}

// True in one lane of a converged warp ("elect.sync", 9.7.13.14, "Parallel Synchronization and
// Communication Instructions").
__device__ __forceinline__ bool elect_lane() {
  std::uint32_t elected = 0;
  asm volatile(
      "{\n"
      ".reg .pred chosen;\n"
      "elect.sync _|chosen, 0xFFFFFFFF;\n"
      "selp.u32 %0, 1, 0, chosen;\n"
      "}\n"
      : "=r"(elected));
  return elected != 0;
}

// "stmatrix" x4 (9.7.14.5.16, "Warp-level matrix store instruction"): four 8x8 matrices of 16-bit
// elements; lanes 8i to 8i+7 give the row addresses of matrix i.
__device__ __forceinline__ void store_matrices(std::uint32_t address, std::uint32_t r0,
                                               std::uint32_t r1, std::uint32_t r2,
                                               std::uint32_t r3) {
  asm volatile("stmatrix.sync.aligned.m8n8.x4.shared.b16 [%0], {%1, %2, %3, %4};\n" ::"r"(address),
               "r"(r0), "r"(r1), "r"(r2), "r"(r3)
               : "memory");
}

__device__ __forceinline__ std::uint32_t shared_address(const void* pointer) {
  return static_cast<std::uint32_t>(__cvta_generic_to_shared(pointer));
}

// Ordinary accesses by shared-memory address ("ld.shared", 9.7.9.8, and "st.shared", 9.7.9.11, of
// "Data Movement and Conversion Instructions").
__device__ __forceinline__ int load_shared(std::uint32_t address) {
  int value = 0;
  asm volatile("ld.shared.s32 %0, [%1];\n" : "=r"(value) : "r"(address) : "memory");
  return value;
}
__device__ __forceinline__ void store_shared(std::uint32_t address, int value) {
  asm volatile("st.shared.s32 [%0], %1;\n" ::"r"(address), "r"(value) : "memory");
}

__device__ __forceinline__ float2 load_shared_pair(std::uint32_t address) {
  float2 value;
  asm volatile("ld.shared.v2.f32 {%0, %1}, [%2];\n"
               : "=f"(value.x), "=f"(value.y)
               : "r"(address)
               : "memory");
  return value;
}
__device__ __forceinline__ void store_shared(std::uint32_t address, float a, float b, float c,
                                             float d) {
  asm volatile("st.shared.v4.f32 [%0], {%1, %2, %3, %4};\n" ::"r"(address), "f"(a), "f"(b), "f"(c),
               "f"(d)
               : "memory");
}

}  // namespace ridgepoint::kernels::ptx
