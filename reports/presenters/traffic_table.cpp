#include "reports/presenters/cells.h"
#include "reports/presenters/format.h"
#include "reports/presenters/reductions.h"
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
      {"merged", "Merged", "L2: the part of Read that SMs were given with another's look-up",
       Unit::byte},
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
                   number_cell(p.measured.merged),
                   number_cell(efficiency),
                   text_cell(p.formula)};
      table.rows.push_back(std::move(row));
    }
  }
  return table;
}

namespace {

// What L2 gave without looking it up (analyzer/traffic/sm_reads.h), where it is a part to be seen.
std::optional<std::string> merged_requests(const VariantAnalysis& v) {
  const Traffic& l2 = v.traffic[MemoryLevel::l2].measured;
  constexpr double noticeable = 0.05;
  if (!l2.total || !l2.merged || *l2.merged < noticeable * *l2.total) {
    return std::nullopt;
  }
  return printable(v.name) + ": L2 looked up " + format_quantity(l2.looked_up(), Unit::byte) +
         " and handed " + format_quantity(l2.merged, Unit::byte) +
         " more (merged, a part of what was read) to further SMs with the same look-ups.";
}

// What L2 counts as neither, where it is a part to be seen.
std::optional<std::string> reductions(const VariantAnalysis& v) {
  const std::optional<double> rest = reduction_bytes(v.traffic[MemoryLevel::l2].measured);
  if (!rest) {
    return std::nullopt;
  }
  return printable(v.name) + ": " + format_quantity(rest, Unit::byte) +
         " of its L2 bytes are reductions and atomics, which are neither read nor written.";
}

constexpr const char* how_requests_merge =
    "Requests of several SMs for one line can meet on their way to L2: one look-up then answers "
    "all, "
    "and L2 bytes count it for each SM that asked. How many meet follows from when the blocks ask, "
    "and differs from pass to pass.";

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
  for (const VariantAnalysis& v : analysis.variants) {
    if (auto note = reductions(v)) {
      notes.push_back(std::move(*note));
    }
  }
  bool merged = false;
  for (const VariantAnalysis& v : analysis.variants) {
    if (auto note = merged_requests(v)) {
      notes.push_back(std::move(*note));
      merged = true;
    }
  }
  if (merged) {
    notes.emplace_back(how_requests_merge);
  }
  return notes;
}

}  // namespace ridgepoint
