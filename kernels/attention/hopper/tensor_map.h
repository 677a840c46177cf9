// Describes a [heads][rows][head_dim] tensor of 16-bit elements to the copy engine.
#pragma once

#include <cuda.h>
#include <cuda_runtime_api.h>

#include <cstdint>

#include "kernels/attention/problem.h"

namespace ridgepoint::kernels::hopper {

struct TensorView {
  const void* data;  // 16-byte aligned
  DataType dtype;
  std::int64_t heads;
  std::int64_t rows;
  std::int32_t head_dim;
};

// Copies move boxes of `box_rows` rows by 64 columns in the 128-byte swizzle; rows past the end
// read as zeros and are not written. A tensor without rows gets a map that must not be used.
cudaError_t encode_tensor_map(CUtensorMap& map, const TensorView& view, int box_rows);

}  // namespace ridgepoint::kernels::hopper
