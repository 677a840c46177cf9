#include "reports/presenters/cells.h"
#include "reports/presenters/format.h"
#include "reports/presenters/labels.h"
#include "reports/presenters/tables.h"

namespace ridgepoint {

TargetNumbers target_numbers(const TargetResult& target) {
  const std::vector<std::string> texts = format_judged({target.value, target.target}, target.unit);
  return {texts[0], (target.at_least ? "> " : "< ") + texts[1]};
}

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
      {"why", "Why", "", Unit::text, false, true},
  };
  for (const TargetResult& t : analysis.targets) {
    const TargetNumbers numbers = target_numbers(t);
    Row row;
    row.cells = {text_cell(t.label.empty() ? t.id : t.label),
                 text_cell(t.variant),
                 text_cell(numbers.value),
                 Cell(numbers.goal),
                 Cell(verdict_label(t.verdict)),
                 text_cell(t.why)};
    table.rows.push_back(std::move(row));
  }
  return table;
}

}  // namespace ridgepoint
