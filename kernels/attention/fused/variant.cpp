#include "kernels/attention/fused/variant.h"

#include "kernels/attention/fused/arguments.h"
#include "kernels/attention/support.h"

namespace ridgepoint::kernels::fused {
namespace {

Instance instance_for(const AttentionProblem& p) {
  const bool fp16 = p.dtype == DataType::fp16;
  switch (p.head_dim) {
    case 64:
      return fp16 ? fp16_d64() : bf16_d64();
    case 128:
      return fp16 ? fp16_d128() : bf16_d128();
    default:
      return fp16 ? fp16_d256() : bf16_d256();
  }
}

std::int64_t query_tiles(const AttentionProblem& p, const TileShape& tile) {
  return (std::int64_t{p.seqlen_q} + tile.block_m - 1) / tile.block_m;
}

class FusedVariant final : public AttentionVariant {
 public:
  std::string name() const override { return "fused"; }
  std::string description() const override {
    return "one kernel: tiles with an online softmax, S and P stay on chip (FlashAttention-2)";
  }

  std::string unsupported_reason(const AttentionProblem& p, int compute_capability) const override {
    const std::string reason = instance_missing_reason(p, compute_capability, {64, 128, 256});
    if (!reason.empty()) {
      return reason;
    }
    return grid_too_large_reason(query_tiles(p, instance_for(p).tile) * p.batch * p.heads);
  }

  std::size_t workspace_bytes(const AttentionProblem&) const override { return 0; }

  std::vector<KernelTile> tiles(const AttentionProblem& p) const override {
    return {tile_of("attention", instance_for(p).tile, p.head_dim)};
  }

  cudaError_t run(const AttentionProblem& p, const AttentionTensors& tensors,
                  cudaStream_t stream) const override {
    if (row_count(p) == 0) {
      return cudaSuccess;
    }
    const Instance instance = instance_for(p);
    const std::int64_t tiles = query_tiles(p, instance.tile);
    const Arguments arguments{forward_arguments(p, tensors), static_cast<std::int32_t>(tiles)};
    return instance.launch(arguments, tiles * p.batch * p.heads, stream);
  }
};

}  // namespace

const AttentionVariant& variant() {
  static const FusedVariant instance;
  return instance;
}

}  // namespace ridgepoint::kernels::fused
