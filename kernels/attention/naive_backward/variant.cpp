#include "kernels/attention/naive_backward/variant.h"

#include <algorithm>

#include "kernels/attention/naive_backward/arguments.h"
#include "kernels/attention/support.h"

namespace ridgepoint::kernels::naive_backward {
namespace {

struct Instances {
  naive::Instance forward;
  Instance backward;
};

Instances instances_for(const AttentionProblem& p) {
  if (p.dtype == DataType::fp16) {
    return p.head_dim == 64 ? Instances{naive::fp16_d64(), fp16_d64()}
                            : Instances{naive::fp16_d128(), fp16_d128()};
  }
  return p.head_dim == 64 ? Instances{naive::bf16_d64(), bf16_d64()}
                          : Instances{naive::bf16_d128(), bf16_d128()};
}

std::int64_t query_tiles(const AttentionProblem& p) {
  return (std::int64_t{p.seqlen_q} + naive::block_m - 1) / naive::block_m;
}
std::int64_t key_blocks(const AttentionProblem& p) {
  return (std::int64_t{p.seqlen_k} + block_n - 1) / block_n;
}
// Of P, dP or dS.
std::int64_t matrix_bytes(const AttentionProblem& p) {
  return row_count(p) * naive::row_stride(p.seqlen_k) * 2;
}

naive::Arguments shape_of(const AttentionProblem& p) {
  return {forward_arguments(p, {}),
          nullptr,
          nullptr,
          static_cast<std::int32_t>(query_tiles(p)),
          std::int64_t{p.batch} * p.heads,
          naive::row_stride(p.seqlen_k)};
}

class NaiveBackward final : public AttentionBackwardVariant {
 public:
  std::string name() const override { return "naive"; }
  std::string description() const override {
    return "five kernels with P kept from the forward pass and dP and dS written to HBM";
  }
  bool deterministic() const override { return true; }
  int products() const override { return 4; }

  std::string unsupported_reason(const AttentionProblem& p, int compute_capability) const override {
    const std::string reason = instance_missing_reason(p, compute_capability);
    if (!reason.empty()) {
      return reason;
    }
    const std::int64_t block = instances_for(p).forward.scores.block_n;
    const std::int64_t score_tiles = (naive::row_stride(p.seqlen_k) + block - 1) / block;
    return grid_too_large_reason(std::max(
        {row_count(p), query_tiles(p) * p.batch * p.heads * std::max<std::int64_t>(score_tiles, 1),
         key_blocks(p) * p.batch * p.kv_heads}));
  }

  std::size_t saved_bytes(const AttentionProblem& p) const override {
    return static_cast<std::size_t>(matrix_bytes(p));
  }
  // dP and dS; S, while P is made, where dP will be.
  std::size_t workspace_bytes(const AttentionProblem& p) const override {
    return 2 * static_cast<std::size_t>(matrix_bytes(p));
  }

  std::vector<KernelTile> tiles(const AttentionProblem& p) const override {
    const Instances instances = instances_for(p);
    const bool products = p.seqlen_q > 0 && p.seqlen_k > 0;
    std::vector<KernelTile> tiles;
    if (products) {
      tiles.push_back(tile_of("d_scores", instances.forward.scores));
      tiles.push_back(tile_of("softmax_gradient", instances.backward.softmax_gradient));
    }
    if (p.seqlen_q > 0) {
      tiles.push_back(tile_of("query_gradient", instances.forward.output));
    }
    if (p.seqlen_k > 0) {
      tiles.push_back(tile_of("value_gradient", instances.backward.key_gradient));
      tiles.push_back(tile_of("key_gradient", instances.backward.key_gradient));
    }
    return tiles;
  }

  // P as the naive forward makes it.
  cudaError_t run_save(const AttentionProblem& p, const AttentionGradients& t,
                       cudaStream_t stream) const override {
    if (p.seqlen_q == 0 || p.seqlen_k == 0) {
      return cudaSuccess;
    }
    naive::Arguments a = shape_of(p);
    a.q = t.q;
    a.k = t.k;
    a.scores = t.workspace;
    a.probabilities = t.saved;
    const cudaError_t status = instances_for(p).forward.launch_scores(a, stream);
    if (status != cudaSuccess) {
      return status;
    }
    return p.dtype == DataType::fp16 ? naive::launch_softmax_fp16(a, stream)
                                     : naive::launch_softmax_bf16(a, stream);
  }

  cudaError_t run(const AttentionProblem& p, const AttentionGradients& t,
                  cudaStream_t stream) const override {
    const Instances instances = instances_for(p);
    const naive::Arguments shape = shape_of(p);
    void* const dp = t.workspace;
    void* const ds = static_cast<char*>(t.workspace) + matrix_bytes(p);
    cudaError_t status = cudaSuccess;
    if (p.seqlen_q > 0 && p.seqlen_k > 0) {
      naive::Arguments a = shape;  // dP = dO V^T
      a.q = t.d_o;
      a.k = t.v;
      a.scores = dp;
      a.scale = 1.0F;
      status = instances.forward.launch_scores(a, stream);
      if (status == cudaSuccess) {
        SoftmaxGradientArguments gradient{shape, ds};
        gradient.shape.scores = dp;
        gradient.shape.probabilities = t.saved;
        status = instances.backward.launch_softmax_gradient(gradient, stream);
      }
    }
    if (status == cudaSuccess && p.seqlen_q > 0) {
      naive::Arguments a = shape;  // dQ = dS K
      a.probabilities = ds;
      a.v = t.k;
      a.o = t.dq;
      status = instances.forward.launch_output(a, stream);
    }
    if (status == cudaSuccess && p.seqlen_k > 0) {
      const std::int64_t kv_heads = std::int64_t{p.batch} * p.kv_heads;
      const auto blocks = static_cast<std::int32_t>(key_blocks(p));
      status = instances.backward.launch_key_gradient({shape, t.saved, t.d_o, t.dv, blocks},
                                                      kv_heads, stream);
      if (status == cudaSuccess) {
        status = instances.backward.launch_key_gradient({shape, ds, t.q, t.dk, blocks}, kv_heads,
                                                        stream);
      }
    }
    return status;
  }
};

}  // namespace

const AttentionBackwardVariant& variant() {
  static const NaiveBackward instance;
  return instance;
}

}  // namespace ridgepoint::kernels::naive_backward
