// The PTX instructions the attention kernels are made of (sm_80 and later), one thin function each.
//
// Life cycle of an asynchronous copy (PTX ISA 9.0, 9.7.9.25, "Asynchronous copy"): `copy_async_16`
// any number of times, `commit_copies` closes the group, `wait_copies<N>` blocks until at most N
// groups of this thread are pending; other threads may read the data only after a barrier that
// follows the wait.
#pragma once

#include <cuda_bf16.h>
#include <cuda_fp16.h>

#include <cstdint>

namespace ridgepoint::kernels::device {

__device__ __forceinline__ std::uint32_t shared_address(const void* pointer) {
  return static_cast<std::uint32_t>(__cvta_generic_to_shared(pointer));
}

// threadIdx.x as the compiler must read it again: values derived from it inside a loop are
// recomputed there, a few integer instructions, rather than kept in registers that the accumulators
// need.
__device__ __forceinline__ int reread_thread_index() {
  int index;
  asm volatile("mov.u32 %0, %%tid.x;\n" : "=r"(index));
  return index;
}

__device__ __forceinline__ int reread_block_index() {
  int index;
  asm volatile("mov.u32 %0, %%ctaid.x;\n" : "=r"(index));
  return index;
}

// Volatile, so that each use reads shared memory again instead of keeping the value in registers.
__device__ __forceinline__ uint4 reread_shared(const void* pointer) {
  uint4 x;
  asm volatile("ld.volatile.shared.v4.u32 {%0, %1, %2, %3}, [%4];\n"
               : "=r"(x.x), "=r"(x.y), "=r"(x.z), "=r"(x.w)
               : "r"(shared_address(pointer)));
  return x;
}

// 16 bytes past L1 (.cg). When not valid the source is not read and the destination becomes zero.
__device__ __forceinline__ void copy_async_16(std::uint32_t destination, const void* source,
                                              bool valid) {
  const int source_bytes = valid ? 16 : 0;
  asm volatile("cp.async.cg.shared.global [%0], [%1], 16, %2;\n" ::"r"(destination), "l"(source),
               "r"(source_bytes)
               : "memory");
}

__device__ __forceinline__ void commit_copies() {
  asm volatile("cp.async.commit_group;\n" ::: "memory");
}

template <int Pending>
__device__ __forceinline__ void wait_copies() {
  asm volatile("cp.async.wait_group %0;\n" ::"n"(Pending) : "memory");
}

// Four 8x8 matrices of 16-bit elements; lanes 8i..8i+7 give the row addresses of matrix i, and lane
// l receives the elements 2*(l%4), 2*(l%4)+1 of row l/4 of each (PTX ISA 9.0, 9.7.14.5.15,
// "Warp-level matrix load instruction: ldmatrix").
__device__ __forceinline__ void load_matrices(std::uint32_t (&r)[4], std::uint32_t address) {
  asm volatile("ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%0, %1, %2, %3}, [%4];\n"
               : "=r"(r[0]), "=r"(r[1]), "=r"(r[2]), "=r"(r[3])
               : "r"(address)
               : "memory");
}

__device__ __forceinline__ void load_matrices_transposed(std::uint32_t (&r)[4],
                                                         std::uint32_t address) {
  asm volatile("ldmatrix.sync.aligned.m8n8.x4.trans.shared.b16 {%0, %1, %2, %3}, [%4];\n"
               : "=r"(r[0]), "=r"(r[1]), "=r"(r[2]), "=r"(r[3])
               : "r"(address)
               : "memory");
}

// c += a * b for a 16x16 by 16x8 tile with FP32 accumulation (PTX ISA 9.0, 9.7.14.5.14,
// "Multiply-and-Accumulate Instruction: mma", m16n8k16). Lane l holds
//   c : rows l/4 (c[0], c[1]) and l/4 + 8 (c[2], c[3]), columns 2*(l%4) and the next
//   a : a[0] row l/4, a[1] row l/4 + 8, both k = 2*(l%4); a[2], a[3] the same rows, k + 8
//   b : b0 k = 2*(l%4), b1 k + 8, column l/4
template <typename T>
__device__ __forceinline__ void multiply_accumulate(float (&c)[4], const std::uint32_t (&a)[4],
                                                    std::uint32_t b0, std::uint32_t b1);

template <>
__device__ __forceinline__ void multiply_accumulate<__half>(float (&c)[4],
                                                            const std::uint32_t (&a)[4],
                                                            std::uint32_t b0, std::uint32_t b1) {
  asm("mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 {%0, %1, %2, %3}, {%4, %5, %6, %7}, "
      "{%8, %9}, {%0, %1, %2, %3};\n"
      : "+f"(c[0]), "+f"(c[1]), "+f"(c[2]), "+f"(c[3])
      : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b0), "r"(b1));
}

template <>
__device__ __forceinline__ void multiply_accumulate<__nv_bfloat16>(float (&c)[4],
                                                                   const std::uint32_t (&a)[4],
                                                                   std::uint32_t b0,
                                                                   std::uint32_t b1) {
  asm("mma.sync.aligned.m16n8k16.row.col.f32.bf16.bf16.f32 {%0, %1, %2, %3}, {%4, %5, %6, %7}, "
      "{%8, %9}, {%0, %1, %2, %3};\n"
      : "+f"(c[0]), "+f"(c[1]), "+f"(c[2]), "+f"(c[3])
      : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b0), "r"(b1));
}

}  // namespace ridgepoint::kernels::device
