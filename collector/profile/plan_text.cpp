#include "collector/profile/plan_text.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <optional>
#include <set>
#include <utility>

#include "analyzer/core/cache_folder.h"
#include "analyzer/core/data_path.h"
#include "collector/cuda/driver_version.h"
#include "collector/cupti/cupti_library.h"
#include "collector/cupti/profiler_host.h"
#include "collector/profile/cache_control.h"
#include "collector/profile/chips_here.h"
#include "collector/profile/gpu_models.h"
#include "collector/profile/launch_filter.h"
#include "collector/profile/plan_cache.h"

namespace ridgepoint::collector {
namespace {

std::string passes_text(std::size_t count) {
  return fmt::format("{} {}", count, count == 1 ? "pass" : "passes");
}
std::string times_text(std::size_t count) {
  return count == 1 ? "once" : fmt::format("{} times", count);
}
std::string counters_text(std::size_t count) {
  return fmt::format("{} {}", count, count == 1 ? "counter" : "counters");
}

bool counts_in_place(const PassPlan& plan, const ProfileOptions& options) {
  return plan.passes == 1 && options.cache_control != "flush" && options.cache_control != "warm";
}

std::string what_runs(const PassPlan& plan, const ProfileOptions& options) {
  const std::string unit = options.replay == "range" ? "each chosen NVTX range counts as a whole"
                                                     : "each chosen launch is counted";
  if (options.replay != "kernel") {
    return fmt::format(
        "  the program runs {}, {} where it stands; nothing is saved, caches are as the program "
        "leaves them\n  runs are matched by {}; what differs between them is reported\n",
        times_text(plan.passes), unit,
        options.replay == "range" ? "range name, device and order"
                                  : "kernel, grid, block, device and order");
  }
  if (counts_in_place(plan, options)) {
    return "  each chosen launch runs once, where it stands; nothing is saved, caches are as the "
           "program leaves them\n";
  }
  const CacheControl cache = cache_control_of(options.cache_control).value_or(CacheControl::flush);
  std::string text = fmt::format(
      "  each chosen launch runs once as the program made it, and {} more for its counters\n"
      "  saved before it and put back before each pass: the device memory of its context, and the "
      "variables of its module\n  caches before each pass: {}\n",
      times_text(plan.passes), cache_control_text(cache, EmptyL2::not_known));
  text += plan.one_pass_counters == 0
              ? "  no counters for launches that must not run again"
              : fmt::format("  one pass ({}) for launches that must not run again",
                            counters_text(plan.one_pass_counters));
  if (!options.filter.no_replay.empty()) {
    text += fmt::format(
        ": kernels matching {}, and those that use host memory or memory of "
        "other devices",
        options.filter.no_replay);
  }
  return text + "\n";
}

std::string which_launches(const FilterOptions& filter) {
  FilterOptions chosen = filter;
  chosen.no_replay.clear();
  const std::vector<std::string> texts = filter_texts(chosen);
  std::string text = texts.empty() ? "  every launch is chosen\n"
                                   : fmt::format("  chosen: {}\n", fmt::join(texts, "; "));
  if (filter.by_time()) {
    text += "  before that the program runs once more, for the times that decide\n";
  }
  return text;
}

std::string sampling_plan_text(const ProfileOptions& options) {
  std::string text = fmt::format(
      "sampling over time: HBM, L2, tensor pipe and SM activity every {:g} us\n"
      "  each chosen launch runs once, where it stands; the program waits for the GPU before and "
      "after it\n",
      static_cast<double>(options.pm_interval_ns) * 1e-3);
  text += which_launches(options.filter);
  text.pop_back();
  return text;
}

// Its library of counters sets 125 MB to zero when it is loaded, while the driver wakes beside it.
void wake_cupti() {
  if (kernel_driver_version().empty()) {
    return;  // nothing will be counted
  }
  if (const Result<const CuptiApi*> api = load_cupti(cupti_candidates())) {
    static_cast<void>(supported_chips(**api));
  }
}

PlanCache kept_plans() {
  const std::filesystem::path folder = cache_folder();
  return PlanCache(folder.empty() ? folder : folder / "plans.json");
}

// Containers show /proc/driver/nvidia without its GPUs; NVML is there where the driver is.
std::string key_here(const ProfileOptions& options, std::optional<Nvml>& nvml) {
  const Result<std::filesystem::path> data = data_directory();
  const std::string driver = kernel_driver_version();
  if (!data || driver.empty()) {
    return {};
  }
  std::string gpus = gpu_models("/proc/driver/nvidia");
  if (gpus.empty()) {
    if (Result<Nvml> opened = Nvml::open()) {
      nvml.emplace(std::move(*opened));
      gpus = gpu_models(*nvml);
    }
  }
  return plan_key(options, *data, cupti_candidates(), driver, gpus);
}

}  // namespace

std::string plan_text(const PassPlan& plan, const ProfileOptions& options) {
  std::string text = fmt::format(
      "{}: {} in {}, replay: {}\n", plan.chip, counters_text(plan.counters.size()),
      passes_text(plan.passes),
      options.replay == "kernel" && counts_in_place(plan, options) ? "none" : options.replay);
  text += what_runs(plan, options) + which_launches(options.filter);
  if (!plan.too_wide.empty()) {
    text += fmt::format("  not counted, since each takes several passes: {}\n",
                        fmt::join(plan.too_wide, ", "));
  }
  if (!plan.refused.empty()) {
    text += fmt::format("  not counted, since this CUPTI does not have them: {}\n",
                        fmt::join(plan.refused, ", "));
  }
  text.pop_back();
  return text;
}

Status tell_plans(const ProfileOptions& options, std::optional<Nvml>& nvml) {
  if (options.pm_interval_ns > 0) {
    options.tell(sampling_plan_text(options));
  }
  if (options.counter_profile == "none") {
    return {};
  }
  const PlanCache cache = kept_plans();
  const std::string key = key_here(options, nvml);
  std::vector<PassPlan> plans = cache.find(key);
  std::optional<Error> refused;
  if (plans.empty()) {
    std::set<std::string> chips;
    for (const ChipHere& one : chips_here(wake_cupti)) {
      chips.insert(one.chip);
    }
    for (const std::string& chip : chips) {
      Result<PassPlan> plan =
          plan_passes(chip, options.counter_profile, options.counters, options.replay);
      if (plan && !plan->counters.empty()) {
        plans.push_back(std::move(*plan));
      } else if (!plan) {
        refused = plan.error();
      }
    }
    if (!refused) {
      cache.keep(key, plans);
    }
  }
  for (const PassPlan& plan : plans) {
    options.tell("plan for " + plan_text(plan, options));
  }
  // Only names that are wrong everywhere: what else is amiss the run itself will say.
  if (plans.empty() && refused && refused->domain == ErrorDomain::usage) {
    return tl::make_unexpected(*refused);
  }
  return {};
}

}  // namespace ridgepoint::collector
