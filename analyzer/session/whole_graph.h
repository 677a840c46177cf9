// A CUDA graph that was recorded as one stands among the kernels, under a name that begins so. Its
// launches have times, but no shape of their own: grid and block are 1.
#pragma once

#include <string_view>

namespace ridgepoint {

inline constexpr std::string_view whole_graph_name = "[CUDA graph";

}  // namespace ridgepoint
