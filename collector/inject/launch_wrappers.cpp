#include "collector/inject/launch_wrappers.h"

#include <cuda.h>
#include <cupti_driver_cbid.h>
#include <dlfcn.h>

#include <array>
#include <atomic>

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

// All that every launch looks at, in one cache line. What is beside `detour` is set once, before it
// is.
struct alignas(64) Asked {
  std::atomic<LaunchDetour*> detour{nullptr};
  UntimedLaunches* untimed = nullptr;
  const NvtxRanges* ranges = nullptr;
  std::array<void*, plain_launch_ids.size()> real = {};  // the driver's functions
};
constinit Asked asked;

template <class Call>
[[gnu::noinline]] CUresult pass_slowly(LaunchDetour& by, const DetouredCall& launch, Call call) {
  LaunchDetour::Way way = LaunchDetour::Way::direct;
  try {
    const NoCancellation here;
    way = by.begin(launch);
  } catch (...) {
    // Out of memory in our own bookkeeping; the program's launch goes on.
  }
  const CUresult result = call();
  by.end(way, result == CUDA_SUCCESS);
  return result;
}

[[gnu::noinline]] void repeat_failed(LaunchDetour& by, UntimedLaunches::Thread& thread) {
  UntimedLaunches::repeat_ends(thread, false);
  by.repeat_failed();
}

// `slowly` is call() with all that a launch needs which does not repeat another.
template <class Call, class Slowly>
CUresult pass(const PlainLaunch& plain, bool may_repeat, Call call, Slowly slowly) {
  LaunchDetour* by = asked.detour.load(std::memory_order_acquire);
  if (by == nullptr) {
    return call();
  }
  UntimedLaunches::Thread* repeats = may_repeat && !asked.ranges->any_open()
                                         ? asked.untimed->repeat(plain, by->stretch())
                                         : nullptr;
  if (repeats == nullptr) {
    return slowly(*by);
  }
  const CUresult result = call();
  if (result != CUDA_SUCCESS) {
    repeat_failed(*by, *repeats);
    return result;
  }
  UntimedLaunches::repeat_ends(*repeats, true);
  return result;
}

template <std::size_t which>
CUresult launch_kernel(CUfunction f, unsigned grid_x, unsigned grid_y, unsigned grid_z,
                       unsigned block_x, unsigned block_y, unsigned block_z, unsigned shared_bytes,
                       CUstream stream, void** arguments, void** extra) {
  const PlainLaunch plain{f,
                          stream,
                          {grid_x, grid_y, grid_z, block_x, block_y, block_z, shared_bytes},
                          plain_launch_ids[which]};
  const auto call = [&] {
    return reinterpret_cast<LaunchKernel>(asked.real[which])(f, grid_x, grid_y, grid_z, block_x,
                                                             block_y, block_z, shared_bytes, stream,
                                                             arguments, extra);
  };
  return pass(plain, true, call, [&](LaunchDetour& by) {
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
    return pass_slowly(by, {plain.id, &parameters, f, stream}, call);
  });
}

template <std::size_t which>
CUresult launch_kernel_ex(const CUlaunchConfig* config, CUfunction f, void** arguments,
                          void** extra) {
  const LaunchKernelExParameters parameters{config, f, arguments, extra};
  const PlainLaunch plain = plain_launch(plain_launch_ids[which], &parameters);
  const auto call = [&] {
    return reinterpret_cast<LaunchKernelEx>(asked.real[which])(config, f, arguments, extra);
  };
  return pass(plain, !has_attributes(plain.id, &parameters), call, [&](LaunchDetour& by) {
    return pass_slowly(by, {plain.id, &parameters, f, plain.stream}, call);
  });
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
    asked.real.at(which) = driver == nullptr ? nullptr : dlsym(driver, names.at(which));
    if (asked.real.at(which) == nullptr) {
      return std::nullopt;
    }
    found.push_back({names.at(which), asked.real.at(which), ours.at(which)});
  }
  return found;
}

void detour_launches_by(const AskedOfLaunches& whom) {
  if (whom.detour != nullptr) {
    asked.untimed = whom.untimed;
    asked.ranges = whom.ranges;
  }
  asked.detour.store(whom.detour, std::memory_order_release);
}

}  // namespace ridgepoint::collector
