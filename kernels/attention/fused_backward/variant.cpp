#include "kernels/attention/fused_backward/variant.h"

#include <algorithm>

#include "kernels/attention/fused_backward/arguments.h"
#include "kernels/attention/recompute/workspace.h"
#include "kernels/attention/support.h"

namespace ridgepoint::kernels::fused_backward {
namespace {

// Without a device: true, as on the GPUs of data centres.
bool device_can_hold(std::size_t smem_bytes) {
  int device = 0;
  int limit = 0;
  if (cudaGetDevice(&device) != cudaSuccess ||
      cudaDeviceGetAttribute(&limit, cudaDevAttrMaxSharedMemoryPerBlockOptin, device) !=
          cudaSuccess) {
    static_cast<void>(cudaGetLastError());  // it is no error of the caller's
    return true;
  }
  return static_cast<std::size_t>(limit) >= smem_bytes;
}

Instance instance_for(const AttentionProblem& p) {
  const bool fp16 = p.dtype == DataType::fp16;
  if (p.head_dim == 64) {
    return fp16 ? fp16_d64() : bf16_d64();
  }
  const Instance wide = fp16 ? fp16_d128_wide() : bf16_d128_wide();
  return device_can_hold(wide.main.smem_bytes) ? wide : fp16 ? fp16_d128() : bf16_d128();
}

class FusedBackward final : public AttentionBackwardVariant {
 public:
  std::string name() const override { return "fused"; }
  std::string description() const override {
    return "recomputation with mma.sync from O and the LSE alone (FlashAttention-2); dQ added as "
           "it "
           "comes";
  }
  bool deterministic() const override { return false; }
  int products() const override { return 5; }

  std::string unsupported_reason(const AttentionProblem& p, int compute_capability) const override {
    const std::string reason = instance_missing_reason(p, compute_capability);
    if (!reason.empty()) {
      return reason;
    }
    const Instance instance = instance_for(p);
    return grid_too_large_reason(
        std::max(recompute::padded_rows(p, block_m) / instance.rows.block_m,
                 std::int64_t{p.batch} * p.kv_heads * recompute::key_blocks(instance, p)));
  }

  std::size_t saved_bytes(const AttentionProblem&) const override { return 0; }
  std::size_t workspace_bytes(const AttentionProblem& p) const override {
    return static_cast<std::size_t>(recompute::workspace_layout(p, block_m, false).bytes);
  }

  std::vector<KernelTile> tiles(const AttentionProblem& p) const override {
    return recompute::tiles(instance_for(p), p);
  }

  cudaError_t run_save(const AttentionProblem&, const AttentionGradients&,
                       cudaStream_t) const override {
    return cudaSuccess;
  }
  cudaError_t run(const AttentionProblem& p, const AttentionGradients& t,
                  cudaStream_t stream) const override {
    const Instance instance = instance_for(p);
    Arguments a{};
    a.q = t.q;
    a.k = t.k;
    a.v = t.v;
    a.dq = t.dq;
    a.dk = t.dk;
    a.dv = t.dv;
    a.rows = recompute::row_terms(p, t, block_m, false);
    a.heads = p.heads;
    a.kv_heads = p.kv_heads;
    a.seqlen_q = p.seqlen_q;
    a.seqlen_k = p.seqlen_k;
    a.key_blocks = static_cast<std::int32_t>(recompute::key_blocks(instance, p));
    a.total_heads = p.batch * p.heads;
    a.total_kv_heads = p.batch * p.kv_heads;
    a.scale = resolved_softmax_scale(p);
    a.causal = p.causal;
    return recompute::launch(instance, p, a, stream);
  }
};

}  // namespace

const AttentionBackwardVariant& variant() {
  static const FusedBackward instance;
  return instance;
}

}  // namespace ridgepoint::kernels::fused_backward
