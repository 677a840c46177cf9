// Compares tensors where they lie, on the device: for problems too large for the host's reference.
#pragma once

#include <cuda_runtime_api.h>

#include <cstdint>

#include "kernels/attention/problem.h"

namespace ridgepoint::kernels {

// Over all rows the greatest of: largest |actual - expected| of the row / (largest |expected| of
// the row + `floor`). Infinite where a NaN or an infinity stands in either. With `floor` 0, a row
// of equal zeros counts as 0. `rows` rows of `columns` elements each; device pointers; waits for
// the device.
cudaError_t largest_row_difference(DataType type, const void* expected, const void* actual,
                                   std::int64_t rows, int columns, float floor, float* result);

}  // namespace ridgepoint::kernels
