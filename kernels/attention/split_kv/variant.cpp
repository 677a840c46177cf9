#include "kernels/attention/split_kv/variant.h"

#include "kernels/attention/split_kv/arguments.h"
#include "kernels/attention/split_kv/parts.h"
#include "kernels/attention/support.h"
#include "kernels/runtime/processors.h"

namespace ridgepoint::kernels::split_kv {
namespace {

Instances instances_for(const AttentionProblem& p) {
  if (p.dtype == DataType::fp16) {
    return p.head_dim == 64 ? fp16_d64() : fp16_d128();
  }
  return p.head_dim == 64 ? bf16_d64() : bf16_d128();
}

Instance instance_for(const AttentionProblem& p) {
  const Instances instances = instances_for(p);
  return packed_rows(p) <= instances.few_rows.tile.block_m ? instances.few_rows
                                                           : instances.many_rows;
}

std::int64_t parts_of(const AttentionProblem& p, const TileShape& tile) {
  return parts_for(p, tile.block_m, tile.block_n, processors());
}

// Thread blocks of one part.
std::int64_t tiles_of(const AttentionProblem& p, const TileShape& tile) {
  return std::int64_t{p.batch} * p.kv_heads * row_tiles(p, tile.block_m);
}

std::int64_t partial_o_elements(const AttentionProblem& p, std::int64_t parts) {
  return parts * row_count(p) * p.head_dim;
}

class SplitKvVariant final : public AttentionVariant {
 public:
  std::string name() const override { return "split_kv"; }
  std::string description() const override {
    return "split-KV for few queries: the keys of each tile of packed query heads shared out among "
           "thread blocks, and combined by a second kernel (Flash-Decoding)";
  }

  std::string unsupported_reason(const AttentionProblem& p, int compute_capability) const override {
    const std::string reason = instance_missing_reason(p, compute_capability);
    if (!reason.empty()) {
      return reason;
    }
    if (packed_rows(p) > max_grid_blocks / 2) {
      return "needs more packed query rows than the kernel can number";
    }
    const TileShape tile = instance_for(p).tile;
    const std::string too_large = grid_too_large_reason(tiles_of(p, tile) * parts_of(p, tile));
    return too_large.empty() ? grid_too_large_reason(row_count(p) / combine_rows + 1) : too_large;
  }

  // Above four fifths of the multiprocessors a split only evens out the last wave
  // (FlashAttention's split heuristic).
  bool by_default(const AttentionProblem& p) const override {
    const TileShape tile = instance_for(p).tile;
    return parts_of(p, tile) > 1 && 5 * tiles_of(p, tile) < 4 * processors();
  }

  std::size_t workspace_bytes(const AttentionProblem& p) const override {
    const std::int64_t parts = parts_of(p, instance_for(p).tile);
    return parts == 1 ? 0
                      : sizeof(float) * static_cast<std::size_t>(partial_o_elements(p, parts)) +
                            sizeof(PartialSum) * static_cast<std::size_t>(parts * row_count(p));
  }

  std::vector<KernelTile> tiles(const AttentionProblem& p) const override {
    const TileShape tile = instance_for(p).tile;
    std::vector<KernelTile> all = {tile_of("split_attention", tile, p.head_dim)};
    if (parts_of(p, tile) > 1) {
      all.push_back({"combine", combine_rows, 0, 0, 1, combine_threads, 0});
    }
    return all;
  }

  cudaError_t run(const AttentionProblem& p, const AttentionTensors& tensors,
                  cudaStream_t stream) const override {
    if (row_count(p) == 0) {
      return cudaSuccess;
    }
    const Instance instance = instance_for(p);
    const std::int64_t parts = parts_of(p, instance.tile);
    Arguments arguments{forward_arguments(p, tensors), nullptr, nullptr, 0, 0, 0, 0};
    arguments.partial_o = static_cast<float*>(tensors.workspace);
    arguments.partials =
        parts == 1
            ? nullptr
            : reinterpret_cast<PartialSum*>(arguments.partial_o + partial_o_elements(p, parts));
    arguments.rows = row_count(p);
    arguments.group = static_cast<std::int32_t>(group_of(p));
    arguments.row_tiles = static_cast<std::int32_t>(row_tiles(p, instance.tile.block_m));
    arguments.parts = static_cast<std::int32_t>(parts);
    const cudaError_t status =
        instance.attend(arguments, tiles_of(p, instance.tile) * parts, stream);
    return status == cudaSuccess && parts > 1 ? instance.combine(arguments, stream) : status;
  }
};

}  // namespace

const AttentionVariant& variant() {
  static const SplitKvVariant instance;
  return instance;
}

}  // namespace ridgepoint::kernels::split_kv
