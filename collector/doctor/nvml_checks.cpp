#include "collector/doctor/nvml_checks.h"

#include <fmt/format.h>

#include <optional>
#include <string>

#include "analyzer/core/text.h"
#include "collector/nvml/nvml_library.h"

namespace ridgepoint::collector {
namespace {

using State = Check::State;

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

// The newer question knows of protected PCIe, the older one is answered by more drivers. `code` is
// that of the last one asked, empty when this NVML has neither.
std::optional<NvmlConfidentialSettings> confidential_settings(const NvmlApi& nvml,
                                                              std::optional<int>& code) {
  if (nvml.nvmlSystemGetConfComputeSettings != nullptr) {
    NvmlConfidentialSettings settings{};
    settings.version = nvml_confidential_settings_version;
    code = nvml.nvmlSystemGetConfComputeSettings(&settings);
    if (code == nvml_success) {
      return settings;
    }
  }
  if (nvml.nvmlSystemGetConfComputeState != nullptr) {
    NvmlConfidentialState state{};
    code = nvml.nvmlSystemGetConfComputeState(&state);
    if (code == nvml_success) {
      return NvmlConfidentialSettings{0, state.environment, state.feature, state.devtools, 0};
    }
  }
  return std::nullopt;
}

Check check_confidential_computing(const NvmlApi& nvml) {
  const char* id = "confidential_computing";
  std::optional<int> code;
  const auto settings = confidential_settings(nvml, code);
  if (!settings && code == nvml_not_supported) {
    return {id, State::good, "no confidential computing: these GPUs or this driver have none", "",
            ""};
  }
  if (!settings) {
    return {id, State::unknown,
            code ? fmt::format("NVML does not say whether confidential computing is on (error {})",
                               *code)
                 : std::string("this driver's NVML is too old to tell of confidential computing"),
            "where it is on, counters are refused", ""};
  }
  const bool several = settings->multi_gpu != 0;
  if (settings->feature == 0 && !several) {
    return {id, State::good, "confidential computing is off", "", ""};
  }
  const std::string on = several ? "confidential computing is on for several GPUs (protected PCIe)"
                                 : "confidential computing is on";
  if (settings->devtools != 0) {
    return {id, State::warning, on + ", in its mode for developer tools",
            "counters can be read; copies between host and device are encrypted, so that they and "
            "what waits for them take longer than elsewhere",
            "compare times only with runs in the same mode; nothing is confidential in it"};
  }
  return {id, State::problem, on,
          "the GPU refuses counters, stall samples and timelines, whoever asks",
          "measure on a machine without it, or let the administrator set the mode for developer "
          "tools (nvidia_gpu_tools.py --set-cc-mode=devtools, from NVIDIA's gpu-admin-tools)"};
}

}  // namespace

Check nvml_silent() {
  return {"devices", State::unknown, "NVML (libnvidia-ml.so.1) does not answer",
          "GPUs cannot be listed; this is as it should be without a driver", ""};
}

namespace {

// It has fallen off the bus, or its driver does not answer for it.
Check lost_gpu(std::size_t number) {
  return {
      "devices", State::problem, fmt::format("GPU {} does not answer", number),
      "nothing can be measured on it, and CUDA may fail on the others too",
      "look for its Xid in `dmesg`; nvidia-smi -r resets it, else the machine must be restarted"};
}

// As of a broken or foreign library.
std::optional<Check> absurd_count(const NvmlApi& nvml) {
  unsigned count = 0;
  if (nvml.nvmlDeviceGetCount_v2(&count) != nvml_success || count <= most_gpus) {
    return std::nullopt;
  }
  return Check{"devices", State::problem, fmt::format("NVML says that there are {} GPUs", count),
               "no machine has so many: GPUs cannot be listed",
               "is libnvidia-ml.so.1 the driver's own? See RIDGEPOINT_NVML and LD_LIBRARY_PATH"};
}

}  // namespace

std::vector<Check> nvml_checks(const NvmlApi& nvml) {
  if (const std::optional<Check> absurd = absurd_count(nvml)) {
    return {*absurd};
  }
  const std::optional<std::vector<NvmlDevice>> devices = nvml_devices(nvml);
  if (nvml.nvmlDeviceGetName == nullptr || !devices) {
    return {nvml_silent()};
  }
  std::vector<Check> found;
  for (std::size_t i = 0; i < devices->size(); ++i) {
    const std::optional<std::string> said = nvml_name(nvml, (*devices)[i]);
    if (!said) {
      found.push_back(lost_gpu(i));
      continue;
    }
    const std::string name = fmt::format("GPU {}, {}", i, printable(*said));
    found.push_back({"devices", State::good, name, "", ""});
    check_partitioning(nvml, (*devices)[i], name, found);
  }
  if (found.empty()) {
    return {{"devices", State::problem, "the driver shows no GPU", "nothing can be measured",
             "in a container pass the GPU in (--gpus all); else look at nvidia-smi"}};
  }
  found.push_back(check_confidential_computing(nvml));
  return found;
}

}  // namespace ridgepoint::collector
