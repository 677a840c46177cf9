#include <algorithm>

#include "analyzer/session/range_row.h"
#include "reports/presenters/activity.h"
#include "reports/presenters/cells.h"
#include "reports/presenters/labels.h"
#include "reports/presenters/tables.h"

namespace ridgepoint {

namespace {

std::vector<Column> columns() {
  return {
      {"kernel", "Kernel", "Name without namespaces, template and call arguments", Unit::text},
      {"variant", "Variant", "The attention variant the kernel belongs to", Unit::text},
      {"launches", "Launches", "Launches added up in this row", Unit::count},
      {"time_s", "Time", "Time on the GPU, summed over the launches", Unit::second},
      {"time_share", "Time share",
       "Of the time of all kernels, those of alternative variants included", Unit::share},
      {"bound_by", "Bound by", "The roof that limits the kernel; latency when it is far from all",
       Unit::text, false, true},
      {"headroom", "Headroom", "Attainable at the roof that binds / achieved", Unit::factor},
      {"flop_per_s", "FLOP rate", "FLOP executed / time; a fused multiply-add counts 2",
       Unit::flop_per_s},
      {"compute_utilisation", "Compute util.",
       "Achieved / theoretical FLOP/s of its precision, at the SM clock measured in this kernel",
       Unit::share},
      {"hbm_utilisation", "HBM util.",
       "Achieved / theoretical HBM bandwidth, at the memory clock measured in this kernel",
       Unit::share},
      {"l2_utilisation", "L2 util.",
       "The nearer of L2's two limits: bytes looked up / what it can look up, or bytes sent to the "
       "SMs / what its ports carry, at the L2 clock measured in this kernel",
       Unit::share},
      {"smem_utilisation", "SMEM util.",
       "Achieved / theoretical shared-memory bandwidth, at the SM clock measured in this kernel",
       Unit::share},
      {"hbm_bytes", "HBM bytes", "DRAM read + DRAM write", Unit::byte},
      {"l2_bytes", "L2 bytes", "All that L2 gave and took", Unit::byte},
      {"l2_merged_bytes", "L2 merged", "Of L2 bytes: what SMs were given with another's look-up",
       Unit::byte},
      {"smem_bytes", "SMEM bytes", "Shared-memory wavefronts x 128", Unit::byte},
      {"flop", "FLOP", "All precisions that were measured", Unit::flop},
      {"intensity_hbm", "HBM intensity", "FLOP / HBM bytes", Unit::flop_per_byte},
      {"intensity_l2", "L2 intensity", "FLOP / L2 bytes", Unit::flop_per_byte},
      {"intensity_smem", "SMEM intensity", "FLOP / shared-memory bytes", Unit::flop_per_byte},
      {"memory_stall_ratio", "Memory stalls", "Share of samples stalled on memory", Unit::share},
      {"occupancy", "Occupancy", "Active warps / warps an SM holds", Unit::share},
      {"occupancy_theoretical", "Occ. limit", "By registers, shared memory, warps and blocks",
       Unit::share},
      {"occupancy_limiter", "Limited by", "What limits the theoretical occupancy", Unit::text},
      {"registers", "Registers", "Per thread", Unit::count},
      {"smem_per_block", "SMEM a block", "Static + dynamic shared memory", Unit::memory_size},
      {"grid", "Grid", "Blocks of the longest launch", Unit::text},
      {"block", "Block", "Threads a block", Unit::text},
      {"sm_clock", "SM clock", "Measured in this kernel", Unit::hertz},
      {"power_w", "Power",
       "Mean power of the device while launches of it ran alone and long enough", Unit::watt},
      {"energy_j", "Energy a launch",
       "That power x the time of a launch; only of launches with 10 steps of the device's energy "
       "counter",
       Unit::joule},
      {"sm_busy_min", "Least busy SM", "Cycles with a resident warp / elapsed cycles", Unit::share},
      {"sm_busy_mean", "Mean SM", "Cycles with a resident warp / elapsed cycles, over all SMs",
       Unit::share},
      {"sm_busy_max", "Busiest SM", "Cycles with a resident warp / elapsed cycles", Unit::share},
      {"sm_imbalance", "SM imbalance",
       "What the mean SM idles while the busiest still works: 1 - mean / busiest", Unit::share},
  };
}

std::vector<Cell> cells_of(const Analysis& analysis, const KernelAnalysis& k) {
  const std::string bound = bound_text(analysis, k);
  return {text_cell(k.short_name.empty() ? k.name : k.short_name),
          text_cell(k.variant),
          count_cell(k.launches),
          number_cell(k.time_s),
          number_cell(k.time_share),
          text_cell(k.bound_by == BoundBy::unknown ? "" : bound),
          number_cell(k.headroom),
          number_cell(k.achieved_flop_per_s),
          number_cell(k.compute_utilisation),
          number_cell(k.utilisation[MemoryLevel::hbm]),
          number_cell(k.utilisation[MemoryLevel::l2]),
          number_cell(k.utilisation[MemoryLevel::smem]),
          number_cell(k.traffic[MemoryLevel::hbm].total),
          number_cell(k.traffic[MemoryLevel::l2].total),
          number_cell(k.traffic[MemoryLevel::l2].merged),
          number_cell(k.traffic[MemoryLevel::smem].total),
          number_cell(k.flop.total),
          number_cell(k.intensity[MemoryLevel::hbm]),
          number_cell(k.intensity[MemoryLevel::l2]),
          number_cell(k.intensity[MemoryLevel::smem]),
          number_cell(k.memory_stall_ratio),
          number_cell(k.occupancy.achieved),
          number_cell(k.occupancy.theoretical),
          text_cell(k.occupancy.limiter),
          count_cell(k.registers_per_thread),
          count_cell(k.smem_per_block_bytes),
          is_range_row(k.name) ? Cell() : Cell(dim_text(k.grid)),
          is_range_row(k.name) ? Cell() : Cell(dim_text(k.block)),
          number_cell(k.sm_clock_hz),
          number_cell(k.energy ? std::optional<double>(k.energy->power_w) : std::nullopt),
          number_cell(k.energy ? std::optional<double>(k.energy->energy_j) : std::nullopt),
          number_cell(k.balance.active_min_share),
          number_cell(k.balance.active_mean_share),
          number_cell(k.balance.active_max_share),
          number_cell(k.balance.imbalance())};
}

}  // namespace

Table kernel_table(const Analysis& analysis) {
  Table table{"kernels", "Kernels", columns(), {}};
  for (std::size_t i = 0; i < analysis.kernels.size(); ++i) {
    Row row;
    row.kernel = i;
    row.cells = cells_of(analysis, analysis.kernels[i]);
    table.rows.push_back(std::move(row));
  }
  return table;
}

std::vector<std::string> kernel_notes(const Analysis& analysis) {
  std::vector<std::string> notes;
  if (analysis.kernels.empty()) {
    return notes;
  }
  if (analysis.variants.size() > 1) {
    notes.emplace_back(
        "Time shares are of all kernels together, although the variants are alternatives.");
  }
  const auto foreign = std::find_if(analysis.kernels.begin(), analysis.kernels.end(),
                                    [](const KernelAnalysis& k) { return !k.bound_basis.empty(); });
  if (foreign != analysis.kernels.end()) {
    notes.emplace_back(
        "\"(Nsight)\": the traffic and FLOP behind a roofline were not exported. Bound and "
        "headroom "
        "follow " +
        foreign->bound_basis +
        ", each the busiest of several counters against its own peak; below 60 % it is latency.");
  }
  if (counters_unwanted(analysis)) {
    notes.emplace_back(
        "No counters were asked for: traffic, FLOP and what binds a kernel are not known. "
        "`ridgepoint profile -c lite` counts them in one pass, `-c default` in several.");
    return notes;
  }
  notes.emplace_back(
      nothing_ran(analysis)
          ? "Nothing ran: utilisations are those of a kernel that takes the least time its roofs "
            "allow, at the device's highest clocks."
          : "Utilisations, here and in the targets, are over the profiled time of a kernel and at "
            "the clocks measured in it. L2 has two limits, its look-ups and its ports to the SMs: "
            "the nearer counts. What SMs were given with another's look-up is in L2 bytes and uses "
            "neither look-ups nor ports.");
  return notes;
}

std::vector<Table> kernel_table_parts(const Table& kernels) {
  std::vector<Table> parts;
  const std::vector<std::string> columns[] = {
      {"kernel", "variant", "launches", "time_s", "time_share", "bound_by", "headroom",
       "flop_per_s", "compute_utilisation", "hbm_utilisation", "l2_utilisation",
       "smem_utilisation"},
      {"kernel", "hbm_bytes", "l2_bytes", "smem_bytes", "intensity_hbm", "memory_stall_ratio",
       "occupancy", "occupancy_limiter", "registers"},
      {"kernel", "sm_busy_min", "sm_busy_mean", "sm_busy_max", "sm_imbalance"},
      {"kernel", "power_w", "energy_j"}};
  for (const std::vector<std::string>& ids : columns) {
    if (Table part = selected_columns(kernels, ids); part.columns.size() > 1) {
      parts.push_back(std::move(part));
    }
  }
  return parts;
}

}  // namespace ridgepoint
