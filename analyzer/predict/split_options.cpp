#include "analyzer/predict/split_options.h"

#include "analyzer/predict/predict.h"

namespace ridgepoint {

SplitKvTile split_kv_tile(const AttentionShape& shape) {
  const double rows = packed_rows(shape);
  const std::int64_t most_rows = shape.head_dim <= 128 ? 128 : 64;
  SplitKvTile tile;
  tile.block_m = 16;  // M of mma.sync
  while (tile.block_m < most_rows && static_cast<double>(tile.block_m) < rows) {
    tile.block_m *= 2;
  }
  tile.block_n = shape.head_dim <= 64 ? 128 : shape.head_dim <= 128 ? 64 : 32;
  return tile;
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
  const std::int64_t best = best_split_kv(shape, tile, machine).splits;
  std::vector<SplitOption> options;
  for (const SplitKvEstimate& one : split_kv_options(shape, tile, machine)) {
    options.push_back(
        {one.splits, one.blocks, one.waves, one.partial_bytes, one.time_s, one.splits == best});
  }
  return options;
}

}  // namespace ridgepoint
