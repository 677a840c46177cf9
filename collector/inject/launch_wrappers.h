// The driver's launch functions as functions of ours, which pointers of the program can be led to.
// They stay for as long as the process does, and call the real ones, since any thread may be about
// to call one at any time.
#pragma once

#include <optional>
#include <vector>

#include "collector/inject/launch_detour.h"

namespace ridgepoint::collector {

// cuLaunchKernel and cuLaunchKernelEx, each for both kinds of default stream. Empty where the
// driver, which must be loaded, lacks one.
std::optional<std::vector<LaunchDetour::Function>> launch_wrappers();

// Whom our functions ask from now on: it must stay. Null: they only call the real ones, and nobody
// is asked again.
void detour_launches_by(LaunchDetour* detour);

}  // namespace ridgepoint::collector
