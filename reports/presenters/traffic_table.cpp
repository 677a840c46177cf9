#include "analyzer/traffic/sm_reads.h"
#include "reports/presenters/cells.h"
#include "reports/presenters/format.h"
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

namespace {

// Why L2 looks up fewer bytes than the model says (analyzer/traffic/sm_reads.h).
std::optional<std::string> met_on_the_way(const Analysis& analysis, const VariantAnalysis& v) {
  const LevelPrediction& l2 = v.traffic[MemoryLevel::l2];
  const auto reads = sm_reads(analysis, v);
  constexpr double noticeable = 0.05;
  if (!reads || !l2.measured.total || !l2.predicted || *l2.predicted <= 0 ||
      reads->met() < noticeable * *l2.predicted) {
    return std::nullopt;
  }
  return printable(v.name) + ": the SMs received " + format_quantity(reads->received, Unit::byte) +
         " for which L2 looked up " + format_quantity(reads->looked_up, Unit::byte) +
         ". With what met on its way, measured / predicted is " +
         format_quantity((*l2.measured.total + reads->met()) / *l2.predicted, Unit::factor) + ".";
}

constexpr const char* how_requests_meet =
    "Requests of several SMs for one line can meet on their way to L2, and are then answered "
    "together. How many do follows from when the blocks ask, which the model does not know: it "
    "says what L2 looks up when none do.";

}  // namespace

std::vector<std::string> traffic_notes(const Analysis& analysis) {
  std::vector<std::string> notes;
  std::string names;
  for (const VariantAnalysis& v : analysis.variants) {
    const std::optional<double>& measured = v.traffic[MemoryLevel::hbm].measured.total;
    if (measured && v.compulsory_bytes && *measured < *v.compulsory_bytes) {
      names += (names.empty() ? "" : ", ") + printable(v.name);
    }
  }
  if (!names.empty()) {
    notes.push_back(
        names +
        ": fewer HBM bytes than the compulsory ones. HBM is counted while the kernels run: output "
        "that still lies in L2 when they end is written back later, and input that L2 already "
        "held is not read.");
  }
  bool met = false;
  for (const VariantAnalysis& v : analysis.variants) {
    if (auto note = met_on_the_way(analysis, v)) {
      notes.push_back(std::move(*note));
      met = true;
    }
  }
  if (met) {
    notes.emplace_back(how_requests_meet);
  }
  return notes;
}

}  // namespace ridgepoint
