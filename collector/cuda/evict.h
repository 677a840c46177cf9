// Brings the L2 cache into a stated state before a measurement.
#pragma once

#include <cuda_runtime_api.h>

#include <cstddef>

namespace ridgepoint::collector {

// Reads `bytes` of `buffer` once, so that the cache holds clean lines of it and nothing else when
// the buffer is larger than the cache. A memset would leave dirty lines, whose later write-back
// would be charged to the measured kernel. `sink` is 4 bytes of device memory.
cudaError_t evict_by_reading(const void* buffer, std::size_t bytes, unsigned* sink,
                             cudaStream_t stream);

}  // namespace ridgepoint::collector
