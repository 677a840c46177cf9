#include "analyzer/targets/targets.h"

#include <fmt/format.h>

#include <algorithm>

#include "analyzer/targets/reach.h"

namespace ridgepoint {
namespace {

// What the targets are judged on: a variant, or the whole program.
struct Subject {
  std::string name;
  std::vector<const KernelAnalysis*> kernels;
  std::optional<LatencyStats> latency;
};

constexpr double smallest_count_for_p99 = 100;

std::string percent(double share) {
  return fmt::format("{:.1f} %", share * 100);
}

TargetResult start(const Subject& subject, const char* id, const char* label, double target,
                   bool at_least, const char* unit) {
  TargetResult result;
  result.id = id;
  result.label = label;
  result.variant = subject.name;
  result.target = target;
  result.at_least = at_least;
  result.unit = unit;
  return result;
}

TargetResult judge_utilisation(const Subject& subject, const char* id, const char* label,
                               double target, const Reach& reach, const char* resource,
                               const std::optional<Resource>& binding) {
  TargetResult result = start(subject, id, label, target, true, "share");
  result.value = reach.achieved;
  if (!reach.achieved) {
    result.why = fmt::format("The {} utilisation was not measured.", resource);
  } else if (*reach.achieved >= target) {
    result.verdict = Verdict::met;
    result.why = fmt::format("{} of the peak is used.", percent(*reach.achieved));
  } else if (reach.attainable && *reach.attainable < target && binding) {
    result.why = fmt::format(
        "The roof that binds is {}: even running right at it, the kernels would use {} of the {} "
        "peak, so that the "
        "target does not apply.",
        ridgepoint::label(*binding), percent(*reach.attainable), resource);
  } else {
    result.verdict = Verdict::missed;
    result.why =
        fmt::format("{} of the peak is used; at their nearest roof the kernels would use {}.",
                    percent(*reach.achieved), percent(reach.attainable.value_or(1)));
  }
  return result;
}

// The busiest level: kernels that saturate any level of the memory system use it well.
Reach busiest_level(const ResourceUse& use, const char*& name) {
  Reach busiest;
  for (const Resource level : {Resource::hbm, Resource::l2, Resource::smem}) {
    if (use[level].achieved && *use[level].achieved > busiest.achieved.value_or(-1)) {
      busiest = use[level];
      name = label(level);
    }
  }
  return busiest;
}

TargetResult judge_stalls(const Subject& subject, double target) {
  TargetResult result =
      start(subject, "memory_stall_ratio", "Memory stall ratio", target, false, "share");
  double weight = 0;
  double stalled = 0;
  const StallShare* leading = nullptr;
  for (const KernelAnalysis* kernel : subject.kernels) {
    if (!kernel->memory_stall_ratio || !kernel->time_s) {
      result.why = "Stall reasons were not sampled for every kernel.";
      return result;
    }
    weight += *kernel->time_s;
    stalled += *kernel->memory_stall_ratio * *kernel->time_s;
    for (const StallShare& stall : kernel->stalls) {
      if (stall.memory && (leading == nullptr || stall.share > leading->share)) {
        leading = &stall;
      }
    }
  }
  if (weight <= 0) {
    result.why = "Stall reasons were not sampled.";
    return result;
  }
  result.value = stalled / weight;
  result.verdict = *result.value <= target ? Verdict::met : Verdict::missed;
  result.why =
      fmt::format("{} of the warps' time is spent waiting for memory", percent(*result.value));
  result.why +=
      leading != nullptr ? fmt::format("; the leading reason is {}.", leading->reason) : ".";
  return result;
}

TargetResult judge_latency(const Subject& subject, double target) {
  TargetResult result = start(subject, "p99_latency", "P99 latency", target, false, "s");
  if (!subject.latency) {
    result.why = "No repeated timings were taken.";
    return result;
  }
  result.value = subject.latency->p99;
  result.verdict = *result.value <= target ? Verdict::met : Verdict::missed;
  result.why = fmt::format("99 % of {} timed runs took at most {:.4g} ms.", subject.latency->count,
                           *result.value * 1e3);
  if (static_cast<double>(subject.latency->count) < smallest_count_for_p99) {
    result.why += " With fewer than 100 runs this is close to the slowest of them.";
  }
  return result;
}

std::vector<Subject> subjects_of(const Analysis& analysis) {
  std::vector<Subject> subjects;
  for (const VariantAnalysis& variant : analysis.variants) {
    Subject subject{variant.name, {}, variant.latency};
    for (const std::size_t kernel : variant.kernels) {
      subject.kernels.push_back(&analysis.kernels[kernel]);
    }
    subjects.push_back(std::move(subject));
  }
  if (subjects.empty() && !analysis.kernels.empty()) {
    Subject program;
    for (const KernelAnalysis& kernel : analysis.kernels) {
      program.kernels.push_back(&kernel);
    }
    subjects.push_back(std::move(program));
  }
  return subjects;
}

}  // namespace

std::vector<TargetResult> judge_targets(const Analysis& analysis, const TargetLimits& limits) {
  std::vector<TargetResult> results;
  for (const Subject& subject : subjects_of(analysis)) {
    const ResourceUse use = use_of_resources(subject.kernels);
    results.push_back(judge_utilisation(
        subject, "hbm_bandwidth_utilisation", "HBM bandwidth utilisation",
        limits.hbm_bandwidth_utilisation, use[Resource::hbm], label(Resource::hbm), use.binding));
    results.push_back(judge_utilisation(subject, "smem_bandwidth_utilisation",
                                        "Shared-memory bandwidth utilisation",
                                        limits.smem_bandwidth_utilisation, use[Resource::smem],
                                        label(Resource::smem), use.binding));
    results.push_back(judge_stalls(subject, limits.memory_stall_ratio));
    results.push_back(judge_latency(subject, limits.p99_latency_s));
    results.push_back(judge_utilisation(subject, "compute_utilisation", "Compute utilisation",
                                        limits.compute_utilisation, use[Resource::compute],
                                        label(Resource::compute), use.binding));
    const char* level = "memory";
    const Reach busiest = busiest_level(use, level);
    results.push_back(judge_utilisation(subject, "memory_utilisation", "Memory utilisation",
                                        limits.memory_utilisation, busiest, level, use.binding));
  }
  return results;
}

}  // namespace ridgepoint
