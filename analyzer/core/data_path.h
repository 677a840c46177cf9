// Where the files of data/ lie at run time: counter sets, chip descriptions, recordings, schemas.
#pragma once

#include <filesystem>

#include "analyzer/core/error.h"

namespace ridgepoint {

// $RIDGEPOINT_DATA when set, else ../share/ridgepoint from the running program. Fails, naming the
// folders it looked in, when none holds the data.
Result<std::filesystem::path> data_directory();

}  // namespace ridgepoint
