#include "cli/commands/profile_checks.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <utility>
#include <vector>

namespace ridgepoint::cli {
namespace {

struct Group {
  bool idle = false;  // in this run its options change nothing
  std::vector<const char*> options;
  std::string why;
  std::string hint;
};

std::vector<Group> groups(const collector::ProfileOptions& options) {
  const bool counts = options.counter_profile != "none";
  const bool samples = options.pm_interval_ns > 0;
  const bool by_range = options.replay == "range";
  const bool in_range = !options.filter.nvtx.empty() || !options.filter.nvtx_domain.empty();
  const std::string count = "count launches: --counters lite, for example";
  const std::string whose_choice =
      options.stalls ? "it chooses launches to count or to sample over time, and --stalls samples "
                       "the warps of every kernel"
                     : "it chooses launches to count or to sample over time, and a timeline has "
                       "every launch";
  const std::string instead =
      options.stalls ? "leave it out; `ridgepoint report SESSION --hotspots REGEX` shows one kernel"
                     : count;
  const std::string by_number = "choose ranges by --nth, --launch-skip or --launch-count";
  return {
      {counts,
       {"--every-launch", "--graphs", "--listen"},
       "only a timeline has it, and counters are taken",
       "--counters none takes a timeline"},
      {!options.stalls, {"--sampling-period"}, "no stalls are sampled", "add --stalls"},
      {!counts,
       {"--cache-control", "--replay"},
       "no counters are taken, so no kernel runs again",
       "leave it out, or " + count},
      {!counts && !samples,
       {"--replay-timeout", "--no-replay"},
       "no counters are taken, so no kernel runs again",
       "leave it out, or " + count},
      {!counts && !samples,
       {"--kernel", "--nvtx", "--nvtx-domain", "--nvtx-scope", "--device", "--top",
        "--min-duration", "--nth", "--launch-skip", "--launch-count"},
       whose_choice,
       instead},
      {by_range,
       {"--kernel"},
       "--replay range counts ranges, not kernels",
       "leave it out, or use --replay application"},
      {by_range,
       {"--top", "--min-duration"},
       "it chooses kernels, and --replay range counts ranges",
       by_number + ", or use --replay application"},
      {by_range,
       {"--nvtx-scope"},
       "it says which launches are in a range, and --replay range "
       "counts each range as a whole",
       "leave it out"},
      {by_range,
       {"--no-replay"},
       "with --replay range no kernel is run again by itself",
       "leave it out"},
      {options.replay != "kernel",
       {"--cache-control"},
       "kernels do not run again with --replay " + options.replay +
           ": caches are as the program leaves them",
       "leave it out"},
      {!in_range,
       {"--nvtx-scope"},
       "no NVTX range is named",
       "name it with --nvtx, for example --nvtx '^step$'"},
  };
}

// An empty value is most often a shell variable that was not set; it would choose everything.
Status refuse_empty(const collector::ProfileOptions& options,
                    const std::function<bool(const std::string&)>& given) {
  struct Text {
    const char* option;
    const std::string& value;
    const char* hint;
  };
  const Text texts[] = {
      {"--kernel", options.filter.kernel, "leave it out to take every kernel"},
      {"--nvtx", options.filter.nvtx, "leave it out to take launches in and outside of ranges"},
      {"--nvtx-domain", options.filter.nvtx_domain,
       "leave it out for ranges of any domain; --nvtx '@REGEX' means the domain without a name"},
      {"--nth", options.filter.nth, "leave it out to take every launch"},
  };
  for (const Text& text : texts) {
    if (given(text.option) && text.value.empty()) {
      return fail(ErrorDomain::usage, std::string("profile ") + text.option, "its value is empty",
                  text.hint);
    }
  }
  return {};
}

// Names that cannot be counters' whatever the chip.
Status check_counters(const collector::ProfileOptions& options) {
  const char* const profiles = "none, lite, default, full, or counters with commas between them";
  if (options.counter_profile == "custom" && options.counters.empty()) {
    return fail(ErrorDomain::usage, "profile --counters", "it names no counter", profiles);
  }
  for (const std::string& name : options.counters) {
    if (name == "none") {
      return fail(ErrorDomain::usage, "profile --counters",
                  "it names none, a timeline without counters, beside counters", profiles);
    }
    if (name.find_first_not_of("0123456789") == std::string::npos) {
      return fail(ErrorDomain::usage, "profile --counters", name + " is no counter",
                  "at most " + name + " launches are counted with --launch-count " + name);
    }
  }
  return {};
}

Status refuse_idle(const collector::ProfileOptions& options,
                   const std::function<bool(const std::string&)>& given) {
  for (const Group& group : groups(options)) {
    for (const char* option : group.options) {
      if (group.idle && given(option)) {
        return fail(ErrorDomain::usage, std::string("profile ") + option, group.why, group.hint);
      }
    }
  }
  return {};
}

}  // namespace

Status check_profile_options(const collector::ProfileOptions& options,
                             const std::function<bool(const std::string&)>& given) {
  if (Status named = check_counters(options); !named) {
    return named;
  }
  if (Status full = refuse_empty(options, given); !full) {
    return full;
  }
  if (options.stalls && options.counter_profile != "none") {
    return fail(ErrorDomain::usage, "profile --stalls",
                "the GPU takes stall samples or counters in a run, not both",
                fmt::format("run once with --stalls and once with --counters {}",
                            options.counters.empty()
                                ? options.counter_profile
                                : fmt::format("{}", fmt::join(options.counters, ","))));
  }
  if (options.pm_interval_ns > 0 && (options.stalls || options.counter_profile != "none")) {
    return fail(ErrorDomain::usage, "profile --pm-sampling",
                "the GPU takes samples over time, stall samples or counters in a run, not two of "
                "them",
                "run once for each: --pm-sampling alone, then without it");
  }
  if (Status idle = refuse_idle(options, given); !idle) {
    return idle;
  }
  if (options.replay == "range" && options.filter.nvtx.empty() &&
      options.filter.nvtx_domain.empty()) {
    return fail(ErrorDomain::usage, "profile --replay range", "no range is named",
                "name it with --nvtx, for example --nvtx '^step$'");
  }
  return {};
}

}  // namespace ridgepoint::cli
