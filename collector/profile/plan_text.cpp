#include "collector/profile/plan_text.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <optional>
#include <set>
#include <utility>

#include "analyzer/core/cache_folder.h"
#include "analyzer/core/data_path.h"
#include "analyzer/core/text.h"
#include "collector/cuda/driver_version.h"
#include "collector/cupti/cupti_library.h"
#include "collector/cupti/profiler_host.h"
#include "collector/profile/cache_control.h"
#include "collector/profile/chips_here.h"
#include "collector/profile/gpu_models.h"
#include "collector/profile/launch_filter.h"
#include "collector/profile/plan_key.h"

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
        printable(options.filter.no_replay));
  }
  return text + "\n";
}

std::string which_launches(const FilterOptions& filter) {
  FilterOptions chosen = filter;
  chosen.no_replay.clear();
  const std::vector<std::string> texts = filter_texts(chosen);
  std::string text =
      texts.empty()
          ? "  every launch is chosen\n"
          : fmt::format("  chosen: {}\n", printable(fmt::format("{}", fmt::join(texts, "; "))));
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
std::string gpus_here(std::optional<Nvml>& nvml) {
  const std::string gpus = gpu_models("/proc/driver/nvidia");
  if (!gpus.empty() && !are_of_several_models(gpus)) {
    return gpus;
  }
  Result<Nvml> opened = Nvml::open();
  if (!opened) {
    return {};
  }
  nvml.emplace(std::move(*opened));
  return gpu_models(*nvml);
}

std::string key_here(const ProfileOptions& options, std::optional<Nvml>& nvml) {
  const Result<std::filesystem::path> data = data_directory();
  const std::string driver = kernel_driver_version();
  if (!data || driver.empty()) {
    return {};
  }
  return plan_key(options, {"/proc/self/exe", *data, cupti_candidates(), driver, gpus_here(nvml)});
}

// Of each chip here that CUPTI knows. `refused`: why one of them has none, so that these are not
// all.
std::vector<PassPlan> make_plans(const ProfileOptions& options, std::optional<Error>& refused) {
  std::set<std::string> chips;
  for (const ChipHere& one : chips_here(wake_cupti)) {
    chips.insert(one.chip);
  }
  std::vector<PassPlan> plans;
  for (const std::string& chip : chips) {
    if (!cupti_counts_on(chip).value_or(false)) {
      if (!refused) {
        refused = Error{ErrorDomain::device, 0, "planning the passes",
                        "CUPTI does not know the chip of a GPU", ""};
      }
      continue;
    }
    Result<PassPlan> plan =
        plan_passes(chip, options.counter_profile, options.counters, options.replay);
    if (plan && !plan->counters.empty()) {
      plans.push_back(std::move(*plan));
    } else if (!plan) {
      refused = plan.error();
    }
  }
  return plans;
}

}  // namespace

std::string plan_text(const PassPlan& plan, const ProfileOptions& options) {
  std::string text = fmt::format(
      "{}: {} in {}, replay: {}\n", printable(plan.chip), counters_text(plan.counters.size()),
      passes_text(plan.passes),
      options.replay == "kernel" && counts_in_place(plan, options) ? "none" : options.replay);
  text += what_runs(plan, options) + which_launches(options.filter);
  if (!plan.too_wide.empty()) {
    text += fmt::format("  not counted, since each takes several passes: {}\n",
                        printable(fmt::format("{}", fmt::join(plan.too_wide, ", "))));
  }
  if (!plan.refused.empty()) {
    text += fmt::format("  not counted, since this CUPTI does not have them: {}\n",
                        printable(fmt::format("{}", fmt::join(plan.refused, ", "))));
  }
  text.pop_back();
  return text;
}

Result<ToldPlans> tell_plans(const ProfileOptions& options, std::optional<Nvml>& nvml) {
  if (options.pm_interval_ns > 0) {
    options.tell(sampling_plan_text(options));
  }
  ToldPlans told;
  if (options.counter_profile == "none") {
    return told;
  }
  const PlanCache cache = kept_plans();
  told.key = key_here(options, nvml);
  told.plans = cache.find(told.key);
  std::optional<Error> refused;
  if (!told.plans.empty()) {
    told.kept = cache;
  } else {
    told.plans = make_plans(options, refused);
    if (!refused) {
      cache.keep(told.key, told.plans);
    }
  }
  for (const PassPlan& plan : told.plans) {
    options.tell("plan for " + plan_text(plan, options));
  }
  // Only names that are wrong everywhere: what else is amiss the run itself will say.
  if (told.plans.empty() && refused && refused->domain == ErrorDomain::usage) {
    return tl::make_unexpected(*refused);
  }
  return told;
}

}  // namespace ridgepoint::collector
