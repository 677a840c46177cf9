// What CUPTI, NVML and the toolkit say. All are loaded, never linked.
#include <dlfcn.h>
#include <fmt/format.h>

#include <array>
#include <memory>
#include <system_error>

#include "analyzer/core/text.h"
#include "collector/cupti/cupti_api.h"
#include "collector/cupti/cupti_library.h"
#include "collector/doctor/doctor.h"
#include "collector/nvml/nvml_library.h"

namespace ridgepoint::collector {
namespace {

namespace fs = std::filesystem;
using State = Check::State;

std::string path_of(const void* address) {
  Dl_info info = {};
  if (dladdr(address, &info) == 0 || info.dli_fname == nullptr) {
    return "an unknown place";
  }
  std::error_code error;
  const fs::path whole = fs::canonical(info.dli_fname, error);
  return error ? std::string(info.dli_fname) : whole.string();
}

void check_partitioning(const NvmlApi& nvml, NvmlDevice device, const std::string& name,
                        std::vector<Check>& found) {
  const auto get_mig = nvml.nvmlDeviceGetMigMode;
  unsigned mig = 0;
  unsigned pending = 0;
  if (get_mig != nullptr && get_mig(device, &mig, &pending) == nvml_success && mig != 0) {
    found.push_back({"mig", State::warning, name + " is cut into MIG slices",
                     "a slice shows only some of the counters, and HBM and L2 are shared with the "
                     "neighbours",
                     "measure on a whole GPU: nvidia-smi -i N -mig 0 (as administrator)"});
  }
  const auto get_mode = nvml.nvmlDeviceGetVirtualizationMode;
  int mode = 0;
  if (get_mode != nullptr && get_mode(device, &mode) == nvml_success &&
      mode == nvml_virtualization_mode_vgpu) {
    found.push_back({"vgpu", State::warning, name + " is a virtual GPU",
                     "the hypervisor decides whether it shows counters",
                     "enable profiling in the vGPU's settings (enable_profiling=1)"});
  }
}

}  // namespace

std::vector<Check> check_cupti(const Machine& machine) {
  const Result<const CuptiApi*> api = load_cupti(cupti_candidates());
  if (!api) {
    return {{"cupti", State::problem, api.error().why,
             "neither counters nor a timeline can be taken", api.error().hint}};
  }
  const void* address = reinterpret_cast<const void*>((*api)->cuptiGetVersion);
  std::vector<Check> found = {
      {"cupti", State::good,
       fmt::format("CUPTI {} at {}", cupti_version_text(**api), path_of(address)), "", ""}};
  if (const auto paths = machine.environment("LD_LIBRARY_PATH");
      paths && paths->find("CUPTI") != std::string::npos) {
    found.push_back({"cupti", State::warning, "LD_LIBRARY_PATH names a CUPTI folder",
                     "programs that bring a CUPTI of their own (PyTorch does) get that one "
                     "instead, and may fail to start it",
                     "take it out of LD_LIBRARY_PATH; RIDGEPOINT_CUPTI names one for Ridgepoint "
                     "alone"});
  }
  return found;
}

std::vector<Check> check_toolkit(const Machine& machine) {
  std::error_code ignored;
  const std::string root = machine.environment("CUDA_HOME")
                               .value_or(machine.environment("CUDA_PATH")
                                             .value_or((machine.root / "usr/local/cuda").string()));
  const fs::path compiler = fs::path(root) / "bin" / "nvcc";
  if (fs::exists(compiler, ignored)) {
    return {{"toolkit", State::good,
             "CUDA Toolkit at " + fs::weakly_canonical(root, ignored).string(), "", ""}};
  }
  return {{"toolkit", State::unknown, "no CUDA Toolkit at " + printable(root),
           "not needed to measure, but source lines of kernels need its nvdisasm", ""}};
}

std::vector<Check> check_devices(const Machine& /*machine*/) {
  const Result<Nvml> nvml = Nvml::open();
  unsigned count = 0;
  if (!nvml || nvml->api().nvmlDeviceGetName == nullptr ||
      nvml->api().nvmlDeviceGetCount_v2(&count) != nvml_success) {
    return {{"devices", State::unknown, "NVML (libnvidia-ml.so.1) does not answer",
             "GPUs cannot be listed; this is as it should be without a driver", ""}};
  }
  std::vector<Check> found;
  for (unsigned i = 0; i < count; ++i) {
    NvmlDevice device = nullptr;
    std::array<char, nvml_name_bytes> text{};
    if (nvml->api().nvmlDeviceGetHandleByIndex_v2(i, &device) != nvml_success ||
        nvml->api().nvmlDeviceGetName(device, text.data(), text.size() - 1) != nvml_success) {
      continue;
    }
    const std::string name = fmt::format("GPU {}, {}", i, printable(text.data()));
    found.push_back({"devices", State::good, name, "", ""});
    check_partitioning(nvml->api(), device, name, found);
  }
  if (found.empty()) {
    found.push_back({"devices", State::problem, "the driver shows no GPU",
                     "nothing can be measured",
                     "in a container pass the GPU in (--gpus all); else look at nvidia-smi"});
  }
  return found;
}

}  // namespace ridgepoint::collector
