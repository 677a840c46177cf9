// The version of the NVIDIA kernel driver, which the CUDA runtime does not tell: it knows only the
// newest CUDA the driver can run.
#pragma once

#include <string>

namespace ridgepoint::collector {

// The same sentence and advice from every command that finds none.
inline constexpr const char* no_driver = "no NVIDIA driver is loaded";
inline constexpr const char* no_driver_hint =
    "install the driver (580 or later for CUDA 13); in a container start it with --gpus all. "
    "Without a GPU: ridgepoint demo";

// From the text of /proc/driver/nvidia/version: "580.159.04". Empty when it holds no version.
std::string parse_driver_version(const std::string& text);

// Empty when the driver publishes none (no driver, or WSL).
std::string kernel_driver_version();

// Whether there is one at all, that of Windows under WSL included.
bool has_driver();

}  // namespace ridgepoint::collector
