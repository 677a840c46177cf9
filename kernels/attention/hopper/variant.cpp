#include "kernels/attention/hopper/variant.h"

#include <algorithm>
#include <limits>

#include "kernels/attention/hopper/arguments.h"
#include "kernels/attention/hopper/plan.h"
#include "kernels/attention/hopper/tensor_map.h"
#include "kernels/attention/validate.h"

namespace ridgepoint::kernels::hopper {
namespace {

bool has_instance(std::int32_t head_dim) {
  return head_dim == 64 || head_dim == 128 || head_dim == 256;
}

Instance instance_for(const AttentionProblem& p) {
  if (p.dtype == DataType::fp16) {
    switch (p.head_dim) {
      case 64: return p.causal ? fp16_d64_causal() : fp16_d64();
      case 128: return p.causal ? fp16_d128_causal() : fp16_d128();
      default: return p.causal ? fp16_d256_causal() : fp16_d256();
    }
  }
  switch (p.head_dim) {
    case 64: return p.causal ? bf16_d64_causal() : bf16_d64();
    case 128: return p.causal ? bf16_d128_causal() : bf16_d128();
    default: return p.causal ? bf16_d256_causal() : bf16_d256();
  }
}

cudaError_t multiprocessors(int& count) {
  int device = 0;
  const cudaError_t status = cudaGetDevice(&device);
  return status != cudaSuccess
             ? status
             : cudaDeviceGetAttribute(&count, cudaDevAttrMultiProcessorCount, device);
}

cudaError_t encode_maps(Arguments& a, const AttentionProblem& p, const AttentionTensors& t,
                        const TileShape& tile) {
  const std::int64_t query_heads = std::int64_t{p.batch} * p.heads;
  const std::int64_t kv_heads = std::int64_t{p.batch} * p.kv_heads;
  constexpr int warpgroup_rows = 64;
  cudaError_t status =
      encode_tensor_map(a.q, {t.q, p.dtype, query_heads, p.seqlen_q, p.head_dim}, tile.block_m);
  if (status == cudaSuccess) {
    status = encode_tensor_map(a.k, {t.k, p.dtype, kv_heads, p.seqlen_k, p.head_dim}, tile.block_n);
  }
  if (status == cudaSuccess) {
    status = encode_tensor_map(a.v, {t.v, p.dtype, kv_heads, p.seqlen_k, p.head_dim}, tile.block_n);
  }
  if (status == cudaSuccess) {
    status =
        encode_tensor_map(a.o, {t.o, p.dtype, query_heads, p.seqlen_q, p.head_dim}, warpgroup_rows);
  }
  return status;
}

class HopperVariant final : public AttentionVariant {
 public:
  std::string name() const override { return "hopper"; }
  std::string description() const override {
    return "one warp-specialised kernel for Hopper: TMA loads, WGMMA, softmax overlapped with the "
           "products (FlashAttention-3)";
  }

  std::string unsupported_reason(const AttentionProblem& p, int compute_capability) const override {
    std::string reason = invalid_reason(p);
    if (!reason.empty()) {
      return reason;
    }
    // WGMMA exists in sm_90a only: later GPUs have other tensor-core instructions.
    if (compute_capability != 90) {
      return "needs compute capability 9.0 (WGMMA); this GPU has " +
             std::to_string(compute_capability / 10) + "." + std::to_string(compute_capability % 10);
    }
    if (!has_instance(p.head_dim)) {
      return "head_dim must be 64, 128 or 256, not " + std::to_string(p.head_dim);
    }
    const std::int64_t tiles = total_tiles(p, instance_for(p).tile);
    // Tile numbers, with one draw past the end for every thread block, are 32-bit.
    if (tiles > std::numeric_limits<std::int32_t>::max() / 2) {
      return "needs " + std::to_string(tiles) + " query tiles, more than the kernel can number";
    }
    return {};
  }

  std::size_t workspace_bytes(const AttentionProblem& p) const override {
    return p.causal ? sizeof(std::uint32_t) : 0;
  }

  std::vector<KernelTile> tiles(const AttentionProblem& p) const override {
    const TileShape tile = instance_for(p).tile;
    return {{"attention", tile.block_m, tile.block_n, p.head_dim, tile.stages, tile.threads,
             tile.smem_bytes}};
  }

  cudaError_t launch(const AttentionProblem& p, const AttentionTensors& tensors,
                     cudaStream_t stream) const override {
    if (row_count(p) == 0) {
      return cudaSuccess;
    }
    const Instance instance = instance_for(p);
    Arguments arguments{};
    cudaError_t status = encode_maps(arguments, p, tensors, instance.tile);
    if (status != cudaSuccess) {
      return status;
    }
    int processors = 0;
    status = multiprocessors(processors);
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
    if (p.causal) {
      arguments.next_tile = static_cast<std::uint32_t*>(tensors.workspace);
      status = cudaMemsetAsync(arguments.next_tile, 0, sizeof(std::uint32_t), stream);
      if (status != cudaSuccess) {
        return status;
      }
    }
    return instance.launch(arguments, std::min(processors, arguments.tiles), stream);
  }
};

}  // namespace

const AttentionVariant& variant() {
  static const HopperVariant instance;
  return instance;
}

}  // namespace ridgepoint::kernels::hopper
