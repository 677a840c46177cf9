#include "analyzer/predict/split_options.h"

#include "analyzer/predict/predict.h"

namespace ridgepoint {

SplitKvTile split_kv_tile(const AttentionShape& shape) {
  constexpr std::int64_t few_rows = 16;  // M of mma.sync
  constexpr std::int64_t many_rows = 64;
  constexpr std::int64_t stage_elements = 8192;  // of K, and of V
  return {packed_rows(shape) <= few_rows ? few_rows : many_rows, stage_elements / shape.head_dim};
}

SplitKvMachine split_kv_machine(const AttentionShape& shape, const GpuDescription& gpu) {
  SplitKvMachine machine;
  machine.sm_count = gpu.device.sm_count;
  for (const Ceiling& ceiling : ceilings_of(gpu)) {
    if (ceiling.id == "hbm") {
      machine.hbm_bytes_per_s = ceiling.theoretical.value_or(0);
    } else if (ceiling.id == "tensor_" + shape.dtype) {
      machine.flop_per_s = ceiling.theoretical.value_or(0);
    }
  }
  return machine;
}

std::vector<SplitOption> split_options(const AttentionShape& shape, const GpuDescription& gpu) {
  const SplitKvTile tile = split_kv_tile(shape);
  const SplitKvMachine machine = split_kv_machine(shape, gpu);
  const std::int64_t best = kernel_parts(shape, tile, machine.sm_count);
  std::vector<SplitOption> options;
  for (const SplitKvEstimate& one : split_kv_options(shape, tile, machine)) {
    options.push_back(
        {one.splits, one.blocks, one.waves, one.partial_bytes, one.time_s, one.splits == best});
  }
  return options;
}

}  // namespace ridgepoint
