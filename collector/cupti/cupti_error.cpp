#include "collector/cupti/cupti_error.h"

#include <fmt/format.h>

#include "collector/cupti/cupti_api.h"

namespace ridgepoint::collector {
namespace {

struct Advice {
  CUptiResult code;
  const char* why;
  const char* hint;
};

// The codes of cupti_result.h that a user can do something about.
constexpr Advice advices[] = {
    {CUPTI_ERROR_NOT_COMPATIBLE,
     "this CUPTI does not fit the driver or another profiling mode in use",
     "use the CUPTI of a toolkit no newer than the driver (nvidia-smi shows the driver's CUDA "
     "version)"},
    {CUPTI_ERROR_HARDWARE_BUSY, "another profiler holds the GPU's counters",
     "end the other profiler (Nsight, DCGM: `dcgmi profiling --pause`), then run again"},
    {CUPTI_ERROR_NOT_SUPPORTED, "CUPTI does not support this on this GPU",
     "it needs compute capability 7.0 or later; under WSL and MIG some counters are missing"},
    {CUPTI_ERROR_VIRTUALIZED_DEVICE_NOT_SUPPORTED, "the hypervisor gives no access to the counters",
     "enable profiling for this virtual GPU, or run on the bare machine"},
    {CUPTI_ERROR_INSUFFICIENT_PRIVILEGES,
     "the driver lets only administrators read GPU counters (RmProfilingAdminOnly=1)",
     "run with sudo; or load the driver with NVreg_RestrictProfilingToAdminUsers=0; in a container "
     "add --cap-add=SYS_ADMIN"},
    {CUPTI_ERROR_OLD_PROFILER_API_INITIALIZED,
     "the old profiling interface is in use in this process",
     "remove other profilers from the process (CUDA_INJECTION64_PATH)"},
    {CUPTI_ERROR_LEGACY_PROFILER_NOT_SUPPORTED, "the driver's old profiler is switched on",
     "unset COMPUTE_PROFILE and CUDA_PROFILE"},
    {CUPTI_ERROR_MULTIPLE_SUBSCRIBERS_NOT_SUPPORTED, "another profiler is attached to this process",
     "run without Nsight, cuda-gdb, compute-sanitizer or another injected tool "
     "(CUDA_INJECTION64_PATH)"},
    {CUPTI_ERROR_VIRTUALIZED_DEVICE_INSUFFICIENT_PRIVILEGES,
     "the hypervisor does not allow profiling of this virtual GPU",
     "enable it in the vGPU settings of the virtual machine (enable_profiling=1)"},
    {CUPTI_ERROR_CONFIDENTIAL_COMPUTING_NOT_SUPPORTED,
     "the GPU is in confidential-computing mode, which closes its counters",
     "profile on a GPU with confidential computing off"},
    {CUPTI_ERROR_CMP_DEVICE_NOT_SUPPORTED, "mining GPUs have no profiling", "use another GPU"},
    {CUPTI_ERROR_MIG_DEVICE_NOT_SUPPORTED, "this MIG slice does not allow profiling",
     "profile a whole GPU, or a slice that holds all of its parent's compute"},
    {CUPTI_ERROR_SLI_DEVICE_NOT_SUPPORTED, "GPUs joined by SLI have no profiling",
     "switch SLI off"},
    {CUPTI_ERROR_WSL_DEVICE_NOT_SUPPORTED, "this GPU cannot be profiled under WSL",
     "use a newer driver on the Windows side, or Linux itself"},
    {CUPTI_ERROR_INVALID_CHIP_NAME, "this CUPTI does not know the chip",
     "use a newer CUPTI: set RIDGEPOINT_CUPTI to the libcupti.so of a newer toolkit"},
};

std::string result_name(const CuptiApi& api, CUptiResult code) {
  const char* name = nullptr;
  if (api.cuptiGetResultString == nullptr ||
      api.cuptiGetResultString(code, &name) != CUPTI_SUCCESS || name == nullptr) {
    return "CUPTI error";
  }
  return name;
}

}  // namespace

tl::unexpected<Error> cupti_failure(const CuptiApi& api, int code, const std::string& what) {
  const auto result = static_cast<CUptiResult>(code);
  const std::string name = fmt::format("{}, {}", result_name(api, result), code);
  for (const Advice& advice : advices) {
    if (advice.code == result) {
      return fail(ErrorDomain::device, what, fmt::format("{} ({})", advice.why, name), advice.hint,
                  code);
    }
  }
  return fail(ErrorDomain::device, what, name, {}, code);
}

Status cupti_status(const CuptiApi& api, int code, const std::string& what) {
  if (code == CUPTI_SUCCESS) {
    return {};
  }
  return cupti_failure(api, code, what);
}

}  // namespace ridgepoint::collector
