// Tiles between global and shared memory by the tensor memory accelerator (PTX ISA 9.0, 9.7.9.25.5,
// "Data Movement and Conversion Instructions: Tensor copy"; 9.7.9.25.4, "Bulk copy"). Numbers below
// are sections of it. One thread issues a copy for the whole tile.
//
// Life cycle of a load: announce the box's bytes on an mbarrier, issue, wait on the mbarrier. The
// box counts in full even where it reaches past the tensor: what lies outside is filled with zeros
// and counted. Life cycle of a store: every writer of the shared tile calls `fence_async_proxy`, a
// barrier, then one thread issues the store, closes the group, and waits for it (`..._read`: the
// tile may be overwritten; else: it arrived). What lies outside the tensor is not written.
#pragma once

#include <cuda.h>

#include <cstdint>

namespace ridgepoint::kernels::ptx {

// "prefetch.tensormap" (9.7.9.15, "prefetch, prefetchu")
__device__ __forceinline__ void prefetch_tensor_map(const CUtensorMap* map) {
  asm volatile("prefetch.tensormap [%0];\n" ::"l"(map) : "memory");
}

// "cp.async.bulk.tensor" (9.7.9.25.5.2), 3 dimensions, completion on an mbarrier.
__device__ __forceinline__ void tma_load_3d(std::uint32_t destination, const CUtensorMap* map,
                                            std::uint32_t barrier, int x, int y, int z) {
  asm volatile(
      "cp.async.bulk.tensor.3d.shared::cluster.global.tile.mbarrier::complete_tx::bytes "
      "[%0], [%1, {%3, %4, %5}], [%2];\n" ::"r"(destination),
      "l"(map), "r"(barrier), "r"(x), "r"(y), "r"(z)
      : "memory");
}

// "cp.async.bulk" (9.7.9.25.4.1) without a tensor map: `bytes` contiguous bytes, a multiple of 16,
// both ends 16-byte aligned.
__device__ __forceinline__ void bulk_load(std::uint32_t destination, const void* source,
                                          std::uint32_t bytes, std::uint32_t barrier) {
  asm volatile(
      "cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%0], [%1], %2, [%3];\n" ::
          "r"(destination),
      "l"(source), "r"(bytes), "r"(barrier)
      : "memory");
}

// "cp.reduce.async.bulk" (9.7.9.25.4.2): adds contiguous floats of shared memory to floats in
// global memory, each addition atomic at the GPU's scope, in no order among thread blocks.
// Completion by bulk group.
__device__ __forceinline__ void bulk_add(float* destination, std::uint32_t source,
                                         std::uint32_t bytes) {
  asm volatile("cp.reduce.async.bulk.global.shared::cta.bulk_group.add.f32 [%0], [%1], %2;\n" ::"l"(
                   destination),
               "r"(source), "r"(bytes)
               : "memory");
}

// "cp.async.bulk.tensor" (9.7.9.25.5.2), shared to global, completion by bulk group.
__device__ __forceinline__ void tma_store_3d(const CUtensorMap* map, std::uint32_t source, int x,
                                             int y, int z) {
  asm volatile(
      "cp.async.bulk.tensor.3d.global.shared::cta.tile.bulk_group [%0, {%2, %3, %4}], [%1];\n" ::
          "l"(map),
      "r"(source), "r"(x), "r"(y), "r"(z)
      : "memory");
}

// "cp.async.bulk.commit_group" (9.7.9.25.6.1)
__device__ __forceinline__ void tma_store_commit() {
  asm volatile("cp.async.bulk.commit_group;\n" ::: "memory");
}

// "cp.async.bulk.wait_group" (9.7.9.25.6.2): all stores of this thread have read their source.
__device__ __forceinline__ void tma_store_wait_read() {
  asm volatile("cp.async.bulk.wait_group.read 0;\n" ::: "memory");
}

// The same instruction without .read: all stores of this thread have been written.
__device__ __forceinline__ void tma_store_wait() {
  asm volatile("cp.async.bulk.wait_group 0;\n" ::: "memory");
}

// "fence.proxy.async" (9.7.13.4, "membar / fence"): orders this thread's ordinary accesses to
// shared memory before later ones of the copy engine and the tensor cores, which see it through
// another proxy.
__device__ __forceinline__ void fence_async_proxy() {
  asm volatile("fence.proxy.async.shared::cta;\n" ::: "memory");
}

}  // namespace ridgepoint::kernels::ptx
