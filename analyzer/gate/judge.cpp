#include "analyzer/gate/judge.h"

#include <fmt/format.h>

#include <algorithm>

#include "analyzer/compare/l2_counted_alike.h"
#include "analyzer/compare/launch_quantities.h"
#include "analyzer/compare/match.h"
#include "analyzer/gate/absent_names.h"
#include "analyzer/gate/conditions.h"
#include "analyzer/gate/glob.h"
#include "analyzer/gate/launch_repeats.h"
#include "analyzer/gate/limit_test.h"

namespace ridgepoint {
namespace {

Repeats repeats_of(const VariantAnalysis& variant, const std::string& quantity) {
  if (!variant.latency) {
    return {};
  }
  if (quantity == "time_s" || quantity == "latency_s.p50") {
    return {&variant.latency_repeats_s, 0.5, false};
  }
  if (quantity == "tokens_per_s" || quantity == "achieved_flop_per_s") {
    return {&variant.latency_repeats_s, 0.5, true};
  }
  if (quantity == "latency_s.p90") {
    return {&variant.latency_repeats_s, 0.9, false};
  }
  return quantity == "latency_s.p99" ? Repeats{&variant.latency_repeats_s, 0.99, false} : Repeats{};
}

TimedBy timed_by(const VariantAnalysis& variant) {
  return variant.latency ? TimedBy::repeats : TimedBy::launches;
}
TimedBy timed_by(const KernelAnalysis& /*kernel*/) {
  return TimedBy::launches;
}

bool matches(const BudgetCheck& check, const VariantAnalysis& variant) {
  return glob_match(check.match, variant.name);
}
bool matches(const BudgetCheck& check, const KernelAnalysis& kernel) {
  return glob_match(check.variant, kernel.variant) &&
         (glob_match(check.match, kernel.name) || glob_match(check.match, kernel.short_name));
}

AbsentKernel absent_kernel(const KernelAnalysis& kernel) {
  return {kernel.short_name, kernel.name, kernel.variant};
}
AbsentKernel absent_kernel(const VariantAnalysis& variant) {
  return {variant.name, variant.name, ""};
}

const std::string& name_of(const VariantAnalysis& variant) {
  return variant.name;
}
const std::string& name_of(const KernelAnalysis& kernel) {
  return kernel.short_name;
}

class Judge {
 public:
  Judge(const Budget& budget, const Analysis& session, const Analysis* baseline)
      : budget_(budget), session_(session), baseline_(baseline) {
    unmet_ = unmet_conditions(budget.conditions, session);
    if (baseline != nullptr) {
      kernels_ = match_kernels(*baseline, session);
      variants_ = match_variants(*baseline, session);
      between_ = find_differences(*baseline, session);
    }
  }

  GateResult run() {
    for (const BudgetCheck& check : budget_.checks) {
      if (check.scope == BudgetScope::variant) {
        judge_all(check, session_.variants, variants_,
                  baseline_ != nullptr ? &baseline_->variants : nullptr);
      } else {
        judge_all(check, session_.kernels, kernels_,
                  baseline_ != nullptr ? &baseline_->kernels : nullptr);
      }
    }
    name_absent_kernels();
    if (!result_.results.empty()) {
      judge_correctness();
    }
    add_remarks();
    return std::move(result_);
  }

 private:
  template <class Subject>
  void judge_all(const BudgetCheck& check, const std::vector<Subject>& subjects,
                 const Matching& matching, const std::vector<Subject>* before) {
    bool any = false;
    for (std::size_t i = 0; i < subjects.size(); ++i) {
      if (matches(check, subjects[i])) {
        any = true;
        const MatchedPair* pair = matching.of_now(i);
        judge_one(check, subjects[i],
                  pair != nullptr && before != nullptr ? &(*before)[pair->base] : nullptr);
      }
    }
    if (!any) {
      CheckResult result = start(check, check.match, "match");
      result.why = fmt::format("no {} of the session matches", key(check.scope));
      add_absent(std::move(result), ridgepoint::absent_kernel(check.match, check.variant));
    }
    // A subject that vanished must not pass for one that kept its limit.
    for (const std::size_t i :
         before != nullptr ? matching.only_base : std::vector<std::size_t>()) {
      if (matches(check, (*before)[i])) {
        CheckResult result = start(check, name_of((*before)[i]), "match");
        result.why = "the baseline has it, the session does not";
        add_absent(std::move(result), absent_kernel((*before)[i]));
      }
    }
  }

  void add_absent(CheckResult result, AbsentKernel kernel) {
    if (result.scope == BudgetScope::kernel) {
      absent_at_.push_back(result_.results.size());
      absent_.push_back(std::move(kernel));
    }
    result_.results.push_back(std::move(result));
  }

  // When all of them are known, and so which share a name.
  void name_absent_kernels() {
    const std::vector<std::string> names = absent_names(absent_, session_.kernels);
    for (std::size_t i = 0; i < names.size(); ++i) {
      result_.results[absent_at_[i]].shown = names[i];
    }
  }

