// One value against one limit, with noise taken into account where the repeats are known.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "analyzer/gate/check_result.h"

namespace ridgepoint {

// The timed repeats behind a value: the value is their `quantile`, or something divided by it
// (tokens/s, FLOP/s) when `inverse`.
struct Repeats {
  const std::vector<double>* times_s =
      nullptr;  // ascending; null: there are none, the value stands alone
  double quantile = 0.5;
  bool inverse = false;
};

struct Limit {
  bool upper = true;  // the value must not exceed it; else not fall below it
  double bound = 0;
  // Of a limit relative to a baseline: bound / baseline's value, and its repeats.
  std::optional<double> relative;
  Repeats baseline;
};

struct LimitVerdict {
  CheckStatus status = CheckStatus::no_verdict;
  std::string why;
};

// Within the limit: passed. Beyond it: failed when chance would do that in at most `alpha` of all
// cases, else no verdict, since it is neither within the limit nor surely beyond. The chance:
//   median, relative limit r:  Mann-Whitney's one-sided p of the repeats against the baseline's
//                              repeats times r
//   otherwise:                 the sign test for the quantile against the bound
//   no repeats:                none; the plain value decides
LimitVerdict test_limit(double value, const Repeats& repeats, const Limit& limit, double alpha);

}  // namespace ridgepoint
