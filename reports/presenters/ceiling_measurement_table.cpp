#include "reports/presenters/ceiling_measurement_table.h"

#include <utility>

#include "analyzer/roofline/measured_ceilings.h"
#include "reports/presenters/cells.h"
#include "reports/presenters/format.h"

namespace ridgepoint {

Table ceiling_measurement_table(const Analysis& analysis) {
  Table table{"ceiling_measurements",
              "Ceilings measured on this device, beside theory at the SM clock of each measurement",
              {},
              {}};
  table.columns = {
      {"ceiling", "Ceiling", "Memory level or precision", Unit::text},
      {"method", "By", "What the micro-benchmark does", Unit::text, false, true},
      {"measured", "Measured", "Median of the repeats", Unit::text, true},
      {"ci95_half", "+/-", "Half width of the median's 95 % confidence interval", Unit::share},
      {"sm_clock", "SM clock", "Seen by the SMs while it ran", Unit::hertz},
      {"theoretical", "Theory", "At that SM clock; HBM has a clock of its own", Unit::text, true},
      {"ratio", "Meas./theory", "Measured / theory at the SM clock of the measurement",
       Unit::share},
      {"power", "Power", "Of the whole device while it ran", Unit::watt},
  };
  for (const CeilingMeasurement& one : ceiling_measurements(analysis)) {
    const Ceiling& ceiling = *one.ceiling;
    const MeasuredCeiling& measured = *one.measured;
    const Unit unit = ceiling.kind == CeilingKind::bandwidth ? Unit::byte_per_s : Unit::flop_per_s;
    Row row;
    row.cells = {text_cell(ceiling.label.empty() ? ceiling.id : ceiling.label),
                 text_cell(ceiling_method(measured)),
                 text_cell(format_quantity(measured.value, unit)),
                 number_cell(measured.ci95_half / measured.value),
                 number_cell(one.sm_clock_hz()),
                 text_cell(format_quantity(one.theoretical, unit, "")),
                 number_cell(one.share_of_theory()),
                 number_cell(measured.power_w)};
    table.rows.push_back(std::move(row));
  }
  return table;
}

}  // namespace ridgepoint
