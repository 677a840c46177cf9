// Counters that CUPTI takes by patching the kernel's code: instructions by kind.
#pragma once

#include <string>

namespace ridgepoint::collector {

inline bool needs_patching(const std::string& counter) {
  // A peak is a property of the chip.
  return counter.find("__sass_") != std::string::npos &&
         counter.find("peak_sustained") == std::string::npos;
}

// One of them that is never zero: when it is, CUPTI has not counted them.
inline constexpr const char* patching_control = "smsp__sass_thread_inst_executed.sum";

}  // namespace ridgepoint::collector
