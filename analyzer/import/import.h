// Recordings of other profilers, read as sessions. Today: the CSV exports of Nsight Compute, in
// every layout that ncu and its GUI write (analyzer/import/header.h).
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "analyzer/core/error.h"
#include "analyzer/session/session.h"

namespace ridgepoint {

namespace importing {
struct Tables;
}

inline constexpr std::uint64_t import_size_limit_bytes = std::uint64_t{256} << 20U;

// `name` is the file's, for errors and for formats that only their ending tells. Counters come out
// under their Nsight names in CUPTI's units (bytes, nanoseconds, hertz, rates a second, percent);
// display names that data/import does not know stay "details:SECTION/NAME". What the file lacks is
// in the session's issues. A log of a failed run, and reports only NVIDIA's tools read, are errors
// that say what to do.
Result<Session> import_session(std::string_view bytes, const std::string& name);
// The same with tables already loaded.
Result<Session> import_session(std::string_view bytes, const std::string& name,
                               const importing::Tables& tables);

}  // namespace ridgepoint
