// --target, the same in every command that reports what was measured.
#pragma once

#include <CLI/CLI.hpp>

#include "analyzer/targets/targets.h"

namespace ridgepoint::cli {

// "--target ID=VALUE" (repeatable) into `limits`, which must outlive the parsing.
void add_target_option(CLI::App& command, TargetLimits& limits);

}  // namespace ridgepoint::cli
