// mbarrier objects (PTX ISA 9.0, 9.7.13.15, "Parallel Synchronization and Communication
// Instructions: mbarrier"). Numbers below are sections of it.
//
// Life cycle: one thread calls `init` with the number of arrivals a phase takes, then `fence_init`,
// then the thread block synchronises, so that neither threads nor the copy engine meet an
// uninitialised barrier. A phase completes when all arrivals came and, where `arrive_expect_bytes`
// announced them, all bytes of the bulk copies that name this barrier. `wait(parity)` returns once
// the phase of that parity has completed: a fresh barrier is in phase 0, so waiting for parity 1
// returns at once, which is how a producer finds its first stages free.
#pragma once

#include <cstdint>

namespace ridgepoint::kernels::ptx {

// "mbarrier.init" (9.7.13.15.9)
__device__ __forceinline__ void mbarrier_init(std::uint32_t barrier, std::uint32_t arrivals) {
  asm volatile("mbarrier.init.shared::cta.b64 [%0], %1;\n" ::"r"(barrier), "r"(arrivals)
               : "memory");
}

// "fence.mbarrier_init" (9.7.13.4, "membar / fence"): makes the initialisation visible to the
// asynchronous proxy and to the cluster.
__device__ __forceinline__ void mbarrier_fence_init() {
  asm volatile("fence.mbarrier_init.release.cluster;\n" ::: "memory");
}

// "mbarrier.arrive" (9.7.13.15.13), with release semantics for this thread's earlier accesses.
__device__ __forceinline__ void mbarrier_arrive(std::uint32_t barrier) {
  asm volatile("mbarrier.arrive.release.cta.shared::cta.b64 _, [%0];\n" ::"r"(barrier) : "memory");
}

// "mbarrier.arrive.expect_tx" (9.7.13.15.13): one arrival that also announces `bytes` of bulk
// copies.
__device__ __forceinline__ void mbarrier_arrive_expect_bytes(std::uint32_t barrier,
                                                             std::uint32_t bytes) {
  asm volatile(
      "mbarrier.arrive.expect_tx.release.cta.shared::cta.b64 _, [%0], %1;\n" ::"r"(barrier),
      "r"(bytes)
      : "memory");
}

// "mbarrier.try_wait" (9.7.13.15.16): suspends the thread for a time the hardware chooses, hence
// the loop. Acquire semantics.
__device__ __forceinline__ void mbarrier_wait(std::uint32_t barrier, std::uint32_t parity) {
  std::uint32_t done = 0;
  do {
    asm volatile(
        "{\n"
        ".reg .pred complete;\n"
        "mbarrier.try_wait.parity.acquire.cta.shared::cta.b64 complete, [%1], %2;\n"
        "selp.u32 %0, 1, 0, complete;\n"
        "}\n"
        : "=r"(done)
        : "r"(barrier), "r"(parity)
        : "memory");
  } while (done == 0);
}

}  // namespace ridgepoint::kernels::ptx
