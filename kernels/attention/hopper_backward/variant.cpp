#include "kernels/attention/hopper_backward/variant.h"

#include "kernels/attention/hopper_backward/launch.h"
#include "kernels/attention/hopper_backward/plan.h"
#include "kernels/attention/recompute/workspace.h"
#include "kernels/attention/support.h"

namespace ridgepoint::kernels::hopper_backward {
namespace {

Instance instance_for(const AttentionProblem& p) {
  if (p.dtype == DataType::fp16) {
    return p.head_dim == 64 ? fp16_d64() : fp16_d128();
  }
  return p.head_dim == 64 ? bf16_d64() : bf16_d128();
}

class HopperBackward final : public AttentionBackwardVariant {
 public:
  explicit HopperBackward(Additions additions) : additions_(additions) {}

  std::string name() const override { return in_order() ? "hopper_deterministic" : "hopper"; }
  std::string description() const override {
    return std::string("recomputation on TMA and WGMMA from O and the LSE alone; dQ added ") +
           (in_order() ? "in the order of the keys" : "as it comes");
  }
  bool deterministic() const override { return in_order(); }
  int products() const override { return 5; }

  std::string unsupported_reason(const AttentionProblem& p, int compute_capability) const override {
    const std::string reason = instance_missing_reason(p, compute_capability);
    if (!reason.empty()) {
      return reason;
    }
    // WGMMA exists in sm_90a only: later GPUs have other tensor-core instructions.
    if (compute_capability != 90) {
      return "needs compute capability 9.0 (WGMMA); this GPU has " +
             std::to_string(compute_capability / 10) + "." +
             std::to_string(compute_capability % 10);
    }
    const Instance instance = instance_for(p);
    const std::int64_t row_blocks =
        recompute::padded_rows(p, instance.main.block_m) / instance.rows.block_m;
    const std::int64_t key_blocks_of_all =
        std::int64_t{p.batch} * p.kv_heads * recompute::key_blocks(instance, p);
    return grid_too_large_reason(std::max(row_blocks, key_blocks_of_all));
  }

  std::size_t saved_bytes(const AttentionProblem&) const override { return 0; }
  std::size_t workspace_bytes(const AttentionProblem& p) const override {
    return static_cast<std::size_t>(
        recompute::workspace_layout(p, instance_for(p).main.block_m, in_order()).bytes);
  }

  std::vector<KernelTile> tiles(const AttentionProblem& p) const override {
    return recompute::tiles(instance_for(p), p);
  }

  cudaError_t run_save(const AttentionProblem&, const AttentionGradients&,
                       cudaStream_t) const override {
    return cudaSuccess;
  }
  cudaError_t run(const AttentionProblem& p, const AttentionGradients& tensors,
                  cudaStream_t stream) const override {
    return hopper_backward::launch(instance_for(p), p, tensors, additions_, stream);
  }

 private:
  bool in_order() const { return additions_ == Additions::in_order; }
  Additions additions_;
};

}  // namespace

const AttentionBackwardVariant& variant() {
  static const HopperBackward instance(Additions::as_they_come);
  return instance;
}

const AttentionBackwardVariant& deterministic_variant() {
  static const HopperBackward instance(Additions::in_order);
  return instance;
}

}  // namespace ridgepoint::kernels::hopper_backward
