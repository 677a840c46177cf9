// A file without a table of launches: a log that says why, a report in another format, or something
// else altogether. Each gets an error with what can be done.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "analyzer/core/error.h"

namespace ridgepoint::importing {

// Reports that only NVIDIA's tools read, by content or by the ending of `name`; with the command
// that exports them.
std::optional<Error> binary_report(std::string_view bytes, const std::string& name,
                                   const std::string& what);

// Why a text holds no launch, from what the profiler said in it.
Error no_launches(std::string_view text, bool has_header, const std::string& what);

}  // namespace ridgepoint::importing
