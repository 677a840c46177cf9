// What CUPTI's callback data points at for the driver's launch functions: their arguments, in their
// order. CUPTI's own declarations (generated_cuda_meta.h) need types that cuda.h keeps to itself.
#pragma once

#include <cuda.h>

namespace ridgepoint::collector {

struct LaunchKernelParameters {  // cuLaunchKernel; cuLaunchCooperativeKernel, which has no `extra`
  CUfunction f;
  unsigned gridDimX, gridDimY, gridDimZ;
  unsigned blockDimX, blockDimY, blockDimZ;
  unsigned sharedMemBytes;
  CUstream hStream;
  void** kernelParams;
};

struct LaunchKernelPlainParameters : LaunchKernelParameters {  // cuLaunchKernel
  void** extra;
};

struct LaunchKernelExParameters {  // cuLaunchKernelEx
  const CUlaunchConfig* config;
  CUfunction f;
  void** kernelParams;
  void** extra;
};

struct LaunchGraphParameters {  // cuGraphLaunch
  CUgraphExec executable;
  CUstream stream;
};

}  // namespace ridgepoint::collector
