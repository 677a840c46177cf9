// zstd frames in memory.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "analyzer/core/error.h"

namespace ridgepoint {

bool is_zstd(std::string_view bytes);
std::string zstd_compress(std::string_view bytes);
// Refuses a frame that is torn, corrupt, or grows beyond `limit_bytes`; `what` names the act in the
// error.
Result<std::string> zstd_decompress(std::string_view bytes, std::uint64_t limit_bytes,
                                    const std::string& what);

}  // namespace ridgepoint