  template <class Subject>
  void judge_one(const BudgetCheck& check, const Subject& subject, const Subject* before) {
    const auto absolute = [&](const char* kind, bool upper, const std::optional<double>& bound) {
      if (bound) {
        judge_limit<Subject>(check, subject, nullptr, kind, {upper, *bound, std::nullopt, {}});
      }
    };
    const auto relative = [&](const char* kind, bool upper, const std::optional<double>& share) {
      if (share) {
        judge_limit(check, subject, before, kind, {upper, 0, upper ? 1 + *share : 1 - *share, {}});
      }
    };
    absolute("min", false, check.min);
    absolute("max", true, check.max);
    relative("max_increase", true, check.max_increase);
    relative("max_decrease", false, check.max_decrease);
  }

  template <class Subject>
  void judge_limit(const BudgetCheck& check, const Subject& subject, const Subject* before,
                   const char* kind, Limit limit) {
    CheckResult result = start(check, name_of(subject), kind);
    result.value = value_of(subject, check.quantity);
    if (limit.relative && before != nullptr) {
      result.baseline = value_of(*before, check.quantity);
    }
    if (!limit.relative) {
      result.limit = limit.bound;
    } else if (result.baseline) {
      limit.bound = *result.baseline * *limit.relative;
      result.limit = limit.bound;
    }
    result.why = objection(check, result, limit, subject, before);
    if (result.why.empty()) {
      test(check, subject, before, limit, result);
    }
    result_.results.push_back(std::move(result));
  }

  void test(const BudgetCheck& check, const VariantAnalysis& variant, const VariantAnalysis* before,
            Limit& limit, CheckResult& result) const {
    if (limit.relative && before != nullptr) {
      limit.baseline = repeats_of(*before, check.quantity);
    }
    const Repeats repeats = repeats_of(variant, check.quantity);
    settle(repeats, limit, "one value without repeats", result);
  }

  void test(const BudgetCheck& check, const KernelAnalysis& kernel, const KernelAnalysis* before,
            Limit& limit, CheckResult& result) const {
    const LaunchRepeats launches(kernel, limit.relative ? before : nullptr, check.quantity,
                                 budget_.alpha);
    limit.baseline = launches.baseline();
    settle(launches.now(), limit, launches.why_untested(result.quantity), result);
    if (result.status == CheckStatus::failed && result.quantity.basis != Basis::timing &&
        kernel.launches > 1 && adds_up_over_launches(result.quantity)) {
      result.why = launches.why_untested(result.quantity);
    }
  }

  void settle(const Repeats& repeats, const Limit& limit, const std::string& why_untested,
              CheckResult& result) const {
    const LimitVerdict verdict = test_limit(*result.value, repeats, limit, budget_.alpha);
    result.status = verdict.status;
    result.why = verdict.why;
    if (verdict.status == CheckStatus::failed && repeats.times_s == nullptr &&
        result.quantity.basis == Basis::timing) {
      result.why = why_untested + ": significance not tested";
    }
  }

  CheckResult start(const BudgetCheck& check, const std::string& subject, const char* kind) const {
    CheckResult result;
    result.scope = check.scope;
    result.subject = subject;
    const auto info = check.scope == BudgetScope::kernel ? kernel_quantity(check.quantity)
                                                         : variant_quantity(check.quantity);
    result.quantity = info.value_or(
        QuantityInfo{check.quantity, check.quantity, "", Better::neither, Basis::fixed});
    result.limit_kind = kind;
    result.id = check.id.empty() ? check.quantity : check.id;
    return result;
  }

  // Why this limit cannot be judged; empty when it can.
  template <class Subject>
  std::string objection(const BudgetCheck& check, const CheckResult& result, const Limit& limit,
                        const Subject& subject, const Subject* before) const {
    const TimedBy by = timed_by(subject);
    if (const std::string text = spoilt(unmet_, result.quantity.basis, by); !text.empty()) {
      return text;
    }
    if (!result.value) {
      return "not measured in this session";
    }
    if (limit.relative) {
      if (baseline_ == nullptr) {
        return "it is relative to a baseline, and none was read (--baseline)";
      }
      if (const std::string text = spoilt(between_, result.quantity.basis, by); !text.empty()) {
        return text + " (against the baseline)";
      }
      if (before == nullptr) {
        return "the baseline has no counterpart";
      }
      if (!result.baseline) {
        return "not measured in the baseline";
      }
      if (const std::string text = other_launches(result.quantity, subject, *before);
          !text.empty()) {
        return text;
      }
      if (counts_merged(result.quantity.id) && l2_counted_differently(subject, *before)) {
        return "only one of session and baseline counted what the SMs received from L2";
      }
    } else if (check.l2_merged && *check.l2_merged != knows_merged(subject)) {
      return *check.l2_merged
                 ? "the limit counts what the SMs received from L2, and this session does not"
                 : "the limit counts what L2 looked up, and this session what the SMs received";
    }
    if (result.quantity.basis == Basis::counters) {
      return impossible(subject);
    }
    if (result.quantity.basis == Basis::fixed) {
      return {};
    }
    if (limit.relative) {
      return clock_of_baseline(subject, *before);
    }
    return check.sm_clock_hz ? clock_objection(*check.sm_clock_hz, clock_of(subject),
                                               budget_.conditions.clock_tolerance)
                             : std::string();
  }

