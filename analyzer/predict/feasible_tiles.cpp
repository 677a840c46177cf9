#include "analyzer/predict/feasible_tiles.h"

#include <algorithm>
#include <tuple>

#include "analyzer/attention/flop.h"
#include "analyzer/attention/tile_walk.h"
#include "analyzer/occupancy/occupancy.h"
#include "analyzer/predict/bound.h"
#include "analyzer/predict/hopper_tile.h"
#include "analyzer/predict/predict.h"

namespace ridgepoint {
namespace {

constexpr std::size_t shown_a_variant = 6;

struct Candidate {
  KernelTileInfo tile;
  MatrixPath path = MatrixPath::mma_sync;
  std::int64_t registers = 0;          // a thread needs
  std::int64_t registers_allowed = 0;  // a thread may have
  std::int64_t registers_held = 0;     // that occupancy counts, a thread
};

// mma.sync at head dimension 256, a warp for 16 query rows: a thread holds 128 elements of O, half
// of Q in 32 registers, block_n / 2 elements of S and about 47 more: 96 keys take 255, 112 spill.
// One stage of K and V lies beside the other half of Q.
Candidate narrow_mma_candidate(std::int64_t block_m, std::int64_t block_n) {
  constexpr std::int64_t d = 256;
  constexpr std::int64_t stages = 1;
  Candidate c;
  c.tile = {
      "attention", block_m, block_n, d, stages, 2 * block_m, d * block_m + 2 * d * 2 * block_n};
  c.registers = d / 2 + d / 8 + block_n / 2 + 47;
  c.registers_allowed = 255;
  c.registers_held = std::min<std::int64_t>(c.registers, c.registers_allowed);
  return c;
}

// mma.sync, a warp for 32 query rows: a thread holds head_dim elements of O and block_n of S; Q
// and addresses take about head_dim / 2 + 12 more. The two kernels that exist need 235 at (64, 128)
// and 253 at (128, 48); 64 keys at head_dim 128 spill.
Candidate mma_candidate(std::int64_t d, std::int64_t block_m, std::int64_t block_n) {
  constexpr std::int64_t stages = 2;
  Candidate c;
  c.tile = {
      "attention", block_m, block_n, d, stages, block_m, 2 * d * (block_m + 2 * stages * block_n)};
  c.registers = d + block_n + d / 2 + 12;
  c.registers_allowed = 255;
  c.registers_held = std::min<std::int64_t>(c.registers, c.registers_allowed);
  return c;
}

// wgmma, a warpgroup for 64 query rows: O head_dim / 2, S block_n / 2, P block_n / 4 and about 28
// more (kernels/attention/hopper/choice.cuh: 96 keys with three warpgroups at head_dim 128 spill,
// 80 do not). setmaxnreg leaves a consumer 240 of two, 160 of three, 112 of four.
Candidate wgmma_candidate(std::int64_t d, std::int64_t consumers, std::int64_t block_n,
                          std::int64_t smem_limit) {
  const std::int64_t kv_stages = consumers == 4 ? 4 : 2;
  const std::int64_t block_m = 64 * consumers;
  Candidate c;
  c.path = MatrixPath::wgmma;
  const std::int64_t two_stages = hopper_smem_bytes(d, block_m, block_n, 2, kv_stages);
  const std::int64_t smem =
      two_stages <= smem_limit ? two_stages : hopper_smem_bytes(d, block_m, block_n, 1, kv_stages);
  c.tile = {"attention", block_m, block_n, d, kv_stages, 128 * (1 + consumers), smem};
  c.registers = d / 2 + block_n / 2 + block_n / 4 + 28;
  c.registers_allowed = consumers == 2 ? 240 : consumers == 3 ? 160 : 112;
  c.registers_held = consumers == 2 ? 168 : consumers == 3 ? 128 : 96;
  return c;
}

std::vector<Candidate> candidates(const KernelAnalysis& in_use, std::int64_t d,
                                  std::int64_t smem_limit) {
  std::vector<Candidate> all;
  const bool wgmma = in_use.variant == "hopper";
  for (std::int64_t block_n = 16; block_n <= 256; block_n += 16) {
    if (wgmma) {
      for (const std::int64_t consumers : {2, 3, 4}) {
        all.push_back(wgmma_candidate(d, consumers, block_n, smem_limit));
      }
    } else {
      for (const std::int64_t block_m : {64, 128, 192, 256}) {
        // At 256 V takes the place of half of Q; fewer keys would not fill it.
        if (d != 256) {
          all.push_back(mma_candidate(d, block_m, block_n));
        } else if (2 * block_n >= block_m) {
          all.push_back(narrow_mma_candidate(block_m, block_n));
        }
      }
    }
  }
  return all;
}

std::vector<TileOption> options_of(const KernelAnalysis& in_use, const AttentionShape& shape,
                                   const GpuDescription& gpu, const Analysis& analysis) {
  std::vector<TileOption> options;
  for (const Candidate& c : candidates(in_use, shape.head_dim, gpu.device.smem_per_block_bytes)) {
    const auto held = occupancy({c.tile.threads, c.registers_held, c.tile.smem_bytes}, gpu.device,
                                gpu.chip.allocation);
    if (c.registers > c.registers_allowed || c.tile.smem_bytes > gpu.device.smem_per_block_bytes ||
        !held || held->blocks_per_sm < 1) {
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
