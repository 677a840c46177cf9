#include "collector/profile/gpu_models.h"

#include <algorithm>
#include <optional>
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
  std::string models;
  for (const NvmlDevice device : nvml_devices(nvml.api()).value_or(std::vector<NvmlDevice>())) {
    const std::optional<std::string> name = nvml_name(nvml.api(), device);
    if (!name) {
      return {};
    }
    models += "Model: " + *name + "\n";
  }
  return models;
}

bool are_of_several_models(const std::string& models) {
  const std::string first = models.substr(0, models.find('\n') + 1);
  for (std::size_t at = 0; at < models.size(); at += first.size()) {
    if (models.compare(at, first.size(), first) != 0) {
      return true;
    }
  }
  return false;
}

}  // namespace ridgepoint::collector
