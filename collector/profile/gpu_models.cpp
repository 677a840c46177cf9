#include "collector/profile/gpu_models.h"

#include <algorithm>
#include <array>
#include <system_error>
#include <vector>

#include "analyzer/core/file.h"

namespace ridgepoint::collector {
namespace {

namespace fs = std::filesystem;

constexpr std::uint64_t largest_text_bytes = 1U << 16U;

}  // namespace

std::string gpu_models(const fs::path& driver) {
  std::error_code error;
  std::vector<fs::path> gpus;
  for (fs::directory_iterator it(driver / "gpus", error), end; !error && it != end;
       it.increment(error)) {
    gpus.push_back(it->path());
  }
  std::sort(gpus.begin(), gpus.end());
  std::string models;
  for (const fs::path& gpu : gpus) {
    const std::string text =
        read_file(gpu / "information", largest_text_bytes).value_or(std::string());
    const std::size_t model = text.find("Model:");
    if (model == std::string::npos) {
      return {};
    }
    models += text.substr(model, text.find('\n', model) - model) + "\n";
  }
  return models;
}

std::string gpu_models(const Nvml& nvml) {
  const NvmlApi& api = nvml.api();
  unsigned count = 0;
  if (api.nvmlDeviceGetCount_v2 == nullptr || api.nvmlDeviceGetHandleByIndex_v2 == nullptr ||
      api.nvmlDeviceGetName == nullptr || api.nvmlDeviceGetCount_v2(&count) != nvml_success) {
    return {};
  }
  std::string models;
  for (unsigned index = 0; index < count; ++index) {
    NvmlDevice device = nullptr;
    std::array<char, nvml_name_bytes> name{};
    if (api.nvmlDeviceGetHandleByIndex_v2(index, &device) != nvml_success ||
        api.nvmlDeviceGetName(device, name.data(), nvml_name_bytes - 1) != nvml_success) {
      return {};
    }
    models += "Model: " + std::string(name.data()) + "\n";
  }
  return models;
}

}  // namespace ridgepoint::collector
