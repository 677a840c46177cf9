#include "reports/presenters/gate.h"

#include <fmt/format.h>

#include "reports/presenters/cells.h"
#include "reports/presenters/format.h"
#include "reports/presenters/labels.h"

namespace ridgepoint {
namespace {

struct CheckNumbers {
  std::string value, limit, baseline;  // empty where there is none
};

CheckNumbers numbers_of(const CheckResult& check) {
  const std::vector<std::string> texts =
      format_judged({check.value, check.limit, check.baseline}, printed_unit(check.quantity));
  const bool upper = check.limit_kind == "max" || check.limit_kind == "max_increase";
  return {texts[0], texts[1].empty() ? "" : (upper ? "at most " : "at least ") + texts[1],
          texts[2]};
}

const std::string& shown_subject(const CheckResult& check) {
  return check.shown.empty() ? check.subject : check.shown;
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
  const CheckNumbers numbers = numbers_of(check);
  std::string text = printable(shown_subject(check)) + ": ";
  if (check.limit_kind == "correct") {
    text += check.status == CheckStatus::passed ? "its result is right" : printable(check.why);
    return text + (numbers.value.empty() ? "" : ", largest error " + numbers.value);
  }
  text += quantity_label(check.quantity);
  if (!numbers.value.empty()) {
    text += " is " + numbers.value;
  }
  if (!numbers.limit.empty()) {
    text += ", must be " + numbers.limit;
  }
  if (!numbers.baseline.empty()) {
    text += fmt::format(" (baseline {})", numbers.baseline);
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
                   {"why", "why", "", Unit::text, false, true}};
  for (const CheckResult* check : gravest_first(result)) {
    const CheckNumbers numbers = numbers_of(*check);
    Row row;
    row.cells.push_back(text_cell(status_label(check->status)));
    row.cells.push_back(text_cell(key(check->scope)));
    row.cells.push_back(text_cell(shown_subject(*check)));
    row.cells.push_back(text_cell(
        check->limit_kind == "correct" ? "correctness" : quantity_label(check->quantity)));
    row.cells.push_back(text_cell(numbers.value));
    row.cells.push_back(text_cell(numbers.limit));
    row.cells.push_back(text_cell(numbers.baseline));
    row.cells.push_back(text_cell(check->why));
    table.rows.push_back(std::move(row));
  }
  return table;
}

}  // namespace ridgepoint
