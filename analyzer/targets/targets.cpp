#include "analyzer/targets/targets.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "analyzer/roofline/placement.h"
#include "analyzer/stalls/stall_names.h"
#include "analyzer/targets/reach.h"

namespace ridgepoint {
namespace {

// What the targets are judged on: a variant, or the whole program.
struct Subject {
  std::string name;
  std::vector<const KernelAnalysis*> kernels;
  std::optional<LatencyStats> latency;
  // FLOP executed / FLOP of its products, where most are padding: then neither busy arithmetic nor
  // busy shared memory, which feeds it, says anything for the variant.
  std::optional<double> padding;
};

constexpr double smallest_count_for_p99 = 100;
constexpr double nearly_all = 0.999;
constexpr double mostly_padding = 2;  // a causal mask alone, computed whole, makes just under 2

// Three significant digits, as the reports print the value beside it.
std::string percent(double share) {
  const double value = share * 100;
  const int decimals = value >= 99.95 ? 0 : (value >= 9.995 ? 1 : (value >= 0.9995 ? 2 : 3));
  return fmt::format("{:.{}f} %", value, decimals);
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

// The roofs that were looked at: "HBM bandwidth, compute and L2 bandwidth".
std::string roofs_text(Resource resource, const std::vector<Resource>& rivals) {
  std::string text = resource == Resource::memory ? "its busiest memory level" : label(resource);
  for (std::size_t i = 0; i < rivals.size(); ++i) {
    text += (i + 1 < rivals.size() ? ", " : " and ") + std::string(label(rivals[i]));
  }
  return text;
}

TargetResult judge_utilisation(TargetResult result, const Reach& reach, const char* resource,
                               const std::string& roofs) {
  result.value = reach.achieved;
  if (!reach.achieved) {
    result.why = fmt::format("How much of the {} peak is used was not measured.", resource);
  } else if (*reach.achieved >= result.target) {
    result.verdict = Verdict::met;
    result.why = fmt::format("{} of the {} peak is used.", percent(*reach.achieved), resource);
  } else if (reach.attainable && *reach.attainable < result.target && reach.obstacle &&
             reach.rivals_share < nearly_all) {
    // Kernels unlike one another: no resource can be full all the time.
    result.why = fmt::format(
        "With every kernel as fast as {} allow, {} of the time would go to kernels with a nearer "
        "roof than {}, mostly {}: the work done would use {} of the {} peak (now {}).",
        roofs, percent(reach.rivals_share), resource, ridgepoint::label(*reach.obstacle),
        percent(*reach.attainable), resource, percent(*reach.achieved));
  } else if (reach.attainable && *reach.attainable < result.target && reach.obstacle) {
    result.why = fmt::format(
        "The roof of {} is nearer: even running right under it, the work done would use {} of the "
        "{} peak (now {}).",
        ridgepoint::label(*reach.obstacle), percent(*reach.attainable), resource,
        percent(*reach.achieved));
  } else {
    result.verdict = Verdict::missed;
    result.why = fmt::format("{} of the {} peak is used, and no nearer roof excuses it.",
                             percent(*reach.achieved), resource);
  }
  return result;
}

// Even where a memory target could be reached in principle: what arithmetic binds is judged by the
// compute target, and the memory level may idle.
void excuse_compute_bound(TargetResult& result, const std::vector<const KernelAnalysis*>& kernels,
                          const char* resource) {
  constexpr double most = 0.5;
  const double share = compute_bound_share(kernels);
  if (result.verdict != Verdict::missed || share <= most) {
    return;
  }
  result.verdict = Verdict::not_applicable;
  result.why = fmt::format(
      "{} of the {} peak is used, but {} of the time goes to kernels bound by compute or issue "
      "slots: idle bandwidth is no fault of theirs.",
      percent(result.value.value_or(0)), resource, percent(share));
}

// A peak reached with padding would be no merit, and falling short of it is no fault.
void discount_padding(TargetResult& result, const std::optional<double>& padding) {
  if (padding && result.value && result.verdict != Verdict::not_applicable) {
    result.verdict = Verdict::not_applicable;
    result.why = fmt::format(
        "{} of the compute peak is used, but only one in {:.3g} FLOP executed is of the problem: "
        "the rest is padding, to be left away and not to be made faster.",
        percent(*result.value), *padding);
  }
}

// Operands of padding pass shared memory like all others, and no counter tells them apart.
void discount_padded_operands(TargetResult& result, const std::optional<double>& padding,
                              const char* resource) {
  if (padding && result.value && result.verdict != Verdict::not_applicable) {
    result.verdict = Verdict::not_applicable;
    result.why = fmt::format(
        "{} of the {} peak is used, but only one in {:.3g} FLOP executed is of the problem, and "
        "how "
        "many of the shared-memory bytes served rows of padding was not counted: neither merit nor "
        "fault.",
        percent(*result.value), resource, *padding);
  }
}

// A memory target that only shared memory's roof would excuse, were there no padding.
void tell_of_padded_operands(TargetResult& result, const Subject& subject, Resource resource) {
  if (!subject.padding || result.verdict != Verdict::missed) {
    return;
  }
  const Reach reach = reach_of(subject.kernels, resource, {Resource::smem});
  const Reach smem = reach_of(subject.kernels, Resource::smem, {});
  if (reach.attainable && *reach.attainable < result.target && smem.achieved) {
    result.why = fmt::format(
        "{} of the {} peak is used. Shared memory is nearer to its roof, busy to {}, but only one "
        "in {:.3g} FLOP executed is of the problem, and how many of its bytes served rows of "
        "padding was not counted: that excuses nothing.",
        percent(result.value.value_or(0)), label(resource), percent(*smem.achieved),
        *subject.padding);
  }
}

// Whether most of the kernels' time goes to such whose busiest level of memory is shared memory.
bool smem_leads(const std::vector<const KernelAnalysis*>& kernels) {
  double time_s = 0;
  double led_s = 0;
  for (const KernelAnalysis* kernel : kernels) {
    const auto& smem = kernel->utilisation[MemoryLevel::smem];
    const double own_s = kernel->time_s.value_or(0);
    time_s += own_s;
    led_s += smem && smem > kernel->utilisation[MemoryLevel::hbm] &&
                     smem > kernel->utilisation[MemoryLevel::l2]
                 ? own_s
                 : 0;
  }
  return led_s > time_s / 2;
}

// What keeps the FLOP from their peak although they fall short of it.
void name_busy_pipe(TargetResult& result, const std::vector<const KernelAnalysis*>& kernels) {
  const KernelAnalysis* longest = nullptr;
  for (const KernelAnalysis* kernel : kernels) {
    if (longest == nullptr || kernel->time_s.value_or(0) > longest->time_s.value_or(0)) {
      longest = kernel;
    }
  }
  if (result.verdict == Verdict::missed && longest != nullptr &&
      longest->bound_by == BoundBy::compute && !longest->bound_pipe.empty()) {
    result.why = fmt::format(
        "{} of the compute peak is used in FLOP; in {} the {} is nearer to its limit, busy to {}.",
        percent(result.value.value_or(0)), longest->short_name, longest->bound_pipe,
        percent(arithmetic_utilisation(*longest).value_or(0)));
  }
}

void judge_resources(const Subject& subject, const TargetLimits& limits,
                     std::vector<TargetResult>& results) {
  const auto& kernels = subject.kernels;
  // All rivals together, so that the one named is the nearest, as the table of kernels has it.
  const auto judge = [&](const char* id, const char* name, double target, Resource resource,
                         std::vector<Resource> rivals) {
    if (subject.padding) {
      rivals.erase(std::remove_if(rivals.begin(), rivals.end(),
                                  [](Resource rival) {
                                    return rival == Resource::compute || rival == Resource::smem;
                                  }),
                   rivals.end());
    }
    TargetResult result = judge_utilisation(start(subject, id, name, target, true, "share"),
                                            reach_of(kernels, resource, rivals), label(resource),
                                            roofs_text(resource, rivals));
    if (resource == Resource::compute) {
      name_busy_pipe(result, kernels);
      discount_padding(result, subject.padding);
    } else if (!subject.padding) {
      excuse_compute_bound(result, kernels, label(resource));
    } else if (resource == Resource::smem ||
               (resource == Resource::memory && smem_leads(kernels))) {
      discount_padded_operands(result, subject.padding, label(resource));
    } else {
      tell_of_padded_operands(result, subject, resource);
    }
    results.push_back(std::move(result));
  };
  judge("hbm_bandwidth_utilisation", "HBM bandwidth utilisation", limits.hbm_bandwidth_utilisation,
        Resource::hbm, {Resource::compute, Resource::smem, Resource::l2});
  judge("smem_bandwidth_utilisation", "Shared-memory bandwidth utilisation",
        limits.smem_bandwidth_utilisation, Resource::smem,
        {Resource::compute, Resource::hbm, Resource::l2});
  judge("compute_utilisation", "Compute utilisation", limits.compute_utilisation, Resource::compute,
        {Resource::hbm});
  judge("memory_utilisation", "Memory utilisation", limits.memory_utilisation, Resource::memory,
        {Resource::compute});
}

TargetResult judge_stalls(const Subject& subject, double target) {
  TargetResult result =
      start(subject, "memory_stall_ratio", "Memory stall ratio", target, false, "share");
  double weight = 0;
  double stalled = 0;
  // Weighed by time as the ratio is: a short kernel that waits for one thing alone does not lead.
  std::map<std::string, double> by_reason;
  for (const KernelAnalysis* kernel : subject.kernels) {
    if (!kernel->memory_stall_ratio || !kernel->time_s) {
      const bool any = std::any_of(
          subject.kernels.begin(), subject.kernels.end(),
          [](const KernelAnalysis* one) { return one->memory_stall_ratio.has_value(); });
      result.why = !any ? "Stall reasons were not sampled."
                   : kernel->memory_stall_ratio
                       ? "Not every kernel was timed."
                       : "Stall reasons were not sampled for every kernel.";
      return result;
    }
    weight += *kernel->time_s;
    stalled += *kernel->memory_stall_ratio * *kernel->time_s;
    for (const StallShare& stall : kernel->stalls) {
      if (stall.memory) {
        by_reason[stall.reason] += stall.share * *kernel->time_s;
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
  const auto leading =
      std::max_element(by_reason.begin(), by_reason.end(),
                       [](const auto& a, const auto& b) { return a.second < b.second; });
  result.why += leading != by_reason.end()
                    ? fmt::format("; the leading reason is {}.", stall_words(leading->first))
                    : ".";
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
  result.why = fmt::format("99 % of {} timed runs took at most that.", subject.latency->count);
  if (static_cast<double>(subject.latency->count) < smallest_count_for_p99) {
    result.why += " With fewer than 100 runs this is close to the slowest of them.";
  }
  return result;
}

std::vector<Subject> subjects_of(const Analysis& analysis) {
  std::vector<Subject> subjects;
  for (const VariantAnalysis& variant : analysis.variants) {
    Subject subject{variant.name, {}, variant.latency, variant.flop_excess()};
    if (subject.padding && *subject.padding < mostly_padding) {
      subject.padding.reset();
    }
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
    judge_resources(subject, limits, results);
    results.push_back(judge_stalls(subject, limits.memory_stall_ratio));
    results.push_back(judge_latency(subject, limits.p99_latency_s));
  }
  return results;
}

}  // namespace ridgepoint
