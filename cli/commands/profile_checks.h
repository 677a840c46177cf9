// Whether the options of `ridgepoint profile` go together: one that would have no effect is
// refused, since the user wanted something by it.
#pragma once

#include <functional>
#include <string>

#include "analyzer/core/error.h"
#include "collector/profile/profile.h"

namespace ridgepoint::cli {

// `given`: whether an option, by its long name, was on the command line.
Status check_profile_options(const collector::ProfileOptions& options,
                             const std::function<bool(const std::string&)>& given);

}  // namespace ridgepoint::cli
