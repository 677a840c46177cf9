#include "reports/presenters/cells.h"
#include "reports/presenters/tables.h"

namespace ridgepoint {

Table tile_table(const Analysis& analysis) {
  Table table{"tiles", "Tiles that fit", {}, {}};
  table.columns = {
      {"variant", "Variant", "", Unit::text},
      {"query_rows", "Query rows", "Of a tile", Unit::count},
      {"key_rows", "Key rows", "Of a step", Unit::count},
      {"stages", "Stages", "Of K and V", Unit::count},
      {"threads", "Threads", "A block", Unit::count},
      {"smem_bytes", "SMEM a block", "Shared memory of its tiles", Unit::memory_size},
      {"registers", "Registers", "A thread needs, estimated", Unit::count},
      {"blocks_per_sm", "Blocks an SM", "By registers, shared memory, warps and blocks",
       Unit::count},
      {"occupancy", "Occupancy", "Warps resident / warps an SM holds", Unit::share},
      {"time_s", "Least time", "That the theoretical roofs allow", Unit::second},
      {"hbm_bytes", "HBM bytes", "By the IO model", Unit::byte},
      {"l2_bytes", "L2 bytes", "By the IO model", Unit::byte},
      {"smem_traffic_bytes", "SMEM bytes", "Moved, by the IO model", Unit::byte},
      {"in_use", "In use", "The tile of the kernel that exists", Unit::text},
  };
  const auto number = [](std::int64_t value) { return Cell(static_cast<double>(value)); };
  for (const TileOption& option : analysis.tile_options) {
    Row row;
    row.cells = {text_cell(option.variant),
                 number(option.tile.block_m),
                 number(option.tile.block_n),
                 number(option.tile.stages),
                 number(option.tile.threads),
                 number(option.tile.smem_bytes),
                 number(option.registers_per_thread),
                 number(option.blocks_per_sm),
                 Cell(option.occupancy),
                 option.time_bound_s > 0 ? Cell(option.time_bound_s) : Cell(),
                 Cell(option.traffic_bytes[MemoryLevel::hbm]),
                 Cell(option.traffic_bytes[MemoryLevel::l2]),
                 Cell(option.traffic_bytes[MemoryLevel::smem]),
                 Cell(std::string(option.in_use ? "yes" : ""))};
    table.rows.push_back(std::move(row));
  }
  return table;
}

}  // namespace ridgepoint
