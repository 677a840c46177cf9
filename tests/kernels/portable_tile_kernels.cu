#include "tests/kernels/portable_tile_kernels.h"

#include "kernels/attention/device/exponential.cuh"
#include "kernels/attention/device/fragments.cuh"

namespace ridgepoint::kernels::tile_test {
namespace {

template <typename T, bool TransposedA, bool TransposedB>
__global__ void mma(const std::uint16_t* a, const std::uint16_t* b, int valid_rows, float* d) {
  using Tile = device::SharedTile<16, 64>;  // of which 16 columns are used
  __shared__ __align__(1024) unsigned char shared[2 * Tile::bytes];
  const std::uint32_t a_tile = device::shared_address(shared);
  const std::uint32_t b_tile = a_tile + Tile::bytes;
  const int lane = static_cast<int>(threadIdx.x);
  // Two chunks of 16 bytes a row.
  device::copy_async_16(a_tile + Tile::offset(lane / 2, lane % 2), a + lane * 8,
                        lane / 2 < valid_rows);
  device::copy_async_16(b_tile + Tile::offset(lane / 2, lane % 2), b + lane * 8,
                        lane / 2 < valid_rows);
  device::commit_copies();
  device::wait_copies<0>();
  __syncwarp();
  std::uint32_t a_operand[4];
  std::uint32_t b_operands[4];
  if constexpr (TransposedA) {
    device::load_matrices_transposed(a_operand,
                                     device::a_transposed_operand_address(a_tile, 0, lane));
  } else {
    device::load_matrices(a_operand, device::a_operand_address(a_tile, 0, lane));
  }
  if constexpr (TransposedB) {
    device::load_matrices_transposed(b_operands,
                                     device::b_transposed_operand_address(b_tile, 0, lane));
  } else {
    device::load_matrices(b_operands, device::b_operand_address(b_tile, 0, lane));
  }
  for (int half = 0; half < 2; ++half) {
    float sums[4] = {};
    device::multiply_accumulate<T>(sums, a_operand, half == 0 ? b_operands[0] : b_operands[2],
                                   half == 0 ? b_operands[1] : b_operands[3]);
    for (int i = 0; i < 4; ++i) {
      d[(lane / 4 + i / 2 * 8) * 16 + half * 8 + lane % 4 * 2 + i % 2] = sums[i];
    }
  }
}

__global__ void exp2_kernel(const float* in, int count, float* out) {
  for (int i = static_cast<int>(threadIdx.x); i < count; i += static_cast<int>(blockDim.x)) {
    out[i] = device::fast_exp2(in[i]);
  }
}

cudaError_t finish() {
  const cudaError_t launched = cudaGetLastError();
  return launched != cudaSuccess ? launched : cudaDeviceSynchronize();
}

template <typename T>
cudaError_t launch_mma(const void* a, const void* b, bool transposed_a, bool transposed_b,
                       int valid_rows, float* d) {
  const auto kernel = transposed_a ? (transposed_b ? mma<T, true, true> : mma<T, true, false>)
                                   : (transposed_b ? mma<T, false, true> : mma<T, false, false>);
  kernel<<<1, 32>>>(static_cast<const std::uint16_t*>(a), static_cast<const std::uint16_t*>(b),
                    valid_rows, d);
  return finish();
}

}  // namespace

cudaError_t run_mma(DataType type, const void* a, const void* b, bool transposed_a,
                    bool transposed_b, int valid_rows, float* d) {
  return type == DataType::fp16
             ? launch_mma<__half>(a, b, transposed_a, transposed_b, valid_rows, d)
             : launch_mma<__nv_bfloat16>(a, b, transposed_a, transposed_b, valid_rows, d);
}

cudaError_t run_fast_exp2(const float* in, int count, float* out) {
  exp2_kernel<<<1, 32>>>(in, count, out);
  return finish();
}

}  // namespace ridgepoint::kernels::tile_test
