// Two analyses against one another: what became faster or slower, whether that is more than noise,
// and what moved with it.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "analyzer/analysis/analysis.h"
#include "analyzer/compare/difference.h"
#include "analyzer/compare/match.h"
#include "analyzer/compare/quantity.h"
#include "analyzer/compare/significance.h"

namespace ridgepoint {

struct CompareOptions {
  double alpha = 0.01;       // two-sided p at or below this is significant ...
  double min_effect = 0.02;  // ... and counts when the times are apart by this share of the smaller
  double clock_tolerance = 0.05;
};

enum class Outcome {
  faster,
  slower,
  unchanged,       // tested: no significant change, or one below the least effect
  untested,        // too few repeats for any test to tell
  not_comparable,  // hardware, problem or clocks differ, or a result is wrong
};
const char* key(Outcome outcome);

struct Change {
  QuantityInfo quantity;
  std::optional<double> base;
  std::optional<double> now;
  std::optional<double> factor() const;  // now / base, when both are positive
};

// A variant or a kernel beside its counterpart.
struct SubjectChange {
  std::size_t base_index = 0;
  std::size_t now_index = 0;
  std::string base_name;
  std::string now_name;
  MatchedBy matched_by = MatchedBy::name;
  Outcome outcome = Outcome::untested;
  std::optional<double>
      base_time_s;  // median of the repeats; of a kernel, the mean of its launches
  std::optional<double> now_time_s;
  std::optional<double> time_factor;  // now / base
  std::size_t base_repeats = 0;
  std::size_t now_repeats = 0;
  std::optional<RankTest> test;
  std::string why_not;      // for untested and not_comparable
  bool base_wrong = false;  // its result failed the check against the reference
  bool now_wrong = false;
  bool counters_comparable = true;               // the same replay and cache state on both sides
  std::optional<BoundBy> bound_base, bound_now;  // of kernels
  std::string bound_pipe_base, bound_pipe_now;   // KernelAnalysis::bound_pipe
  std::vector<Change> changes;  // quantities that at least one side has, in the order of the report
  std::string cause;            // one sentence: the change, and what moved with it

  const Change* change(const std::string& quantity) const;
};

enum class ComparisonVerdict { fine, regression, no_verdict };
const char* key(ComparisonVerdict verdict);

struct Comparison {
  CompareOptions options;
  std::vector<Difference> differences;
  std::vector<SubjectChange> variants;
  std::vector<SubjectChange> kernels;
  std::vector<std::string> only_base;  // variants, else kernels, without counterpart
  std::vector<std::string> only_now;

  // Judged by the variants, whose repeats are tested; by the kernels when no variant matched.
  // A regression is a subject that became significantly slower, or wrong. No verdict when nothing
  // matched, nothing could be tested, a variant could not be compared, or one is gone.
  ComparisonVerdict verdict() const;
  std::string verdict_reason() const;
};

Comparison compare(const Analysis& base, const Analysis& now, const CompareOptions& options = {});

}  // namespace ridgepoint
