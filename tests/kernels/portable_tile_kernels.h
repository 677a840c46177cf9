// One-warp kernels that exercise the portable PTX wrappers (kernels/attention/device/ptx.cuh).
#pragma once

#include <cuda_runtime_api.h>

#include <cstdint>

#include "kernels/attention/problem.h"

namespace ridgepoint::kernels::tile_test {

// d (16 x 16, float) = A (16 x 16) * B through shared memory: copy_async_16, ldmatrix and mma. B is
// [n][k], or with `transposed_b` [k][n]; A is [m][k], or with `transposed_a` [k][m]. Rows from
// `valid_rows` on of both do not exist and count as zeros.
cudaError_t run_mma(DataType type, const void* a, const void* b, bool transposed_a,
                    bool transposed_b, int valid_rows, float* d);

// out[i] = fast_exp2(in[i])
cudaError_t run_fast_exp2(const float* in, int count, float* out);

}  // namespace ridgepoint::kernels::tile_test
