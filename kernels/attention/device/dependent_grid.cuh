// A kernel that may start before the one in front of it in the stream has ended (PTX ISA 9.0,
// 9.7.13.13, "Parallel Synchronization and Communication Instructions: griddepcontrol"; sm_90 and
// later, nothing elsewhere).
//
// Life cycle: the first kernel's thread blocks each say `let_dependents_start`; when all have, the
// second may take the places that are free. It must `wait_for_prerequisites` before it reads what
// the first has written: that returns when the first has ended and its writes can be seen. How the
// second is launched: kernels/runtime/dependent_launch.h.
#pragma once

namespace ridgepoint::kernels::device {

__device__ __forceinline__ void let_dependents_start() {
#if __CUDA_ARCH__ >= 900
  asm volatile("griddepcontrol.launch_dependents;\n");
#endif
}

__device__ __forceinline__ void wait_for_prerequisites() {
#if __CUDA_ARCH__ >= 900
  asm volatile("griddepcontrol.wait;\n" ::: "memory");
#endif
}

}  // namespace ridgepoint::kernels::device
