#include "reports/presenters/session_comparison.h"

#include <fmt/format.h>

#include <cmath>
#include <set>

#include "analyzer/compare/change_text.h"
#include "analyzer/compare/launch_quantities.h"
#include "reports/presenters/cells.h"
#include "reports/presenters/format.h"
#include "reports/presenters/labels.h"

namespace ridgepoint {
namespace {

constexpr double shown_from = 0.01;
constexpr double stall_shown_from = 0.02;  // of all samples

// What is told without being asked for everything; the rest of a report follows from these.
bool is_headline(const Change& change, bool launches_differ) {
  static const std::set<std::string> quantities = {"latency_s.p50",       "latency_s.p99",
                                                   "hbm_bytes.measured",  "l2_bytes.measured",
                                                   "smem_bytes.measured", "flops.counted",
                                                   "max_error",           "tokens_per_s",
                                                   "workspace_bytes",     "launches",
                                                   "hbm_bytes",           "l2_bytes",
                                                   "smem_bytes",          "flops",
                                                   "intensity.hbm",       "achieved_flop_per_s",
                                                   "utilisation.hbm",     "utilisation.l2",
                                                   "utilisation.smem",    "utilisation.compute",
                                                   "memory_stall_ratio",  "occupancy.achieved",
                                                   "sm_clock_hz",         "registers_per_thread",
                                                   "smem_per_block_bytes"};
  // Sums of more launches are larger, whatever became of the kernel.
  if (launches_differ && !per_launch_id(change.quantity.id).empty()) {
    return false;
  }
  if (change.quantity.id.rfind("per_launch.", 0) == 0) {
    return launches_differ && change.quantity.id != "per_launch.time_s";  // a line above has it
  }
  const bool stall = change.quantity.id.rfind("stalls.", 0) == 0;
  return stall ? std::abs(change.now.value_or(0) - change.base.value_or(0)) >= stall_shown_from
               : quantities.count(change.quantity.id) > 0;
}

std::string change_text(const std::optional<double>& factor) {
  return factor ? signed_change(*factor - 1) : "";
}

// Of shares the difference, as a percent of percents would be misread. Blank where only one side
// was measured, or the first is zero.
std::string change_text(const Change& change) {
  if (!change.base || !change.now) {
    return "";
  }
  const double difference = *change.now - *change.base;
  if (unit_from_name(change.quantity.unit) == Unit::share) {
    return fmt::format("{:+.1f} points", difference * 100);
  }
  if (difference == 0) {
    return signed_change(0);
  }
  return *change.base > 0 ? signed_change(difference / *change.base) : "";
}

std::string bound_label(const std::optional<BoundBy>& bound, const std::string& pipe) {
  return bound ? roof_label(*bound, pipe) : "";
}

std::string p_text(const SubjectChange& subject) {
  const bool tested = subject.test && subject.outcome != Outcome::untested &&
                      subject.outcome != Outcome::not_comparable;
  if (!tested) {
    return "";
  }
  const double p = subject.test->p_two_sided;
  return p < 1e-4 ? "< 0.0001" : fmt::format("{:.2g}", p);
}

std::string repeats_text(const SubjectChange& subject) {
  return fmt::format("{} / {}", subject.base_repeats, subject.now_repeats);
}

}  // namespace

std::string outcome_label(Outcome outcome) {
  return outcome == Outcome::not_comparable ? "not comparable" : key(outcome);
}

std::string subject_text(const SubjectChange& subject) {
  std::string text = printable(subject.now_name);
  if (subject.base_name != subject.now_name) {
    text += " (was " + printable(subject.base_name) + ")";
  }
  if (subject.matched_by != MatchedBy::name) {
    text += fmt::format(" [matched by {}]", key(subject.matched_by));
  }
  return text;
}

std::string verdict_text(const Comparison& comparison) {
  const std::string reason = printable(comparison.verdict_reason());
  switch (comparison.verdict()) {
    case ComparisonVerdict::fine:
      return "Fine: " + reason;
    case ComparisonVerdict::regression:
      return "Regression: " + reason;
    case ComparisonVerdict::no_verdict:
      return "No verdict: " + reason;
  }
  return reason;
}

std::string method_text(const CompareOptions& options) {
  return fmt::format(
      "Faster and slower: Mann-Whitney U test over all timed repeats, two-sided p <= {:g}, and "
      "times "
      "at least {:g} % apart; exact up to {} values together, else by the normal approximation "
      "with "
      "tie correction. Not compared when the SM clock moved by more than {:g} %.",
      options.alpha, options.min_effect * 100, exact_limit, options.clock_tolerance * 100);
}

Table subjects_table(const std::vector<SubjectChange>& subjects, const std::string& what) {
  Table table{"compared_" + what, what, {}, {}};
  table.columns = {
      {"name", what, "", Unit::text},
      {"base", "base", "Time in the first session", Unit::second},
      {"new", "new", "Time in the other session", Unit::second},
      {"change", "change", "New time against base", Unit::text, true},
      {"outcome", "outcome", "By the test named below", Unit::text},
      {"p", "p", "Chance of such a difference without any", Unit::text, true},
      {"repeats", "repeats", "Timed repeats, base / new", Unit::text, true},
  };
  for (const SubjectChange& subject : subjects) {
    Row row;
    row.kernel = what == "kernel" ? std::optional<std::size_t>(subject.now_index) : std::nullopt;
    row.cells.push_back(text_cell(subject_text(subject)));
    row.cells.push_back(number_cell(subject.base_time_s));
    row.cells.push_back(number_cell(subject.now_time_s));
    row.cells.push_back(text_cell(change_text(subject.time_factor)));
    row.cells.push_back(text_cell(outcome_label(subject.outcome)));
    row.cells.push_back(text_cell(p_text(subject)));
    row.cells.push_back(text_cell(repeats_text(subject)));
    table.rows.push_back(std::move(row));
  }
  return table;
}

Table changes_table(const SubjectChange& subject, bool all) {
  Table table{"changes", "Changes", {}, {}};
  table.columns = {{"quantity", "quantity", "", Unit::text},
                   {"base", "base", "", Unit::text, true},
                   {"new", "new", "", Unit::text, true},
                   {"change", "change", "New against base", Unit::text, true}};
  const std::string before = bound_label(subject.bound_base, subject.bound_pipe_base);
  const std::string after = bound_label(subject.bound_now, subject.bound_pipe_now);
  if (before != after) {
    Row row;
    row.cells = {text_cell("bound by"), text_cell(before), text_cell(after), Cell(std::string())};
    table.rows.push_back(std::move(row));
  }
  const Change* launches = subject.change("launches");
  const bool launches_differ = launches != nullptr && launches->base != launches->now;
  for (const Change& change : subject.changes) {
    // The report has it under two names.
    const bool again = change.quantity.id == "correctness.max_abs_error";
    if (again || (!all && !is_headline(change, launches_differ))) {
      continue;
    }
    const auto factor = change.factor();
    const bool same = change.base && change.now &&
                      (factor ? std::abs(*factor - 1) < shown_from : *change.base == *change.now);
    if (same && !all) {
      continue;
    }
    Row row;
    row.cells.push_back(text_cell(quantity_label(change.quantity)));
    for (const std::string& value :
         format_alike({change.base, change.now}, printed_unit(change.quantity))) {
      row.cells.push_back(text_cell(value));
    }
    row.cells.push_back(Cell(change_text(change)));
    table.rows.push_back(std::move(row));
  }
  return table;
}

}  // namespace ridgepoint
