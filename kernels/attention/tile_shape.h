// The tile of one compiled kernel. Free of host-heavy headers.
#pragma once

#include <cstddef>
#include <cstdint>

namespace ridgepoint::kernels {

struct TileShape {
  std::int32_t block_m;    // query rows
  std::int32_t block_n;    // keys a step
  std::int32_t stages;     // buffers of the streamed operand
  std::int32_t threads;    // a thread block
  std::size_t smem_bytes;  // dynamic shared memory a thread block
};

}  // namespace ridgepoint::kernels
