// One-tile kernels that exercise the Hopper PTX wrappers alone.
#pragma once

#include <cuda_runtime_api.h>

#include <cstdint>

#include "kernels/attention/problem.h"

namespace ridgepoint::kernels::tile_test {

// How a product gets its operands. A is [64][k] or, transposed, [k][64]. B is [n][k] (K-major) or,
// transposed, [k][n].
enum class Operands {
  shared_k_major,
  shared_transposed_b,
  shared_transposed_both,
  registers_k_major,
  registers_transposed_b
};

struct ProductCase {
  Operands operands;
  DataType dtype;
  int n;
  int k;
};

// d (64 x n, float) = A * B, all device pointers. `b_rows` rows of B exist; the copy asks for a
// whole tile. cudaErrorNotSupported when no kernel of this shape was compiled.
cudaError_t run_product(const ProductCase& c, const void* a, const void* b, int b_rows, float* d);

// Copies the box of `box_rows` rows from `row` on, of head `head` of a [heads][rows][128] tensor,
// to shared memory, and the shared bytes as they lie (2 panels) to `out`.
cudaError_t run_load(const void* tensor, int heads, int rows, int head, int row, int box_rows,
                     void* out);

// Copies 64 rows (2 panels as they lie in shared memory) from `panels` to the tensor, from `row`
// on.
cudaError_t run_store(const void* panels, void* tensor, int heads, int rows, int head, int row);

}  // namespace ridgepoint::kernels::tile_test
