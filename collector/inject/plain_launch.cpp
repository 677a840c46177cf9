#include "collector/inject/plain_launch.h"

#include "collector/inject/launch_parameters.h"

namespace ridgepoint::collector {
namespace {

bool is_extended(std::uint32_t id) {
  return id == CUPTI_DRIVER_TRACE_CBID_cuLaunchKernelEx ||
         id == CUPTI_DRIVER_TRACE_CBID_cuLaunchKernelEx_ptsz;
}

template <class Parameters>
std::array<std::uint32_t, 7> size_of(const Parameters& p) {
  return {p.gridDimX,  p.gridDimY,  p.gridDimZ,      p.blockDimX,
          p.blockDimY, p.blockDimZ, p.sharedMemBytes};
}

}  // namespace

PlainLaunch plain_launch(std::uint32_t id, const void* parameters) {
  if (parameters == nullptr) {
    return {};
  }
  if (!is_extended(id)) {
    const auto& p = *static_cast<const LaunchKernelParameters*>(parameters);
    return {p.f, p.hStream, size_of(p), id};
  }
  const auto& p = *static_cast<const LaunchKernelExParameters*>(parameters);
  return p.config == nullptr ? PlainLaunch{p.f, nullptr, {}, id}
                             : PlainLaunch{p.f, p.config->hStream, size_of(*p.config), id};
}

bool has_attributes(std::uint32_t id, const void* parameters) {
  const auto* p = static_cast<const LaunchKernelExParameters*>(parameters);
  return is_extended(id) && p != nullptr && (p->config == nullptr || p->config->numAttrs != 0);
}

}  // namespace ridgepoint::collector
