#include "kernels/attention/hopper/tensor_map.h"

#include <cudaTypedefs.h>

#include <array>

namespace ridgepoint::kernels::hopper {
namespace {

// The driver's entry point, fetched at run time: nothing here links libcuda, so that programs start
// without a driver.
cudaError_t encode_function(PFN_cuTensorMapEncodeTiled_v12000& function) {
  void* symbol = nullptr;
  cudaDriverEntryPointQueryResult found = cudaDriverEntryPointSymbolNotFound;
  const cudaError_t status = cudaGetDriverEntryPointByVersion("cuTensorMapEncodeTiled", &symbol,
                                                              12000, cudaEnableDefault, &found);
  if (status != cudaSuccess) {
    return status;
  }
  if (found != cudaDriverEntryPointSuccess || symbol == nullptr) {
    return cudaErrorInsufficientDriver;
  }
  function = reinterpret_cast<PFN_cuTensorMapEncodeTiled_v12000>(symbol);
  return cudaSuccess;
}

}  // namespace

cudaError_t encode_tensor_map(CUtensorMap& map, const TensorView& view, int box_rows) {
  map = {};
  if (view.rows == 0) {
    return cudaSuccess;
  }
  PFN_cuTensorMapEncodeTiled_v12000 encode = nullptr;
  const cudaError_t status = encode_function(encode);
  if (status != cudaSuccess) {
    return status;
  }
  constexpr cuuint64_t element_bytes = 2;
  constexpr cuuint32_t box_columns = 64;  // 128 bytes: the width of the swizzle
  const cuuint64_t row_bytes = static_cast<cuuint64_t>(view.head_dim) * element_bytes;
  const std::array<cuuint64_t, 3> size = {static_cast<cuuint64_t>(view.head_dim),
                                          static_cast<cuuint64_t>(view.rows),
                                          static_cast<cuuint64_t>(view.heads)};
  const std::array<cuuint64_t, 2> stride_bytes = {row_bytes, row_bytes * size[1]};
  const std::array<cuuint32_t, 3> box = {box_columns, static_cast<cuuint32_t>(box_rows), 1};
  const std::array<cuuint32_t, 3> element_stride = {1, 1, 1};
  const CUresult result =
      encode(&map,
             view.dtype == DataType::fp16 ? CU_TENSOR_MAP_DATA_TYPE_FLOAT16
                                          : CU_TENSOR_MAP_DATA_TYPE_BFLOAT16,
             3, const_cast<void*>(view.data), size.data(), stride_bytes.data(), box.data(),
             element_stride.data(), CU_TENSOR_MAP_INTERLEAVE_NONE, CU_TENSOR_MAP_SWIZZLE_128B,
             CU_TENSOR_MAP_L2_PROMOTION_L2_256B, CU_TENSOR_MAP_FLOAT_OOB_FILL_NONE);
  return result == CUDA_SUCCESS ? cudaSuccess : cudaErrorInvalidValue;
}

}  // namespace ridgepoint::kernels::hopper
