#include <algorithm>

#include "reports/presenters/cells.h"
#include "reports/presenters/tables.h"

namespace ridgepoint {
namespace {

Row row_of(const RangeAnalysis& range, const std::string& name) {
  const auto moved = [&](MemoryLevel level, std::optional<double> Traffic::*part) {
    return number_cell(range.traffic[level].*part);
  };
  Row row;
  row.cells = {text_cell(name),
               Cell(static_cast<double>(range.occurrences)),
               Cell(static_cast<double>(range.launches)),
               number_cell(range.time_s),
               moved(MemoryLevel::hbm, &Traffic::read),
               moved(MemoryLevel::hbm, &Traffic::write),
               moved(MemoryLevel::l2, &Traffic::total),
               moved(MemoryLevel::smem, &Traffic::total)};
  return row;
}

bool has_traffic(const RangeAnalysis& range) {
  const auto& levels = range.traffic.values;
  return std::any_of(levels.begin(), levels.end(),
                     [](const Traffic& traffic) { return traffic.total.has_value(); });
}

}  // namespace

std::string range_title(const Analysis& analysis) {
  return analysis.ranges.empty() ? "Traffic of the whole run" : "Traffic by NVTX range";
}

Table range_table(const Analysis& analysis) {
  Table table{"ranges", range_title(analysis), {}, {}};
  table.columns = {
      {"range", "Range", "Names of the NVTX ranges, outermost first", Unit::text},
      {"occurrences", "Times", "How often ranges of this path were opened", Unit::count},
      {"launches", "Launches", "Inside them, inner ranges included", Unit::count},
      {"time_s", "Kernel time", "Of these launches, added up", Unit::second},
      {"hbm_read_bytes", "HBM read", "", Unit::byte},
      {"hbm_write_bytes", "HBM write", "", Unit::byte},
      {"l2_bytes", "L2 bytes", "All that L2 gave and took", Unit::byte},
      {"smem_bytes", "SMEM bytes", "Shared-memory wavefronts x 128", Unit::byte},
  };
  if (analysis.run && (!analysis.ranges.empty() || has_traffic(*analysis.run))) {
    table.rows.push_back(row_of(*analysis.run, "(whole run)"));
  }
  for (const RangeAnalysis& range : analysis.ranges) {
    table.rows.push_back(row_of(range, range.path));
  }
  return table;
}

}  // namespace ridgepoint
