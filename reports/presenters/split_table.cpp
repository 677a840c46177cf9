#include "reports/presenters/cells.h"
#include "reports/presenters/tables.h"

namespace ridgepoint {

Table split_table(const Analysis& analysis) {
  Table table{"splits", "Parts of the keys", {}, {}};
  table.columns = {
      {"splits", "Parts", "That the keys of a query tile are shared out in", Unit::count},
      {"blocks", "Blocks", "Key heads x query tiles x parts", Unit::count},
      {"waves", "Waves", "Blocks / SMs", Unit::none},
      {"partial_bytes", "Partial results", "O in FP32 and the sums of every part: written, read",
       Unit::byte},
      {"time_s", "Estimate", "Of both kernels, each SM with its even share of the roofs",
       Unit::second},
      {"best", "Best", "The fewest parts within 5 % of the least estimate", Unit::text},
  };
  for (const SplitOption& option : analysis.split_options) {
    Row row;
    row.cells = {Cell(static_cast<double>(option.splits)),
                 Cell(option.blocks),
                 Cell(option.waves),
                 Cell(option.partial_bytes),
                 option.time_s > 0 ? Cell(option.time_s) : Cell(),
                 Cell(std::string(option.best ? "yes" : ""))};
    table.rows.push_back(std::move(row));
  }
  return table;
}

std::string split_note() {
  return "An estimate by occupancy, not a bound: every SM has its even share of the HBM bandwidth "
         "and of the arithmetic, so that few blocks leave most of both unused. An SM that works "
         "beside idle ones can do more.";
}

}  // namespace ridgepoint
