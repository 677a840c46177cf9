#include "analyzer/compare/compare.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "analyzer/compare/cause.h"
#include "analyzer/compare/l2_counted_alike.h"
#include "analyzer/compare/launch_quantities.h"

namespace ridgepoint {
namespace {

template <class Subject>
void add_changes(const std::vector<Quantity<Subject>>& quantities, const Subject& base,
                 const Subject& now, std::vector<Change>& changes) {
  for (const Quantity<Subject>& one : quantities) {
    Change change{one, value_of(base, one.id), value_of(now, one.id)};
    if (change.base || change.now) {
      changes.push_back(std::move(change));
    }
  }
}

// Stall shares are an open family: those that either side saw.
void add_stalls(const KernelAnalysis& base, const KernelAnalysis& now,
                std::vector<Change>& changes) {
  const auto add = [&](const std::string& reason) {
    const std::string id = "stalls." + reason;
    const bool known = std::any_of(changes.begin(), changes.end(),
                                   [&](const Change& one) { return one.quantity.id == id; });
    if (const auto info = kernel_quantity(id); info && !known) {
      changes.push_back({*info, value_of(base, id), value_of(now, id)});
    }
  };
  for (const StallShare& stall : base.stalls) {
    add(stall.reason);
  }
  for (const StallShare& stall : now.stalls) {
    add(stall.reason);
  }
}

const Difference* spoiling(const std::vector<Difference>& differences, TimedBy by) {
  const auto found = std::find_if(differences.begin(), differences.end(),
                                  [&](const Difference& one) { return spoils_time(one, by); });
  return found == differences.end() ? nullptr : &*found;
}

void judge(SubjectChange& s, const std::vector<double>& base, const std::vector<double>& now,
           const Comparison& comparison, TimedBy by, bool clocks_moved) {
  s.base_repeats = base.size();
  s.now_repeats = now.size();
  if (s.base_time_s && s.now_time_s && *s.base_time_s > 0 && *s.now_time_s > 0) {
    s.time_factor = *s.now_time_s / *s.base_time_s;
  }
  s.test = mann_whitney(base, now);
  s.counters_comparable =
      std::none_of(comparison.differences.begin(), comparison.differences.end(),
                   [](const Difference& one) { return one.spoils == Spoils::counters; });
  s.outcome = Outcome::not_comparable;
  if (s.base_wrong || s.now_wrong) {
    s.why_not = s.now_wrong ? "its result is wrong" : "the first result is wrong";
  } else if (const Difference* difference = spoiling(comparison.differences, by)) {
    s.why_not = difference->brief;
  } else if (clocks_moved) {
    s.why_not = fmt::format("the SM clock moved by more than {:.0f} %",
                            comparison.options.clock_tolerance * 100);
  } else if (!s.test || !s.time_factor || s.test->smallest_p > comparison.options.alpha) {
    s.outcome = Outcome::untested;
    s.why_not = fmt::format("{} and {} measurements are too few", base.size(), now.size());
  } else {
    // By the logarithm, so that exchanging the sides mirrors the outcome exactly.
    const double effect = std::log(*s.time_factor);
    const bool significant = s.test->p_two_sided <= comparison.options.alpha &&
                             std::abs(effect) >= std::log1p(comparison.options.min_effect);
    // Ranks and medians must agree on the direction; when they do not, the change is of spread.
    const bool agree = (effect > 0) == (s.test->superiority > 0.5);
    s.outcome = !significant || !agree ? Outcome::unchanged
                                       : (effect > 0 ? Outcome::slower : Outcome::faster);
  }
}

bool wrong(const VariantAnalysis& variant) {
  return variant.correctness && !variant.correctness->passed;
}

class Builder {
 public:
  Builder(const Analysis& base, const Analysis& now, const CompareOptions& options)
      : base_(base), now_(now), kernels_(match_kernels(base, now)) {
    result_.options = options;
    result_.differences = find_differences(base, now);
  }

  Comparison build() {
    const Matching variants = match_variants(base_, now_);
    for (const MatchedPair& pair : variants.pairs) {
      add_variant(pair);
    }
    for (const MatchedPair& pair : kernels_.pairs) {
      add_kernel(pair);
    }
    if (l2_differs_) {
      result_.differences.push_back(
          {"counters.l2_merged",
           "what the SMs received was not counted for the same kernels on both sides: their L2 "
           "bytes are set against each other as what L2 looked up",
           Spoils::nothing, ""});
    }
    for (const std::size_t i : variants.only_base) {
      result_.only_base.push_back("variant " + base_.variants[i].name);
    }
    for (const std::size_t i : variants.only_now) {
      result_.only_now.push_back("variant " + now_.variants[i].name);
    }
    for (const std::size_t i : kernels_.only_base) {
      result_.only_base.push_back("kernel " + base_.kernels[i].short_name);
    }
    for (const std::size_t i : kernels_.only_now) {
      result_.only_now.push_back("kernel " + now_.kernels[i].short_name);
    }
    return std::move(result_);
  }

