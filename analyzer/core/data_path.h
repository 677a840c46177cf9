// Where the files of data/ lie at run time: counter sets, chip descriptions, recordings, schemas.
#pragma once

#include <cstdint>
#include <filesystem>

#include "analyzer/core/error.h"

namespace ridgepoint {

// Descriptions of chips, GPUs and counters are some kilobytes of JSON. One beyond these is refused
// before it is built.
inline constexpr std::uint64_t data_file_limit_bytes = std::uint64_t{1} << 20U;
inline constexpr int data_nesting_limit = 16;

// $RIDGEPOINT_DATA when set, else ../share/ridgepoint from the running program. Fails, naming the
// folders it looked in, when none holds the data.
Result<std::filesystem::path> data_directory();

}  // namespace ridgepoint
