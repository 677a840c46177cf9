#include "analyzer/predict/feasible_tiles.h"

#include <algorithm>
#include <tuple>

#include "analyzer/attention/flop.h"
#include "analyzer/attention/tile_walk.h"
#include "analyzer/occupancy/occupancy.h"
#include "analyzer/predict/bound.h"
#include "analyzer/predict/predict.h"
#include "analyzer/predict/tile_candidates.h"

namespace ridgepoint {
namespace {

constexpr std::size_t shown_a_variant = 6;

std::vector<TileOption> options_of(const KernelAnalysis& in_use, const AttentionShape& shape,
                                   const GpuDescription& gpu, const Analysis& analysis) {
  std::vector<TileOption> options;
  const MatrixPath path = in_use.variant == "hopper" ? MatrixPath::wgmma : MatrixPath::mma_sync;
  const std::int64_t smem_limit = gpu.device.smem_per_block_bytes;
  for (const TileCandidate& c : tile_candidates(path, shape, smem_limit)) {
    const auto held = occupancy({c.tile.threads, c.registers_held, c.tile.smem_bytes}, gpu.device,
                                gpu.chip.allocation);
    if (!c.fits(smem_limit) || !held || held->blocks_per_sm < 1) {
      continue;
    }
    const PlannedKernel kernel{c.tile, held->blocks_per_sm, c.path, 0};
    const auto io = predict_kernel_io(shape, kernel, io_machine(gpu));
    if (!io) {
      continue;
    }
    // A block a query tile; the persistent kernels start no more than there are tiles.
    const double tiles =
        static_cast<double>(shape.batch * shape.heads) * tiles_over(shape.seqlen_q, c.tile.block_m);
    const TimeBound bound = time_bound(*io, attention_flop(shape), in_use.flop.precision,
                                       analysis.ceilings, busy_share(tiles, gpu.device));
    TileOption option;
    option.variant = in_use.variant;
    option.tile = c.tile;
    option.registers_per_thread = c.registers;
    option.blocks_per_sm = held->blocks_per_sm;
    option.occupancy = held->share;
    option.traffic_bytes = {{io->hbm.total(), io->l2.total(), io->smem.total()}};
    option.time_bound_s = bound.time_s;
    option.bound_by = bound.by;
    // The kernel that exists has this tile when its block takes the same memory and threads.
    option.in_use = c.tile.smem_bytes == in_use.smem_per_block_bytes &&
                    static_cast<std::uint64_t>(c.tile.threads) == count(in_use.block);
    options.push_back(std::move(option));
  }
  std::stable_sort(options.begin(), options.end(), [](const TileOption& a, const TileOption& b) {
    const auto rank = [](const TileOption& o) {
      return std::make_tuple(o.time_bound_s, o.traffic_bytes[MemoryLevel::l2],
                             o.traffic_bytes[MemoryLevel::smem]);
    };
    return rank(a) < rank(b);
  });
  std::size_t position = 0;
  options.erase(std::remove_if(options.begin(), options.end(),
                               [&](const TileOption& option) {
                                 return position++ >= shown_a_variant && !option.in_use;
                               }),
                options.end());
  return options;
}

}  // namespace

std::vector<TileOption> feasible_tiles(const AttentionShape& shape, const GpuDescription& gpu,
                                       const Analysis& analysis) {
  std::vector<TileOption> all;
  for (const KernelAnalysis& kernel : analysis.kernels) {
    if (kernel.role == "attention") {
      for (TileOption& option : options_of(kernel, shape, gpu, analysis)) {
        all.push_back(std::move(option));
      }
    }
  }
  return all;
}

}  // namespace ridgepoint
