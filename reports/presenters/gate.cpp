#include "reports/presenters/gate.h"

#include <fmt/format.h>

#include "reports/presenters/cells.h"
#include "reports/presenters/format.h"
#include "reports/presenters/labels.h"

namespace ridgepoint {
namespace {

std::string value_text(const std::optional<double>& value, const CheckResult& check) {
  return value ? format_named(*value, check.quantity.unit) : std::string();
}

std::string limit_text(const CheckResult& check) {
  const bool upper = check.limit_kind == "max" || check.limit_kind == "max_increase";
  const std::string bound = value_text(check.limit, check);
  return bound.empty() ? bound : (upper ? "at most " : "at least ") + bound;
}

}  // namespace

std::string status_label(CheckStatus status) {
  return status == CheckStatus::no_verdict ? "no verdict" : key(status);
}

std::string gate_headline(const GateResult& result) {
  const std::size_t all = result.results.size();
  const std::size_t unjudged = result.count(CheckStatus::no_verdict);
  switch (result.verdict()) {
    case CheckStatus::passed:
      return fmt::format("Passed: {} of {} checks", all, all);
    case CheckStatus::failed:
      return fmt::format("Failed: {} of {} checks{}", result.count(CheckStatus::failed), all,
                         unjudged > 0 ? fmt::format(", {} without verdict", unjudged) : "");
    case CheckStatus::no_verdict:
      break;
  }
  return all == 0 ? std::string("No verdict: the budget checks nothing")
                  : fmt::format("No verdict: {} of {} checks could not be judged", unjudged, all);
}

std::string check_sentence(const CheckResult& check) {
  std::string text = printable(check.subject) + ": ";
  if (check.limit_kind == "correct") {
    text += check.status == CheckStatus::passed ? "its result is right" : printable(check.why);
    return text + (check.value ? fmt::format(", largest error {:.3g}", *check.value) : "");
  }
  text += quantity_label(check.quantity);
  if (check.value) {
    text += " is " + value_text(check.value, check);
  }
  if (const std::string limit = limit_text(check); !limit.empty()) {
    text += ", must be " + limit;
  }
  if (check.baseline) {
    text += fmt::format(" (baseline {})", value_text(check.baseline, check));
  }
  return check.why.empty() ? text : text + ": " + printable(check.why);
}

std::vector<const CheckResult*> gravest_first(const GateResult& result) {
  std::vector<const CheckResult*> order;
  for (const CheckStatus status :
       {CheckStatus::failed, CheckStatus::no_verdict, CheckStatus::passed}) {
    for (const CheckResult& check : result.results) {
      if (check.status == status) {
        order.push_back(&check);
      }
    }
  }
  return order;
}

Table gate_table(const GateResult& result) {
  Table table{"gate", "Checks", {}, {}};
  table.columns = {{"status", "verdict", "", Unit::text},
                   {"scope", "scope", "", Unit::text},
                   {"subject", "of", "", Unit::text},
                   {"quantity", "quantity", "", Unit::text},
                   {"value", "value", "", Unit::text, true},
                   {"limit", "limit", "", Unit::text, true},
                   {"baseline", "baseline", "", Unit::text, true},
                   {"why", "why", "", Unit::text}};
  for (const CheckResult* check : gravest_first(result)) {
    Row row;
    row.cells.push_back(text_cell(status_label(check->status)));
    row.cells.push_back(text_cell(key(check->scope)));
    row.cells.push_back(text_cell(check->subject));
    row.cells.push_back(text_cell(
        check->limit_kind == "correct" ? "correctness" : quantity_label(check->quantity)));
    row.cells.push_back(text_cell(value_text(check->value, *check)));
    row.cells.push_back(text_cell(limit_text(*check)));
    row.cells.push_back(text_cell(value_text(check->baseline, *check)));
    row.cells.push_back(text_cell(check->why));
    table.rows.push_back(std::move(row));
  }
  return table;
}

}  // namespace ridgepoint
