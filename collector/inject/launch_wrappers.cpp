#include "collector/inject/launch_wrappers.h"

#include <cuda.h>
#include <cupti_driver_cbid.h>
#include <dlfcn.h>

#include <atomic>

#include "collector/inject/launch_parameters.h"

namespace ridgepoint::collector {
namespace {

using LaunchKernel = CUresult (*)(CUfunction, unsigned, unsigned, unsigned, unsigned, unsigned,
                                  unsigned, unsigned, CUstream, void**, void**);
using LaunchKernelEx = CUresult (*)(const CUlaunchConfig*, CUfunction, void**, void**);

// Those below are set once, before it is.
std::atomic<LaunchDetour*> detour{nullptr};
UntimedLaunches* untimed = nullptr;
const NvtxRanges* ranges = nullptr;

// Per call of the driver: the function that it really is.
template <std::uint32_t id, class Function>
Function real = nullptr;

template <class Call>
[[gnu::noinline]] CUresult pass_slowly(LaunchDetour& by, const DetouredCall& launch, Call call) {
  LaunchDetour::Way way = LaunchDetour::Way::direct;
  try {
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

template <class Call>
CUresult pass(const PlainLaunch& plain, const void* parameters, bool may_repeat, Call call) {
  LaunchDetour* by = detour.load(std::memory_order_acquire);
  if (by == nullptr) {
    return call();
  }
  UntimedLaunches::Thread* repeats =
      may_repeat && !ranges->any_open() ? untimed->repeat(plain, by->stretch()) : nullptr;
  if (repeats == nullptr) {
    return pass_slowly(*by, {plain.id, parameters, plain.function, plain.stream}, call);
  }
  const CUresult result = call();
  if (result != CUDA_SUCCESS) {
    repeat_failed(*by, *repeats);
    return result;
  }
  UntimedLaunches::repeat_ends(*repeats, true);
  return result;
}

template <std::uint32_t id>
CUresult launch_kernel(CUfunction f, unsigned grid_x, unsigned grid_y, unsigned grid_z,
                       unsigned block_x, unsigned block_y, unsigned block_z, unsigned shared_bytes,
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
  const PlainLaunch plain{
      f, stream, {grid_x, grid_y, grid_z, block_x, block_y, block_z, shared_bytes}, id};
  return pass(plain, &parameters, true, [&] {
    return real<id, LaunchKernel>(f, grid_x, grid_y, grid_z, block_x, block_y, block_z,
                                  shared_bytes, stream, arguments, extra);
  });
}

template <std::uint32_t id>
CUresult launch_kernel_ex(const CUlaunchConfig* config, CUfunction f, void** arguments,
                          void** extra) {
  const LaunchKernelExParameters parameters{config, f, arguments, extra};
  return pass(plain_launch(id, &parameters), &parameters, !has_attributes(id, &parameters),
              [&] { return real<id, LaunchKernelEx>(config, f, arguments, extra); });
}

template <std::uint32_t id, class Function>
bool find(void* driver, const char* name, Function ours,
          std::vector<LaunchDetour::Function>& found) {
  real<id, Function> = reinterpret_cast<Function>(dlsym(driver, name));
  found.push_back({name, reinterpret_cast<const void*>(real<id, Function>),
                   reinterpret_cast<const void*>(ours)});
  return found.back().real != nullptr;
}

}  // namespace

std::optional<std::vector<LaunchDetour::Function>> launch_wrappers() {
  constexpr auto plain = CUPTI_DRIVER_TRACE_CBID_cuLaunchKernel;
  constexpr auto plain_per_thread = CUPTI_DRIVER_TRACE_CBID_cuLaunchKernel_ptsz;
  constexpr auto extended = CUPTI_DRIVER_TRACE_CBID_cuLaunchKernelEx;
  constexpr auto extended_per_thread = CUPTI_DRIVER_TRACE_CBID_cuLaunchKernelEx_ptsz;
  void* driver = dlopen("libcuda.so.1", RTLD_NOW | RTLD_NOLOAD);
  std::vector<LaunchDetour::Function> found;
  const bool all =
      driver != nullptr &&
      find<plain, LaunchKernel>(driver, "cuLaunchKernel", launch_kernel<plain>, found) &&
      find<plain_per_thread, LaunchKernel>(driver, "cuLaunchKernel_ptsz",
                                           launch_kernel<plain_per_thread>, found) &&
      find<extended, LaunchKernelEx>(driver, "cuLaunchKernelEx", launch_kernel_ex<extended>,
                                     found) &&
      find<extended_per_thread, LaunchKernelEx>(driver, "cuLaunchKernelEx_ptsz",
                                                launch_kernel_ex<extended_per_thread>, found);
  return all ? std::optional(std::move(found)) : std::nullopt;
}

void detour_launches_by(const AskedOfLaunches& asked) {
  if (asked.detour != nullptr) {
    untimed = asked.untimed;
    ranges = asked.ranges;
  }
  detour.store(asked.detour, std::memory_order_release);
}

}  // namespace ridgepoint::collector