 private:
  void add_variant(const MatchedPair& pair) {
    const VariantAnalysis& base = base_.variants[pair.base];
    const VariantAnalysis& now = now_.variants[pair.now];
    SubjectChange s;
    s.base_index = pair.base;
    s.now_index = pair.now;
    s.base_name = base.name;
    s.now_name = now.name;
    s.matched_by = pair.by;
    s.base_time_s = base.time_s;
    s.now_time_s = now.time_s;
    s.base_wrong = wrong(base);
    s.now_wrong = wrong(now);
    add_changes_alike(variant_quantities(), base, now, s.changes);
    judge(s, base.latency_repeats_s, now.latency_repeats_s, result_, TimedBy::repeats,
          clocks_apart(base_, base, now_, now, kernels_, result_.options.clock_tolerance));
    s.cause = cause_sentence(s);
    result_.variants.push_back(std::move(s));
  }

  void add_kernel(const MatchedPair& pair) {
    const KernelAnalysis& base = base_.kernels[pair.base];
    const KernelAnalysis& now = now_.kernels[pair.now];
    SubjectChange s;
    s.base_index = pair.base;
    s.now_index = pair.now;
    s.base_name = base.short_name;
    s.now_name = now.short_name;
    s.matched_by = pair.by;
    s.base_time_s = mean_launch_s(base);
    s.now_time_s = mean_launch_s(now);
    s.bound_base = base.bound_by;
    s.bound_now = now.bound_by;
    s.bound_pipe_base = base.bound_pipe;
    s.bound_pipe_now = now.bound_pipe;
    add_changes_alike(kernel_quantities(), base, now, s.changes);
    add_stalls(base, now, s.changes);
    judge(s, base.launch_times_s, now.launch_times_s, result_, TimedBy::launches,
          clocks_apart(base, now, result_.options.clock_tolerance));
    s.cause = cause_sentence(s);
    result_.kernels.push_back(std::move(s));
  }

  template <class Subject>
  void add_changes_alike(const std::vector<Quantity<Subject>>& quantities, const Subject& base,
                         const Subject& now, std::vector<Change>& changes) {
    if (l2_counted_differently(base, now)) {
      add_changes(quantities, only_looked_up(base), only_looked_up(now), changes);
      l2_differs_ = true;
    } else {
      add_changes(quantities, base, now, changes);
    }
  }

  const Analysis& base_;
  const Analysis& now_;
  Matching kernels_;
  bool l2_differs_ = false;
  Comparison result_;
};

bool is(const SubjectChange& subject, Outcome outcome) {
  return subject.outcome == outcome;
}

bool regressed(const SubjectChange& subject) {
  return is(subject, Outcome::slower) || (subject.now_wrong && !subject.base_wrong);
}

bool judged(const SubjectChange& subject) {
  return !is(subject, Outcome::untested) && !is(subject, Outcome::not_comparable);
}

struct Judgement {
  ComparisonVerdict verdict;
  std::string reason;
};

Judgement judge_whole(const Comparison& c) {
  const bool by_variant = !c.variants.empty();
  const std::vector<SubjectChange>& subjects = by_variant ? c.variants : c.kernels;
  if (subjects.empty()) {
    return {ComparisonVerdict::no_verdict, "nothing in the two sessions matches"};
  }
  for (const SubjectChange& subject : subjects) {
    if (regressed(subject)) {
      return {ComparisonVerdict::regression,
              subject.now_name + ": " +
                  (subject.now_wrong ? "its result is wrong now" : subject.cause)};
    }
  }
  const auto unjudged = std::find_if_not(subjects.begin(), subjects.end(), &judged);
  const bool none = std::none_of(subjects.begin(), subjects.end(), &judged);
  if (none || (by_variant && unjudged != subjects.end())) {
    return {ComparisonVerdict::no_verdict, unjudged->now_name + ": " + unjudged->why_not};
  }
  const auto gone = std::find_if(c.only_base.begin(), c.only_base.end(),
                                 [](const auto& name) { return name.rfind("variant ", 0) == 0; });
  if (by_variant && gone != c.only_base.end()) {
    return {ComparisonVerdict::no_verdict, *gone + " is gone"};
  }
  return {ComparisonVerdict::fine, "nothing became significantly slower"};
}

}  // namespace

const char* key(Outcome outcome) {
  switch (outcome) {
    case Outcome::faster:
      return "faster";
    case Outcome::slower:
      return "slower";
    case Outcome::unchanged:
      return "unchanged";
    case Outcome::untested:
      return "untested";
    case Outcome::not_comparable:
      return "not_comparable";
  }
  return "untested";
}

const char* key(ComparisonVerdict verdict) {
  switch (verdict) {
    case ComparisonVerdict::fine:
      return "fine";
    case ComparisonVerdict::regression:
      return "regression";
    case ComparisonVerdict::no_verdict:
      return "no_verdict";
  }
  return "no_verdict";
}

std::optional<double> Change::factor() const {
  return base && now && *base > 0 && *now > 0 ? std::optional<double>(*now / *base) : std::nullopt;
}

const Change* SubjectChange::change(const std::string& quantity) const {
  const auto found = std::find_if(changes.begin(), changes.end(),
                                  [&](const Change& one) { return one.quantity.id == quantity; });
  return found == changes.end() ? nullptr : &*found;
}

ComparisonVerdict Comparison::verdict() const {
  return judge_whole(*this).verdict;
}

std::string Comparison::verdict_reason() const {
  return judge_whole(*this).reason;
}

Comparison compare(const Analysis& base, const Analysis& now, const CompareOptions& options) {
  return Builder(base, now, options).build();
}

}  // namespace ridgepoint
