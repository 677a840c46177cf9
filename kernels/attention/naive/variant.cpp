#include "kernels/attention/naive/variant.h"

#include <algorithm>

#include "kernels/attention/naive/arguments.h"
#include "kernels/attention/support.h"

namespace ridgepoint::kernels::naive {
namespace {

Instance instance_for(const AttentionProblem& p) {
  if (p.dtype == DataType::fp16) {
    return p.head_dim == 64 ? fp16_d64() : fp16_d128();
  }
  return p.head_dim == 64 ? bf16_d64() : bf16_d128();
}

std::int64_t query_tiles(const AttentionProblem& p) {
  return (std::int64_t{p.seqlen_q} + block_m - 1) / block_m;
}

std::int64_t matrix_bytes(const AttentionProblem& p) {
  return row_count(p) * row_stride(p.seqlen_k) * 2;
}

class NaiveVariant final : public AttentionVariant {
 public:
  std::string name() const override { return "naive"; }
  std::string description() const override {
    return "three kernels: S = Q K^T, P = softmax(S) and O = P V, with S and P written to HBM";
  }

  std::string unsupported_reason(const AttentionProblem& p, int compute_capability) const override {
    const std::string reason = instance_missing_reason(p, compute_capability);
    if (!reason.empty()) {
      return reason;
    }
    const std::int64_t heads = std::int64_t{p.batch} * p.heads;
    const std::int64_t block_n = instance_for(p).scores.block_n;
    const std::int64_t key_tiles = (row_stride(p.seqlen_k) + block_n - 1) / block_n;
    return grid_too_large_reason(
        std::max(row_count(p), query_tiles(p) * heads * std::max<std::int64_t>(key_tiles, 1)));
  }

  std::size_t workspace_bytes(const AttentionProblem& p) const override {
    return 2 * static_cast<std::size_t>(matrix_bytes(p));
  }

  std::vector<KernelTile> tiles(const AttentionProblem& p) const override {
    const Instance instance = instance_for(p);
    std::vector<KernelTile> tiles;
    if (p.seqlen_k > 0) {
      tiles.push_back(tile_of("scores", instance.scores));
    }
    tiles.push_back(tile_of("softmax", softmax_shape(p.seqlen_k)));
    tiles.push_back(tile_of("output", instance.output));
    return tiles;
  }

  cudaError_t run(const AttentionProblem& p, const AttentionTensors& tensors,
                  cudaStream_t stream) const override {
    if (row_count(p) == 0) {
      return cudaSuccess;
    }
    const Instance instance = instance_for(p);
    const Arguments arguments{forward_arguments(p, tensors),
                              tensors.workspace,
                              static_cast<char*>(tensors.workspace) + matrix_bytes(p),
                              static_cast<std::int32_t>(query_tiles(p)),
                              std::int64_t{p.batch} * p.heads,
                              row_stride(p.seqlen_k)};

    cudaError_t status = cudaSuccess;
    if (p.seqlen_k > 0) {
      status = instance.launch_scores(arguments, stream);
    }
    if (status == cudaSuccess) {
      status = p.dtype == DataType::fp16 ? launch_softmax_fp16(arguments, stream)
                                         : launch_softmax_bf16(arguments, stream);
    }
    return status == cudaSuccess ? instance.launch_output(arguments, stream) : status;
  }
};

}  // namespace

const AttentionVariant& variant() {
  static const NaiveVariant instance;
  return instance;
}

}  // namespace ridgepoint::kernels::naive
