#include "reports/presenters/cells.h"
#include "reports/presenters/format.h"
#include "reports/presenters/labels.h"
#include "reports/presenters/tables.h"

namespace ridgepoint {

// Each row has its own unit, so value and target are printed texts here.
Table target_table(const Analysis& analysis) {
  Table table{"targets", "Targets", {}, {}};
  table.columns = {
      {"target", "Target", "What is asked for", Unit::text},
      {"variant", "Variant", "", Unit::text},
      {"value", "Value",
       "Measured; utilisations over the profiled time, at each kernel's own clock", Unit::text,
       true},
      {"goal", "Goal", "The bound", Unit::text, true},
      {"verdict", "Verdict", "met, missed or not applicable", Unit::text},
      {"why", "Why", "", Unit::text},
  };
  for (const TargetResult& t : analysis.targets) {
    Row row;
    row.cells = {text_cell(t.label.empty() ? t.id : t.label),
                 text_cell(t.variant),
                 text_cell(t.value ? format_named(*t.value, t.unit) : ""),
                 Cell((t.at_least ? "> " : "< ") + format_named(t.target, t.unit)),
                 Cell(verdict_label(t.verdict)),
                 text_cell(t.why)};
    table.rows.push_back(std::move(row));
  }
  return table;
}

}  // namespace ridgepoint
