// What a gate found.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "analyzer/compare/quantity.h"
#include "analyzer/gate/budget.h"

namespace ridgepoint {

enum class CheckStatus { passed, failed, no_verdict };
const char* key(CheckStatus status);

struct CheckResult {
  std::string
      id;  // of the budget, or the quantity: several may have it (analyzer/gate/check_ids.h)
  BudgetScope scope = BudgetScope::variant;
  std::string subject;  // the variant or kernel; the pattern when nothing matched
  std::string shown;    // to people, where that is not the subject: analyzer/gate/absent_names.h
  QuantityInfo quantity;
  std::string limit_kind;  // "max", "min", "max_increase", "max_decrease", "correct"
  std::optional<double> value;
  std::optional<double> baseline;
  std::optional<double> limit;  // in the unit of the quantity
  CheckStatus status = CheckStatus::no_verdict;
  std::string why;
};

// What differs from the budget's conditions or from the baseline; the checks that it keeps from a
// verdict say so themselves.
struct Remark {
  std::string code;
  std::string text;
};

struct GateResult {
  std::vector<Remark> remarks;
  std::vector<CheckResult> results;

  // Failed when anything surely broke its limit; else no verdict when anything could not be judged,
  // or when nothing was judged at all; passed only when something was judged and all of it passed.
  CheckStatus verdict() const;
  std::size_t count(CheckStatus status) const;
};

}  // namespace ridgepoint
