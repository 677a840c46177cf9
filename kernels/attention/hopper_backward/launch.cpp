#include "kernels/attention/hopper_backward/launch.h"

#include "kernels/attention/hopper/tensor_map.h"
#include "kernels/attention/hopper_backward/plan.h"
#include "kernels/attention/recompute/workspace.h"
#include "kernels/runtime/processors.h"

namespace ridgepoint::kernels::hopper_backward {
namespace {

cudaError_t encode_maps(Arguments& a, const AttentionProblem& p, const AttentionGradients& t,
                        const TileShape& main) {
  constexpr int warpgroup_rows = 64;
  struct Map {
    CUtensorMap* map;
    const void* data;
    std::int32_t heads;
    std::int32_t rows;
    int box_rows;
  };
  const Map maps[] = {{&a.q, t.q, p.heads, p.seqlen_q, main.block_m},
                      {&a.d_o, t.d_o, p.heads, p.seqlen_q, main.block_m},
                      {&a.k, t.k, p.kv_heads, p.seqlen_k, main.block_n},
                      {&a.v, t.v, p.kv_heads, p.seqlen_k, main.block_n},
                      {&a.dk, t.dk, p.kv_heads, p.seqlen_k, warpgroup_rows},
                      {&a.dv, t.dv, p.kv_heads, p.seqlen_k, warpgroup_rows}};
  for (const Map& map : maps) {
    const hopper::TensorView view{map.data, p.dtype, std::int64_t{p.batch} * map.heads, map.rows,
                                  p.head_dim};
    const cudaError_t status = hopper::encode_tensor_map(*map.map, view, map.box_rows);
    if (status != cudaSuccess) {
      return status;
    }
  }
  return cudaSuccess;
}

}  // namespace

cudaError_t launch(const Instance& instance, const AttentionProblem& p, const AttentionGradients& t,
                   Additions additions, cudaStream_t stream) {
  Arguments a{};
  cudaError_t status = encode_maps(a, p, t, instance.main);
  if (status != cudaSuccess) {
    return status;
  }
  const bool in_order = additions == Additions::in_order;
  a.rows = recompute::row_terms(p, t, instance.main.block_m, in_order);
  a.query_tiles = a.rows.query_tiles;
  a.dq = t.dq;
  a.heads = p.heads;
  a.kv_heads = p.kv_heads;
  a.seqlen_q = p.seqlen_q;
  a.seqlen_k = p.seqlen_k;
  a.key_blocks = static_cast<std::int32_t>(recompute::key_blocks(instance, p));
  a.total_heads = p.batch * p.heads;
  a.total_kv_heads = p.batch * p.kv_heads;
  a.section_kv_heads = section_kv_heads(p, a.key_blocks, processors(), in_order);
  a.scale = resolved_softmax_scale(p);
  a.causal = p.causal;
  return recompute::launch(instance, p, a, stream);
}

}  // namespace ridgepoint::kernels::hopper_backward
