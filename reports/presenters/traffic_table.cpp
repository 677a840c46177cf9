#include "reports/presenters/cells.h"
#include "reports/presenters/tables.h"

namespace ridgepoint {

Table traffic_table(const Analysis& analysis) {
  Table table{"traffic", "Traffic", {}, {}};
  table.columns = {
      {"variant", "Variant", "", Unit::text},
      {"level", "Level", "Level of the memory hierarchy", Unit::text},
      {"measured", "Measured", "Bytes counted by the hardware", Unit::byte},
      {"predicted", "Predicted", "Bytes by the IO model", Unit::byte},
      {"ratio", "Meas./pred.", "Measured / predicted", Unit::factor},
      {"read", "Read", "", Unit::byte},
      {"write", "Write", "", Unit::byte},
      {"efficiency", "Efficiency", "Shared memory: bytes asked for / bandwidth used", Unit::share},
      {"formula", "Model", "How the prediction is made", Unit::text},
  };
  for (const VariantAnalysis& v : analysis.variants) {
    for (const MemoryLevel level : memory_levels) {
      const LevelPrediction& p = v.traffic[level];
      std::optional<double> ratio;
      if (p.measured.total && p.predicted && *p.predicted > 0) {
        ratio = *p.measured.total / *p.predicted;
      }
      std::optional<double> efficiency;
      if (p.measured.requested && p.measured.total && *p.measured.total > 0) {
        efficiency = *p.measured.requested / *p.measured.total;
      }
      Row row;
      row.cells = {text_cell(v.name),
                   Cell(std::string(label(level))),
                   number_cell(p.measured.total),
                   number_cell(p.predicted),
                   number_cell(ratio),
                   number_cell(p.measured.read),
                   number_cell(p.measured.write),
                   number_cell(efficiency),
                   text_cell(p.formula)};
      table.rows.push_back(std::move(row));
    }
  }
  return table;
}

std::vector<std::string> traffic_notes(const Analysis& analysis) {
  std::string names;
  for (const VariantAnalysis& v : analysis.variants) {
    const std::optional<double>& measured = v.traffic[MemoryLevel::hbm].measured.total;
    if (measured && v.compulsory_bytes && *measured < *v.compulsory_bytes) {
      names += (names.empty() ? "" : ", ") + printable(v.name);
    }
  }
  if (names.empty()) {
    return {};
  }
  return {
      names +
      ": fewer HBM bytes than the compulsory ones. HBM is counted while the kernels run: output "
      "that still lies in L2 when they end is written back later, and input that L2 already "
      "held is not read."};
}

}  // namespace ridgepoint
