#include "collector/inject/launch_wrappers.h"

#include <cuda.h>
#include <cupti_driver_cbid.h>
#include <dlfcn.h>

#include <array>
#include <atomic>

#include "collector/inject/launch_line.h"
#include "collector/inject/launch_parameters.h"
#include "collector/inject/no_cancellation.h"

namespace ridgepoint::collector {
namespace {

using LaunchKernel = CUresult (*)(CUfunction, unsigned, unsigned, unsigned, unsigned, unsigned,
                                  unsigned, unsigned, CUstream, void**, void**);
using LaunchKernelEx = CUresult (*)(const CUlaunchConfig*, CUfunction, void**, void**);

// In the order of plain_launch_ids.
constexpr std::array<const char*, plain_launch_ids.size()> names = {
    "cuLaunchKernel", "cuLaunchKernel_ptsz", "cuLaunchKernelEx", "cuLaunchKernelEx_ptsz"};

// A launch that does not repeat another, with `call` making it.
template <class Call>
CUresult pass_slowly(const DetouredCall& launch, Call call) {
  LaunchDetour* by = launch_line.detour.load(std::memory_order_acquire);
  LaunchDetour::Way way = LaunchDetour::Way::direct;
  try {
    const NoCancellation here;
    way = by == nullptr ? way : by->begin(launch);
  } catch (...) {
    // Out of memory in our own bookkeeping; the program's launch goes on.
  }
  const CUresult result = call();
  if (by != nullptr) {
    by->end(way, result == CUDA_SUCCESS);
  }
  return result;
}

// Null: the launch does not repeat another, or nobody asks.
[[gnu::always_inline]] inline UntimedLaunches::Thread* repeat(const PlainLaunch& launch) {
  return UntimedLaunches::repeat(launch, launch_line.stretch);
}

[[gnu::noinline]] CUresult repeat_failed(UntimedLaunches::Thread& thread, CUresult result) {
  UntimedLaunches::repeat_ends(thread, false);
  if (LaunchDetour* by = launch_line.detour.load(std::memory_order_acquire)) {
    by->repeat_failed();
  }
  return result;
}

[[gnu::always_inline]] inline CUresult repeat_ends(UntimedLaunches::Thread& thread,
                                                   CUresult result) {
  if (result != CUDA_SUCCESS) [[unlikely]] {
    return repeat_failed(thread, result);
  }
  UntimedLaunches::repeat_ends(thread, true);
  return result;
}

// Each of our functions hands what is not a repeated launch to another, that takes the same: so
// what a repeated one runs through is short.
template <std::size_t which>
[[gnu::noinline]] CUresult launch_kernel_slowly(CUfunction f, unsigned grid_x, unsigned grid_y,
                                                unsigned grid_z, unsigned block_x, unsigned block_y,
                                                unsigned block_z, unsigned shared_bytes,
                                                CUstream stream, void** arguments, void** extra) {
  LaunchKernelPlainParameters parameters;
  parameters.f = f;
  parameters.gridDimX = grid_x;
  parameters.gridDimY = grid_y;
  parameters.gridDimZ = grid_z;
  parameters.blockDimX = block_x;
  parameters.blockDimY = block_y;
  parameters.blockDimZ = block_z;
  parameters.sharedMemBytes = shared_bytes;
  parameters.hStream = stream;
  parameters.kernelParams = arguments;
  parameters.extra = extra;
  return pass_slowly({plain_launch_ids[which], &parameters, f, stream}, [&] {
    return reinterpret_cast<LaunchKernel>(launch_line.real[which])(
        f, grid_x, grid_y, grid_z, block_x, block_y, block_z, shared_bytes, stream, arguments,
        extra);
  });
}

template <std::size_t which>
CUresult launch_kernel(CUfunction f, unsigned grid_x, unsigned grid_y, unsigned grid_z,
                       unsigned block_x, unsigned block_y, unsigned block_z, unsigned shared_bytes,
                       CUstream stream, void** arguments, void** extra) {
  UntimedLaunches::Thread* repeats =
      repeat({f,
              stream,
              {grid_x, grid_y, grid_z, block_x, block_y, block_z, shared_bytes},
              plain_launch_ids[which]});
  if (repeats == nullptr) [[unlikely]] {
    return launch_kernel_slowly<which>(f, grid_x, grid_y, grid_z, block_x, block_y, block_z,
                                       shared_bytes, stream, arguments, extra);
  }
  return repeat_ends(*repeats, reinterpret_cast<LaunchKernel>(launch_line.real[which])(
                                   f, grid_x, grid_y, grid_z, block_x, block_y, block_z,
                                   shared_bytes, stream, arguments, extra));
}

template <std::size_t which>
[[gnu::noinline]] CUresult launch_kernel_ex_slowly(const CUlaunchConfig* config, CUfunction f,
                                                   void** arguments, void** extra) {
  const LaunchKernelExParameters parameters{config, f, arguments, extra};
  const CUstream_st* stream = config == nullptr ? nullptr : config->hStream;
  return pass_slowly({plain_launch_ids[which], &parameters, f, stream}, [&] {
    return reinterpret_cast<LaunchKernelEx>(launch_line.real[which])(config, f, arguments, extra);
  });
}

template <std::size_t which>
CUresult launch_kernel_ex(const CUlaunchConfig* config, CUfunction f, void** arguments,
                          void** extra) {
  const LaunchKernelExParameters parameters{config, f, arguments, extra};
  UntimedLaunches::Thread* repeats =
      has_attributes(plain_launch_ids[which], &parameters)
          ? nullptr
          : repeat(plain_launch(plain_launch_ids[which], &parameters));
  if (repeats == nullptr) [[unlikely]] {
    return launch_kernel_ex_slowly<which>(config, f, arguments, extra);
  }
  return repeat_ends(*repeats, reinterpret_cast<LaunchKernelEx>(launch_line.real[which])(
                                   config, f, arguments, extra));
}

const std::array<const void*, plain_launch_ids.size()> ours = {
    reinterpret_cast<const void*>(launch_kernel<0>),
    reinterpret_cast<const void*>(launch_kernel<1>),
    reinterpret_cast<const void*>(launch_kernel_ex<2>),
    reinterpret_cast<const void*>(launch_kernel_ex<3>)};

}  // namespace

std::optional<std::vector<LaunchDetour::Function>> launch_wrappers() {
  void* driver = dlopen("libcuda.so.1", RTLD_NOW | RTLD_NOLOAD);
  std::vector<LaunchDetour::Function> found;
  for (std::size_t which = 0; which < plain_launch_ids.size(); ++which) {
    launch_line.real.at(which) = driver == nullptr ? nullptr : dlsym(driver, names.at(which));
    if (launch_line.real.at(which) == nullptr) {
      return std::nullopt;
    }
    found.push_back({names.at(which), launch_line.real.at(which), ours.at(which)});
  }
  return found;
}

void detour_launches_by(LaunchDetour* detour) {
  if (launch_line.detour.exchange(detour) != nullptr && detour == nullptr) {
    launch_line.stretch.hold();  // for good
  }
}

}  // namespace ridgepoint::collector
