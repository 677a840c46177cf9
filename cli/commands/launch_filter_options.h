// The options of `ridgepoint profile` that choose launches.
#pragma once

#include <CLI/CLI.hpp>

#include "collector/profile/settings.h"

namespace ridgepoint::cli {

void add_launch_filters(CLI::App& command, collector::FilterOptions& filter);

}  // namespace ridgepoint::cli
