// How many multiprocessors a launch can spread over.
#pragma once

#include <cstdint>

namespace ridgepoint::kernels {

// Those of the current device, which the choice of tiles and of parts follows. Without a device
// nothing can be launched, and plans are those for an H200's 132.
std::int64_t processors();

}  // namespace ridgepoint::kernels
