#include "analyzer/gate/init_budget.h"

#include <fmt/format.h>

#include <cmath>
#include <string>

#include "analyzer/compare/l2_counted_alike.h"
#include "analyzer/compare/quantity.h"
#include "analyzer/gate/conditions.h"

namespace ridgepoint {
namespace {

// Limits are read by people: three digits, rounded away from the measured value.
double rounded_up(double value) {
  if (!(value > 0)) {
    return value;
  }
  const double unit = std::pow(10.0, std::floor(std::log10(value)) - 2);
  // Through its text, so that the file shows 0.00609 and not 0.006090000000000001.
  return std::stod(fmt::format("{:.6g}", std::ceil(value / unit) * unit));
}

BudgetCheck named_check(BudgetScope scope, const std::string& name) {
  BudgetCheck check;
  check.scope = scope;
  check.match = name;
  return check;
}

template <class Subject>
void add_max(std::vector<BudgetCheck>& checks, BudgetCheck check, const Subject& subject,
             const char* quantity, double margin,
             const std::optional<double>& sm_clock_hz = std::nullopt) {
  if (const auto value = value_of(subject, quantity); value && *value > 0) {
    check.quantity = quantity;
    check.max = rounded_up(*value * (1 + margin));
    if (sm_clock_hz) {
      check.sm_clock_hz = std::round(*sm_clock_hz);
    }
    if (counts_merged(quantity)) {
      check.l2_merged = knows_merged(subject);
    }
    checks.push_back(std::move(check));
  }
}

BudgetConditions conditions_of(const Analysis& analysis) {
  BudgetConditions c;
  if (!analysis.devices.empty()) {
    const DeviceInfo& device = analysis.devices.front();
    c.device = device.name;
    c.chip = device.chip;
    c.sm_count = device.sm_count;
  }
  c.cache_control = analysis.policy.cache_control;  // empty where none is stated: a timeline
  c.workload = analysis.attention;
  return c;
}

// Of a kernel that hardly uses HBM the counters see what others left in L2, or wrote back late: its
// next run may well have half or twice as much.
bool counts_for_hbm(const Analysis& analysis, const KernelAnalysis& kernel) {
  constexpr double noticeable = 0.01;
  double all = 0;
  for (const KernelAnalysis& other : analysis.kernels) {
    all += other.variant == kernel.variant ? other.traffic[MemoryLevel::hbm].total.value_or(0) : 0;
  }
  return kernel.traffic[MemoryLevel::hbm].total.value_or(0) >= noticeable * all;
}

}  // namespace

Result<Budget> budget_from(const Analysis& analysis, const InitOptions& options) {
  for (const VariantAnalysis& variant : analysis.variants) {
    if (variant.correctness && !variant.correctness->passed) {
      return fail(ErrorDomain::verdict, "writing a budget",
                  "the result of " + variant.name + " is wrong; its numbers are no budget");
    }
  }
  Budget budget;
  budget.conditions = conditions_of(analysis);
  bool timed = false;
  for (const VariantAnalysis& variant : analysis.variants) {
    const BudgetCheck base = named_check(BudgetScope::variant, variant.name);
    timed = timed || variant.latency.has_value();
    add_max(budget.checks, base, variant, "latency_s.p50", options.margin,
            sm_clock_hz(analysis, variant));
    add_max(budget.checks, base, variant, "hbm_bytes.measured", options.margin);
    add_max(budget.checks, base, variant, "l2_bytes.measured", options.margin);
    // Inputs are the same in every run, but the order of additions need not be.
    add_max(budget.checks, base, variant, "max_error", 1.0);
  }
  for (const KernelAnalysis& kernel : analysis.kernels) {
    BudgetCheck base = named_check(BudgetScope::kernel, kernel.name);
    if (!kernel.variant.empty()) {
      base.variant = kernel.variant;
    }
    // Of one launch: how often a kernel is launched says how long the run was.
    if (!timed) {
      add_max(budget.checks, base, kernel, "per_launch.time_s", options.margin, kernel.sm_clock_hz);
    }
    if (counts_for_hbm(analysis, kernel)) {
      add_max(budget.checks, base, kernel, "per_launch.hbm_bytes", options.margin);
    }
    add_max(budget.checks, base, kernel, "per_launch.flops", options.margin);
  }
  if (budget.checks.empty()) {
    return fail(ErrorDomain::verdict, "writing a budget",
                "the session holds no time, no traffic and no FLOP to keep");
  }
  return budget;
}

}  // namespace ridgepoint
