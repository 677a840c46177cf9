#include "analyzer/analysis/analyse.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>

#include "analyzer/analysis/checks.h"
#include "analyzer/analysis/kernel_energy.h"
#include "analyzer/analysis/kernels.h"
#include "analyzer/analysis/launch_groups.h"
#include "analyzer/analysis/missing.h"
#include "analyzer/analysis/pm_traces.h"
#include "analyzer/analysis/power.h"
#include "analyzer/analysis/ranges.h"
#include "analyzer/analysis/short_names.h"
#include "analyzer/analysis/time_share.h"
#include "analyzer/analysis/variants.h"
#include "analyzer/analysis/watched_clocks.h"
#include "analyzer/roofline/ceilings.h"
#include "analyzer/roofline/measured_ceilings.h"
#include "analyzer/roofline/nsight_shares.h"
#include "analyzer/rules/registry.h"
#include "analyzer/stalls/hot_spots.h"
#include "analyzer/targets/cost.h"
#include "analyzer/targets/savings.h"
#include "analyzer/timeline/analyse_timeline.h"
#include "analyzer/traffic/traffic_split.h"

namespace ridgepoint {
namespace {

Status check_indices(const Session& session) {
  const bool consistent =
      std::all_of(session.launches.begin(), session.launches.end(), [&](const Launch& launch) {
        return launch.kernel < session.kernels.size() && launch.device < session.devices.size();
      });
  return consistent ? Status()
                    : fail(ErrorDomain::internal, "analysing the session",
                           "a launch names a kernel or device that the session does not have");
}

// What data/ knows of each device. A chip nobody described leaves the session readable, with less
// to say about it.
Result<std::vector<DeviceKnowledge>> look_up(const Session& session, std::vector<Issue>& issues) {
  const auto maps = load_counter_maps();
  if (!maps) {
    return tl::make_unexpected(maps.error());
  }
  std::vector<DeviceKnowledge> knowledge;
  for (const DeviceInfo& device : session.devices) {
    DeviceKnowledge known;
    auto chip = device.chip.empty()
                    ? find_chip(device.compute_capability_major, device.compute_capability_minor)
                    : find_chip(device.chip);
    if (!chip) {
      return tl::make_unexpected(chip.error());
    }
    known.chip = std::move(*chip);
    const std::string name =
        device.chip.empty() && known.chip ? known.chip->chips.front() : device.chip;
    if (name != device.chip) {
      issues.push_back(
          {"chip.assumed",
           fmt::format("CUPTI did not name the chip; compute capability {}.{} is that "
                       "of {}, whose rates are used",
                       device.compute_capability_major, device.compute_capability_minor, name)});
    }
    for (const CounterMap& map : *maps) {
      if (std::find(map.chips.begin(), map.chips.end(), name) != map.chips.end()) {
        known.counters = map;
      }
    }
    if (!known.chip) {
      issues.push_back(
          {"chip.unknown",
           fmt::format("the rates of chip \"{}\" are not described: ceilings are those "
                       "that counters or micro-benchmarks gave",
                       device.chip)});
    }
    if (!known.counters) {
      issues.push_back(
          {"counters.unknown_chip",
           fmt::format("no counter map lists chip \"{}\": its counters are not interpreted",
                       device.chip)});
    }
    knowledge.push_back(std::move(known));
  }
  return knowledge;
}

void report_incomplete(const KernelAnalysis& kernel, const std::vector<std::string>& incomplete,
                       std::vector<Issue>& issues) {
  if (incomplete.empty()) {
    return;
  }
  std::string ids;
  for (const std::string& id : incomplete) {
    ids += (ids.empty() ? "" : ", ") + id;
  }
  issues.push_back(
      {"counters.incomplete",
       fmt::format("{}: not every launch has {}; these are left out", kernel.short_name, ids)});
}

// Clocks and peaks seen on the first device, for the chart's ceilings.
Quantities seen_on_first_device(const SessionTables& tables) {
  std::vector<std::uint32_t> launches;
  const std::vector<Launch>& all = tables.session.launches;
  for (std::uint32_t launch = 0; launch < all.size(); ++launch) {
    if (all[launch].device == 0) {
      launches.push_back(launch);
    }
  }
  std::vector<std::string> incomplete;
  return tables.counters.front().gather(launches, tables.times_s, incomplete);
}

// Groups of the same order as the analysis shows them: variants first, then by time.
void order_by_time(std::vector<LaunchGroup>& groups, const std::vector<double>& times_s) {
  const auto time_of = [&](const LaunchGroup& group) {
    double time = 0;
    for (const std::uint32_t launch : group.launches) {
      time += std::isnan(times_s[launch]) ? 0 : times_s[launch];
    }
    return time;
  };
  const auto first_loose = std::find_if(
      groups.begin(), groups.end(), [](const LaunchGroup& group) { return group.variant.empty(); });
  std::vector<std::pair<double, LaunchGroup>> loose;
  for (auto at = first_loose; at != groups.end(); ++at) {
    loose.emplace_back(time_of(*at), std::move(*at));
  }
  std::stable_sort(loose.begin(), loose.end(),
                   [](const auto& a, const auto& b) { return a.first > b.first; });
  std::transform(loose.begin(), loose.end(), first_loose,
                 [](auto& one) { return std::move(one.second); });
}

RuleContext rule_context(const Analysis& analysis, const Session& session,
                         const std::vector<LaunchGroup>& groups,
                         const std::vector<DeviceKnowledge>& knowledge) {
  RuleContext context{analysis, session, {}, {}, {}};
  for (const LaunchGroup& group : groups) {
    context.tiles.push_back(group.tile);
    const std::uint32_t device = session.launches[group.launches.front()].device;
    context.devices.push_back(&session.devices[device]);
    context.chips.push_back(knowledge[device].chip ? &*knowledge[device].chip : nullptr);
  }
  return context;
}

std::vector<std::uint32_t> kernel_of_launch(const Session& session,
                                            const std::vector<LaunchGroup>& groups) {
  std::vector<std::uint32_t> kernels(session.launches.size());
  for (std::size_t group = 0; group < groups.size(); ++group) {
    for (const std::uint32_t launch : groups[group].launches) {
      kernels[launch] = static_cast<std::uint32_t>(group);
    }
  }
  return kernels;
}

// In the order of `groups`.
void add_kernels(const SessionTables& tables, const std::vector<LaunchGroup>& groups,
                 Analysis& analysis) {
  std::vector<std::vector<std::string>> incomplete;
  for (const LaunchGroup& group : groups) {
    AnalysedKernel analysed = analyse_kernel(tables, group);
    analysis.kernels.push_back(std::move(analysed.kernel));
    incomplete.push_back(std::move(analysed.incomplete));
  }
  assign_short_names(analysis.kernels);
  share_out_time(analysis.kernels);
  for (std::size_t i = 0; i < groups.size(); ++i) {
    report_incomplete(analysis.kernels[i], incomplete[i], analysis.issues);
  }
}

void add_workload(const Session& session, const std::vector<LaunchGroup>& groups,
                  const std::vector<DeviceKnowledge>& knowledge, Analysis& analysis) {
  analysis.attention = session.attention->shape;
  analysis.variants = analyse_variants(session, groups, analysis.kernels, knowledge);
  std::map<std::string, std::int64_t> parts;
  for (const VariantRun& run : session.attention->variants) {
    parts[run.name] = split_parts(session, run);
  }
  std::vector<std::vector<TensorUse>> uses;
  for (const LaunchGroup& group : groups) {
    uses.push_back(group.variant.empty()
                       ? std::vector<TensorUse>()
                       : tensor_uses(session.attention->shape, group.tile, parts[group.variant]));
  }
  split_traffic(analysis.kernels, analysis.variants, uses);
}

}  // namespace

Result<Analysis> analyse(const Session& session, const AnalysisOptions& options) {
  if (const Status consistent = check_indices(session); !consistent) {
    return tl::make_unexpected(consistent.error());
  }
  Analysis analysis;
  analysis.source = options.source;
  analysis.producer = session.producer;
  analysis.policy = session.policy;
  analysis.devices = session.devices;
  analysis.issues = session.issues;
  const auto knowledge = look_up(session, analysis.issues);
  if (!knowledge) {
    return tl::make_unexpected(knowledge.error());
  }
  const SessionTables tables(session, *knowledge);
  if (!session.devices.empty()) {
    const ChipModel* chip = knowledge->front().chip ? &*knowledge->front().chip : nullptr;
    analysis.ceilings = ceilings_of(session.devices.front(), chip, seen_on_first_device(tables));
    for (Issue& issue : implausible_ceilings(analysis)) {
      analysis.issues.push_back(std::move(issue));
    }
  }
  std::vector<LaunchGroup> groups = group_launches(session);
  order_by_time(groups, tables.times_s);
  add_kernels(tables, groups, analysis);
  if (session.attention) {
    add_workload(session, groups, *knowledge, analysis);
  }
  fill_power(analysis, session);
  fill_kernel_energy(analysis.kernels, groups, session);
  if (Status filled = fill_pm_traces(analysis, session); !filled) {
    return tl::make_unexpected(filled.error());
  }
  analysis.timeline = analyse_timeline(session, kernel_of_launch(session, groups));
  for (Issue& issue : check_watched_clocks(session)) {
    analysis.issues.push_back(std::move(issue));
  }
  analysis.run = whole_run(analysis.kernels);
  analysis.ranges = analyse_ranges(tables);
  for (Issue& issue : note_missing(session, analysis)) {
    analysis.issues.push_back(std::move(issue));
  }
  for (Issue& issue : check_consistency(analysis)) {
    analysis.issues.push_back(std::move(issue));
  }
  fill_hot_spots(analysis.kernels, session);
  analysis.diagnoses = diagnose(rule_context(analysis, session, groups, *knowledge));
  // After the rules: their evidence is our own utilisations, which such kernels lack.
  for (KernelAnalysis& kernel : analysis.kernels) {
    place_by_nsight_shares(kernel);
  }
  for (VariantAnalysis& variant : analysis.variants) {
    variant.cost_per_million_tokens =
        cost_per_million_tokens(variant.tokens_per_s, options.price_per_hour);
  }
  analysis.targets = judge_targets(analysis, options.targets);
  add_savings(analysis);
  return analysis;
}

}  // namespace ridgepoint
