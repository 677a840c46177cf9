// What a call of cuLaunchKernel or cuLaunchKernelEx says, but for the arguments of the kernel.
#pragma once

#include <cupti_driver_cbid.h>

#include <algorithm>
#include <array>
#include <cstdint>

struct CUfunc_st;
struct CUstream_st;

namespace ridgepoint::collector {

// Plain data: one is made for every launch and compared with others.
struct PlainLaunch {
  const CUfunc_st* function = nullptr;
  const CUstream_st* stream = nullptr;
  std::array<std::uint32_t, 7> size = {};  // grid x y z, block x y z, bytes of shared memory
  std::uint32_t id = 0;                    // CUPTI_DRIVER_TRACE_CBID_...
  // One by one: they are in registers, and a call of memcmp() would have them all put down.
  bool operator==(const PlainLaunch& other) const {
    return function == other.function && stream == other.stream && id == other.id &&
           size[0] == other.size[0] && size[1] == other.size[1] && size[2] == other.size[2] &&
           size[3] == other.size[3] && size[4] == other.size[4] && size[5] == other.size[5] &&
           size[6] == other.size[6];
  }
};

// The calls, by what CUPTI names them.
inline constexpr std::array plain_launch_ids = {
    CUPTI_DRIVER_TRACE_CBID_cuLaunchKernel, CUPTI_DRIVER_TRACE_CBID_cuLaunchKernel_ptsz,
    CUPTI_DRIVER_TRACE_CBID_cuLaunchKernelEx, CUPTI_DRIVER_TRACE_CBID_cuLaunchKernelEx_ptsz};

constexpr bool is_plain_launch(std::uint32_t id) {
  return std::any_of(plain_launch_ids.begin(), plain_launch_ids.end(),
                     [&](std::uint32_t known) { return known == id; });
}
// Of a launch with attributes, such as a cluster's size, `size` does not say all.
PlainLaunch plain_launch(std::uint32_t id, const void* parameters);
bool has_attributes(std::uint32_t id, const void* parameters);

}  // namespace ridgepoint::collector
