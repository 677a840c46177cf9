// Which tile: of those that fit the SM, the one that the IO and occupancy model expects most of. As
// against the tile in use,
//   - a kernel bound by latency takes time in proportion to 1 / resident warps (Little's law),
//   - fewer warps cost any kernel as much,
//   - one bound by L2 or shared memory takes time in proportion to its bytes there by the IO model,
//   - fewer keys a tile cost any kernel more steps, each with its rescaling of the output,
//   - any takes whole rounds of tiles: ceil(tiles / slots) where tiles / slots would do,
// and none is faster than its other roofs, with the bytes of the new tile, allow.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <tuple>

#include "analyzer/attention/io_machine.h"
#include "analyzer/attention/tile_walk.h"
#include "analyzer/core/text.h"
#include "analyzer/occupancy/occupancy.h"
#include "analyzer/predict/tile_candidates.h"
#include "analyzer/roofline/placement.h"
#include "analyzer/rules/rule.h"

namespace ridgepoint {
namespace {

constexpr double noticeable = 0.05;
// Nothing was measured below: what a step costs beside its products is then a guess.
constexpr std::int64_t fewest_keys = 32;
// Four consumers of a wgmma kernel, which leaves each 112 registers, had 0.96 to 1.00 of the rate
// of three at 512 and 1,024 queries, and gain where one tile then holds them all
// (docs/hopper-attention.md).
constexpr std::int64_t wide_wgmma_rows = 256;

bool too_wide(MatrixPath path, const AttentionShape& shape, const KernelTileInfo& tile) {
  return path == MatrixPath::wgmma && tile.block_m >= wide_wgmma_rows &&
         shape.seqlen_q > tile.block_m;
}

struct Tile {
  KernelTileInfo tile;
  std::int64_t registers = 0;
  std::int64_t blocks_per_sm = 0;
  double occupancy = 0;
  double rounds = 0;   // of tiles over the slots of the device
  double padding = 1;  // rows of all tiles / query rows
  KernelIo io;
  double time = 1;  // as a share of the present time
};

bool plausible(const AttentionShape& s, const KernelTileInfo& tile) {
  constexpr std::int64_t longest = std::int64_t{1} << 30;
  constexpr std::int64_t largest_tile = 1 << 12;  // fewer queries than a tile: split-KV, not this
  for (const std::int64_t extent : {s.batch, s.heads, s.kv_heads, s.seqlen_q, s.seqlen_k}) {
    if (extent < 1 || extent > longest) {
      return false;
    }
  }
  const bool built = s.head_dim == 64 || s.head_dim == 128 || s.head_dim == 256;
  return built && tile.block_m > 0 && tile.block_m <= std::min(largest_tile, s.seqlen_q) &&
         tile.block_n > 0 && tile.block_n <= largest_tile && tile.stages > 0 &&
         tile.stages < largest_tile;
}

std::optional<Tile> modelled(const AttentionShape& shape, const PlannedKernel& kernel,
                             double occupancy, const IoMachine& machine) {
  const auto io = predict_kernel_io(shape, kernel, machine);
  const double tiles = query_heads(shape) * tiles_over(shape.seqlen_q, kernel.tile.block_m);
  const double slots = static_cast<double>(machine.sm_count * kernel.blocks_per_sm);
  if (!io || slots <= 0 || tiles < slots) {
    return std::nullopt;  // an unfilled device is another matter: split_kv_for_small_grids
  }
  const double rows = query_heads(shape) * static_cast<double>(shape.seqlen_q);
  const double padding = tiles * static_cast<double>(kernel.tile.block_m) / rows;
  return Tile{kernel.tile, 0, kernel.blocks_per_sm, occupancy, tiles / slots, padding, *io};
}

// What idle slots of the last round and rows beyond the last query add. A causal walk's tiles
// differ in length, so that rounds say nothing of it.
double rounding(const Tile& tile, const AttentionShape& shape) {
  return shape.causal ? tile.padding : tile.padding * std::ceil(tile.rounds) / tile.rounds;
}

// What a step over one tile of keys costs beside its products (maxima, rescaling of the output,
// barriers), added to them, as a multiple of the products alone. With half of the keys a step the
// rate was 0.84 to 0.91 at head dimension 64 (64 for 128 keys, docs/hopper-attention.md) and 0.92
// to 0.93 at 256 (32 for 64 keys, docs/portable-attention.md): 1500 / head dimension keys' worth of
// products a step gives 0.87 and 0.92.
double with_steps(const Tile& tile, const AttentionShape& shape) {
  constexpr double key_dimensions_a_step = 1500;
  return 1 + key_dimensions_a_step / static_cast<double>(shape.head_dim * tile.tile.block_n);
}

// More keys a step are given no credit: 144 to 176 instead of 128 had 0.90 to 1.01 of the rate
// (docs/hopper-attention.md).
double more_steps(const AttentionShape& shape, const Tile& now, const Tile& then) {
  return std::max(1.0, with_steps(then, shape) / with_steps(now, shape));
}

double time_with(const KernelAnalysis& kernel, const AttentionShape& shape, const Tile& now,
                 const Tile& then) {
  const PerLevel<double> ratio = {{then.io.hbm.total() / now.io.hbm.total(),
                                   then.io.l2.total() / now.io.l2.total(),
                                   then.io.smem.total() / now.io.smem.total()}};
  // Fewer warps overlap less, whatever binds: the Hopper kernel with two consumers instead of three
  // at head dimension 64, 3/4 of the warps, has 0.76 to 0.83 of the rate
  // (docs/hopper-attention.md).
  const double warps = now.occupancy / then.occupancy;
  double base = std::max(1.0, warps);
  if (kernel.bound_by == BoundBy::latency) {
    base = warps;
  } else if (kernel.bound_by == BoundBy::l2) {
    base *= ratio[MemoryLevel::l2];
  } else if (kernel.bound_by == BoundBy::smem) {
    base *= ratio[MemoryLevel::smem];
  }
  double time = base * more_steps(shape, now, then) * rounding(then, shape) / rounding(now, shape);
  for (const MemoryLevel level : memory_levels) {
    time = std::max(time, kernel.utilisation[level].value_or(0) * ratio[level]);
  }
  return std::max({time, arithmetic_utilisation(kernel).value_or(0),
                   share_of_time(kernel, "issue_active_share").value_or(0)});
}

std::optional<Tile> best_tile(const KernelAnalysis& kernel, const AttentionShape& shape,
                              const Tile& now, MatrixPath path, const DeviceInfo& device,
                              const ChipModel& chip) {
  std::optional<Tile> best;
  const std::int64_t smem_limit = device.smem_per_block_bytes;
  for (const TileCandidate& c : tile_candidates(path, shape, smem_limit)) {
    const bool same = c.tile.block_m == now.tile.block_m && c.tile.block_n == now.tile.block_n;
    const auto held =
        occupancy({c.tile.threads, c.registers_held, c.tile.smem_bytes}, device, chip.allocation);
    if (same || too_wide(path, shape, c.tile) || c.tile.block_n < fewest_keys ||
        c.tile.block_m > shape.seqlen_q || !c.fits(smem_limit) || !held ||
        held->blocks_per_sm < 1) {
      continue;
    }
    auto then = modelled(shape, {c.tile, held->blocks_per_sm, path, 0}, held->share,
                         io_machine(device, &chip));
    if (!then) {
      continue;
    }
    then->registers = c.registers;
    then->time = time_with(kernel, shape, now, *then);
    // Among equals the fewest bytes, then the key tile that differs least.
    const auto rank = [&](const Tile& tile) {
      return std::make_tuple(std::round(tile.time * 1e9), tile.io.l2.total(),
                             std::abs(tile.tile.block_n - now.tile.block_n));
    };
    if (!best || rank(*then) < rank(*best)) {
      best = std::move(*then);
    }
  }
  return best;
}

std::string why(const KernelAnalysis& kernel, const AttentionShape& shape, const Tile& now,
                const Tile& then) {
  std::string text;
  const auto add = [&](const std::string& part) { text += (text.empty() ? "" : "; ") + part; };
  if (kernel.bound_by == BoundBy::latency && then.occupancy > now.occupancy) {
    add(fmt::format("{} of the warps an SM holds instead of {}", percent(then.occupancy),
                    percent(now.occupancy)));
  }
  if (kernel.bound_by == BoundBy::l2) {
    add(fmt::format("{} through L2 instead of {}", with_prefix(then.io.l2.total(), "B"),
                    with_prefix(now.io.l2.total(), "B")));
  }
  if (kernel.bound_by == BoundBy::smem) {
    add(fmt::format("{} through shared memory instead of {}",
                    with_prefix(then.io.smem.total(), "B"), with_prefix(now.io.smem.total(), "B")));
  }
  if (rounding(then, shape) < rounding(now, shape)) {
    add(fmt::format("{:.2f} rounds of tiles that take {:.0f}, instead of {:.2f} that take {:.0f}",
                    then.rounds, std::ceil(then.rounds), now.rounds, std::ceil(now.rounds)));
  }
  if (const double steps = more_steps(shape, now, then); steps > 1) {
    add(fmt::format("{} keys a step instead of {}, whose rescaling of the output costs {}",
                    then.tile.block_n, now.tile.block_n, percent(steps - 1)));
  }
  return text;
}

std::optional<Diagnosis> look(const RuleContext& context, const KernelAnalysis& kernel,
                              std::size_t index) {
  const ChipModel* chip = index < context.chips.size() ? context.chips[index] : nullptr;
  const KernelTileInfo& in_use = context.tiles[index];
  const auto& attention = context.analysis.attention;
  if (kernel.role != "attention" || !attention || attention->direction != "forward" ||
      chip == nullptr || !plausible(*attention, in_use) || !kernel.occupancy.theoretical ||
      *kernel.occupancy.theoretical <= 0 || kernel.occupancy.blocks_per_sm.value_or(0) < 1 ||
      kernel.bound_by == BoundBy::unknown || kernel.bound_by == BoundBy::hbm) {
    return std::nullopt;
  }
  const DeviceInfo& device = *context.devices[index];
  const MatrixPath path = kernel.quantity("gmma_instructions").value_or(0) > 0
                              ? MatrixPath::wgmma
                              : MatrixPath::mma_sync;
  const auto now = modelled(*attention, {in_use, *kernel.occupancy.blocks_per_sm, path, 0},
                            *kernel.occupancy.theoretical, io_machine(device, chip));
  if (!now) {
    return std::nullopt;
  }
  const auto then = best_tile(kernel, *attention, *now, path, device, *chip);
  if (!then || then->time > 1 - noticeable) {
    return std::nullopt;
  }
  Diagnosis d;
  d.title = fmt::format("{}: a tile of {} queries by {} keys would suit this problem better",
                        kernel.short_name, then->tile.block_m, then->tile.block_n);
  d.explanation =
      fmt::format("Against the present {} by {}, the IO and occupancy model expects {}.",
                  in_use.block_m, in_use.block_n, why(kernel, *attention, *now, *then));
  d.evidence = {{"time by the model / time now", then->time, "share", 1 - noticeable},
                {"occupancy with the tile", then->occupancy, "share", std::nullopt},
                {"occupancy now", now->occupancy, "share", std::nullopt},
                {"L2 bytes by the model with the tile", then->io.l2.total(), "byte", std::nullopt},
                {"L2 bytes by the model now", now->io.l2.total(), "byte", std::nullopt}};
  d.action = fmt::format(
      "Use {} query rows and {} keys a tile: {} threads of about {} registers and {} of shared "
      "memory a block, {} block{} an SM.",
      then->tile.block_m, then->tile.block_n, then->tile.threads, then->registers,
      memory_size_text(then->tile.smem_bytes), then->blocks_per_sm,
      then->blocks_per_sm == 1 ? "" : "s");
  d.estimated_gain = bounded_gain(1 - then->time, 1);
  d.gain_formula =
      "1 - max(what binds, scaled by warps, bytes, steps over the keys and rounds of tiles; the "
      "other roofs with the bytes of the new tile), by the IO and occupancy model";
  d.severity = severity_of_gain(*d.estimated_gain);
  return d;
}

}  // namespace
}  // namespace ridgepoint

namespace ridgepoint::rules {

Rule attention_tile() {
  return {
      "attention_tile",
      "the kernel is no fused forward attention, its tiles do not fill the device, HBM binds it, "
      "or a change of tile costs more than the model counts: a compiler that spills, softmax "
      "that overlaps less",
      [](const RuleContext& context) { return for_each_kernel(context, look); }};
}

}  // namespace ridgepoint::rules
