#include <algorithm>

#include "analyzer/roofline/measured_ceilings.h"
#include "analyzer/roofline/ridge_points.h"
#include "reports/presenters/cells.h"
#include "reports/presenters/format.h"
#include "reports/presenters/tables.h"

namespace ridgepoint {

// Bandwidths and compute rates share the table, so the rates are printed texts. A measurement is
// held against theory at its own clock, as in the table of measurements: a device at its power
// limit reaches the highest clock, at which the roof is drawn, in no benchmark.
Table ceiling_table(const Analysis& analysis) {
  Table table{"ceilings", "Ceilings", {}, {}};
  table.columns = {
      {"ceiling", "Ceiling", "Memory level or precision", Unit::text},
      {"theoretical", "Theory, highest clock",
       "From the device's widths and its highest SM clock; utilisations use each kernel's own "
       "clock",
       Unit::text, true},
      {"measured", "Measured", "By the fastest micro-benchmark on this device", Unit::text, true},
      {"sm_clock", "SM clock", "Seen by the SMs while that ran", Unit::hertz},
      {"theoretical_at_clock", "Theory, that clock",
       "What the device's widths allow at the SM clock of the measurement; HBM has a clock of its "
       "own",
       Unit::text, true},
      {"ratio", "Meas./theory, that clock", "Measured / theory at the SM clock of the measurement",
       Unit::share},
      {"ridge_hbm", "HBM ridge",
       "FLOP for each HBM byte from which arithmetic binds, by the theoretical roofs",
       Unit::flop_per_byte},
      {"ridge_l2", "L2 ridge", "The same for each L2 byte", Unit::flop_per_byte},
      {"ridge_smem", "SMEM ridge", "The same for each shared-memory byte", Unit::flop_per_byte},
      {"source", "Source", "Where the theoretical value comes from", Unit::text, false, true},
  };
  const std::vector<CeilingMeasurement> measurements = ceiling_measurements(analysis);
  for (const Ceiling& c : analysis.ceilings) {
    const Unit unit = c.kind == CeilingKind::bandwidth ? Unit::byte_per_s : Unit::flop_per_s;
    const auto rate = [&](const std::optional<double>& value) {
      return text_cell(format_quantity(value, unit, ""));
    };
    CeilingMeasurement fastest;
    const auto found = std::find_if(measurements.begin(), measurements.end(),
                                    [&](const auto& one) { return one.ceiling == &c; });
    if (found != measurements.end()) {
      fastest = *found;
    }
    const PerLevel<std::optional<double>> ridge = ridge_points(analysis, c);
    Row row;
    row.cells = {text_cell(c.label.empty() ? c.id : c.label),
                 rate(c.theoretical),
                 rate(c.measured),
                 number_cell(fastest.sm_clock_hz()),
                 rate(fastest.theoretical),
                 number_cell(fastest.share_of_theory()),
                 number_cell(ridge[MemoryLevel::hbm]),
                 number_cell(ridge[MemoryLevel::l2]),
                 number_cell(ridge[MemoryLevel::smem]),
                 text_cell(c.source)};
    table.rows.push_back(std::move(row));
  }
  return table;
}

}  // namespace ridgepoint
