// Which GPUs this machine has, asked without waking the driver.
#pragma once

#include <filesystem>
#include <string>

#include "collector/nvml/nvml_library.h"

namespace ridgepoint::collector {

// A line a GPU, in the driver's order, without what tells one of a model from another. Empty where
// one is not named: `driver` is /proc/driver/nvidia, which containers show in part.
std::string gpu_models(const std::filesystem::path& driver);
std::string gpu_models(const Nvml& nvml);

// The driver's files name all GPUs of a machine, also those that a job's cgroup keeps from it.
// Where they are of several models that matters, and NVML has to be asked which are left.
bool are_of_several_models(const std::string& models);

}  // namespace ridgepoint::collector
