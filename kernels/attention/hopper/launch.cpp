#include "kernels/attention/hopper/launch.h"

#include <algorithm>

#include "kernels/attention/hopper/plan.h"
#include "kernels/attention/hopper/tensor_map.h"
#include "kernels/runtime/processors.h"

namespace ridgepoint::kernels::hopper {
namespace {

cudaError_t encode_maps(Arguments& a, const AttentionProblem& p, const AttentionTensors& t,
                        const TileShape& tile) {
  const std::int64_t query_heads = std::int64_t{p.batch} * p.heads;
  const std::int64_t kv_heads = std::int64_t{p.batch} * p.kv_heads;
  const TensorView q{t.q, p.dtype, query_heads, p.seqlen_q, p.head_dim};
  const TensorView k{t.k, p.dtype, kv_heads, p.seqlen_k, p.head_dim};
  const TensorView v{t.v, p.dtype, kv_heads, p.seqlen_k, p.head_dim};
  const TensorView o{t.o, p.dtype, query_heads, p.seqlen_q, p.head_dim};
  constexpr int warpgroup_rows = 64;
  cudaError_t status = encode_tensor_map(a.q, q, tile.block_m);
  if (status == cudaSuccess) {
    status = encode_tensor_map(a.k, k, tile.block_n);
  }
  if (status == cudaSuccess) {
    status = encode_tensor_map(a.v, v, tile.block_n);
  }
  if (status == cudaSuccess) {
    status = encode_tensor_map(a.o, o, warpgroup_rows);
  }
  return status;
}

}  // namespace

cudaError_t launch(const Instance& instance, const AttentionProblem& p,
                   const AttentionTensors& tensors, Schedule schedule, cudaStream_t stream) {
  if (row_count(p) == 0) {
    return cudaSuccess;
  }
  Arguments arguments{};
  cudaError_t status = encode_maps(arguments, p, tensors, instance.tile);
  if (status == cudaSuccess && schedule == Schedule::counter) {
    arguments.next_tile = static_cast<std::uint32_t*>(tensors.workspace);
    status = cudaMemsetAsync(arguments.next_tile, 0, sizeof(std::uint32_t), stream);
  }
  if (status != cudaSuccess) {
    return status;
  }
  arguments.lse = tensors.lse;
  arguments.heads = p.heads;
  arguments.kv_heads = p.kv_heads;
  arguments.seqlen_q = p.seqlen_q;
  arguments.seqlen_k = p.seqlen_k;
  arguments.query_tiles = static_cast<std::int32_t>(query_tiles(p, instance.tile));
  arguments.total_heads = p.batch * p.heads;
  arguments.section_heads = section_heads(p);
  arguments.tiles = static_cast<std::int32_t>(total_tiles(p, instance.tile));
  arguments.scale = resolved_softmax_scale(p);
  const auto blocks = static_cast<int>(std::min<std::int64_t>(processors(), arguments.tiles));
  return instance.launch(arguments, blocks, stream);
}

}  // namespace ridgepoint::kernels::hopper