  // A sum over other numbers of launches: a longer run is no slower kernel.
  static std::string other_launches(const QuantityInfo& quantity, const KernelAnalysis& now,
                                    const KernelAnalysis& before) {
    if (!adds_up_over_launches(quantity) || now.launches == before.launches) {
      return {};
    }
    const std::string of_one = per_launch_id(quantity.id);
    return fmt::format("it adds up over launches, {} of them against {} in the baseline{}",
                       now.launches, before.launches,
                       of_one.empty() ? "" : ": \"" + of_one + "\" is of one launch");
  }
  static std::string other_launches(const QuantityInfo& /*quantity*/,
                                    const VariantAnalysis& /*now*/,
                                    const VariantAnalysis& /*before*/) {
    return {};
  }

  static std::string spoilt(const std::vector<Difference>& differences, Basis basis, TimedBy by) {
    const auto found =
        std::find_if(differences.begin(), differences.end(), [&](const Difference& one) {
          return one.spoils == Spoils::everything ||
                 (basis == Basis::timing && spoils_time(one, by)) ||
                 (one.spoils == Spoils::counters && basis == Basis::counters);
        });
    return found == differences.end() ? std::string() : found->brief;
  }

  std::optional<double> clock_of(const KernelAnalysis& kernel) const { return kernel.sm_clock_hz; }
  std::optional<double> clock_of(const VariantAnalysis& variant) const {
    return sm_clock_hz(session_, variant);
  }

  std::string impossible(const KernelAnalysis& kernel) const { return impossible_counters(kernel); }
  std::string impossible(const VariantAnalysis& variant) const {
    for (const std::size_t kernel : variant.kernels) {
      if (std::string text = impossible_counters(session_.kernels[kernel]); !text.empty()) {
        return text;
      }
    }
    return {};
  }

  std::string moved(bool apart) const {
    return apart ? fmt::format("the SM clock moved by more than {:.0f} % against the baseline",
                               budget_.conditions.clock_tolerance * 100)
                 : std::string();
  }
  std::string clock_of_baseline(const KernelAnalysis& kernel, const KernelAnalysis& before) const {
    return moved(clocks_apart(before, kernel, budget_.conditions.clock_tolerance));
  }
  std::string clock_of_baseline(const VariantAnalysis& variant,
                                const VariantAnalysis& before) const {
    return moved(clocks_apart(*baseline_, before, session_, variant, kernels_,
                              budget_.conditions.clock_tolerance));
  }

  void judge_correctness() {
    for (const VariantAnalysis& variant : session_.variants) {
      if (!variant.correctness) {
        continue;
      }
      CheckResult result;
      result.id = "correctness";
      result.subject = variant.name;
      result.quantity = *variant_quantity("max_error");
      result.limit_kind = "correct";
      result.value = value_of(variant, "max_error");
      result.status = variant.correctness->passed ? CheckStatus::passed : CheckStatus::failed;
      result.why = variant.correctness->passed
                       ? ""
                       : "its result is wrong (" + variant.correctness->method + ")";
      result_.results.push_back(std::move(result));
    }
  }

  void add_remarks() {
    for (const Issue& issue : session_.issues) {
      result_.remarks.push_back({issue.code, issue.text});
    }
    for (const Difference& one : unmet_) {
      result_.remarks.push_back({one.code, one.text});
    }
    for (const Difference& one : between_) {
      result_.remarks.push_back({one.code, "against the baseline: " + one.text});
    }
  }

  const Budget& budget_;
  const Analysis& session_;
  const Analysis* baseline_;
  Matching kernels_, variants_;
  std::vector<Difference> unmet_;    // the budget's conditions
  std::vector<Difference> between_;  // baseline and session
  GateResult result_;
  std::vector<AbsentKernel> absent_;
  std::vector<std::size_t> absent_at_;  // their results
};

}  // namespace

const char* key(CheckStatus status) {
  switch (status) {
    case CheckStatus::passed:
      return "passed";
    case CheckStatus::failed:
      return "failed";
    case CheckStatus::no_verdict:
      return "no_verdict";
  }
  return "no_verdict";
}

std::size_t GateResult::count(CheckStatus status) const {
  return static_cast<std::size_t>(
      std::count_if(results.begin(), results.end(),
                    [&](const CheckResult& result) { return result.status == status; }));
}

CheckStatus GateResult::verdict() const {
  if (count(CheckStatus::failed) > 0) {
    return CheckStatus::failed;
  }
  return results.empty() || count(CheckStatus::no_verdict) > 0 ? CheckStatus::no_verdict
                                                               : CheckStatus::passed;
}

GateResult judge_budget(const Budget& budget, const Analysis& session, const Analysis* baseline) {
  return Judge(budget, session, baseline).run();
}

}  // namespace ridgepoint
