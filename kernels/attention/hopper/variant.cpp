#include "kernels/attention/hopper/variant.h"

#include <limits>

#include "kernels/attention/hopper/arguments.h"
#include "kernels/attention/hopper/launch.h"
#include "kernels/attention/hopper/plan.h"
#include "kernels/attention/validate.h"
#include "kernels/runtime/processors.h"

namespace ridgepoint::kernels::hopper {
namespace {

bool has_instance(std::int32_t head_dim) {
  return head_dim == 64 || head_dim == 128 || head_dim == 256;
}

Instance instance_for(const AttentionProblem& p) {
  const bool wide = wide_tiles(p, processors());
  if (p.dtype == DataType::fp16) {
    switch (p.head_dim) {
      case 64:
        return p.causal ? fp16_d64_causal() : wide ? fp16_d64_wide() : fp16_d64();
      case 128:
        return p.causal ? fp16_d128_causal() : fp16_d128();
      default:
        return p.causal ? fp16_d256_causal() : fp16_d256();
    }
  }
  switch (p.head_dim) {
    case 64:
      return p.causal ? bf16_d64_causal() : wide ? bf16_d64_wide() : bf16_d64();
    case 128:
      return p.causal ? bf16_d128_causal() : bf16_d128();
    default:
      return p.causal ? bf16_d256_causal() : bf16_d256();
  }
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
             std::to_string(compute_capability / 10) + "." +
             std::to_string(compute_capability % 10);
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

  cudaError_t run(const AttentionProblem& p, const AttentionTensors& tensors,
                  cudaStream_t stream) const override {
    return hopper::launch(instance_for(p), p, tensors,
                          p.causal ? Schedule::counter : Schedule::in_turn, stream);
  }
};

}  // namespace

const AttentionVariant& variant() {
  static const HopperVariant instance;
  return instance;
}

}  // namespace ridgepoint::kernels::hopper
