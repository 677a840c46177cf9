// A row of `launches` that is no launch: an NVTX range that was counted as a whole (`profile
// --replay range`). Its kernel's name says so; it has neither grid nor block.
#pragma once

#include <string_view>

namespace ridgepoint {

inline constexpr std::string_view range_row_prefix = "NVTX range: ";

constexpr bool is_range_row(std::string_view kernel_name) {
  return kernel_name.substr(0, range_row_prefix.size()) == range_row_prefix;
}

}  // namespace ridgepoint
