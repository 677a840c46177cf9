#include "analyzer/analysis/ranges.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <utility>

#include "analyzer/traffic/traffic.h"

namespace ridgepoint {
namespace {

constexpr std::size_t deepest = 16;
constexpr std::size_t no_path = ~std::size_t{0};

struct Path {
  std::size_t parent = no_path;
  std::size_t depth = 1;
  std::string name;
  std::int64_t occurrences = 0;
  std::map<std::uint32_t, std::vector<std::uint32_t>> own;  // launches by device, inner ranges' not
};

struct Paths {
  std::vector<Path> all;              // parents before children
  std::vector<std::size_t> of_range;  // by range of the session
};

Paths paths_of(const Session& session) {
  Paths paths;
  std::map<std::pair<std::size_t, std::string_view>, std::size_t> known;
  for (std::size_t r = 0; r < session.ranges.size(); ++r) {
    const NvtxRange& range = session.ranges[r];
    // A parent stands before its children in any sound file; else the range stands alone.
    const bool nested = range.parent >= 0 && static_cast<std::size_t>(range.parent) < r;
    const std::size_t parent =
        nested ? paths.of_range[static_cast<std::size_t>(range.parent)] : no_path;
    if (parent != no_path && paths.all[parent].depth >= deepest) {
      paths.of_range.push_back(parent);
      continue;
    }
    const auto [at, is_new] =
        known.try_emplace({parent, std::string_view(range.name)}, paths.all.size());
    if (is_new) {
      paths.all.push_back(
          {parent, parent == no_path ? 1 : paths.all[parent].depth + 1, range.name, 0, {}});
    }
    ++paths.all[at->second].occurrences;
    paths.of_range.push_back(at->second);
  }
  return paths;
}

void add(RangeAnalysis& sum, const RangeAnalysis& part) {
  if (part.launches == 0) {
    return;
  }
  const bool first = sum.launches == 0;
  sum.launches += part.launches;
  if (first) {
    sum.time_s = part.time_s;
    sum.traffic = part.traffic;
    return;
  }
  sum.time_s =
      sum.time_s && part.time_s ? std::optional<double>(*sum.time_s + *part.time_s) : std::nullopt;
  for (const MemoryLevel level : memory_levels) {
    add_traffic(sum.traffic[level], part.traffic[level]);
  }
}

RangeAnalysis own_launches(const Path& path, const SessionTables& tables) {
  RangeAnalysis sum;
  for (const auto& [device, launches] : path.own) {
    RangeAnalysis part;
    part.launches = static_cast<std::int64_t>(launches.size());
    double time_s = 0;
    for (const std::uint32_t launch : launches) {
      time_s += tables.times_s[launch];  // NaN stays NaN
    }
    part.time_s = std::isnan(time_s) ? std::nullopt : std::optional<double>(time_s);
    std::vector<std::string> incomplete;
    part.traffic = traffic_of(tables.counters[device].gather(launches, tables.times_s, incomplete));
    add(sum, part);
  }
  return sum;
}

std::string text_of(const std::vector<Path>& all, std::size_t path) {
  std::string text = all[path].name;
  for (std::size_t up = all[path].parent; up != no_path; up = all[up].parent) {
    text = all[up].name + "/" + text;
  }
  return text;
}

}  // namespace

std::optional<RangeAnalysis> whole_run(const std::vector<KernelAnalysis>& kernels) {
  if (kernels.empty()) {
    return std::nullopt;
  }
  RangeAnalysis run;
  run.occurrences = 1;
  for (const KernelAnalysis& kernel : kernels) {
    RangeAnalysis part;
    part.launches = kernel.launches;
    part.time_s = kernel.time_s;
    part.traffic = kernel.traffic;
    add(run, part);
  }
  return run;
}

std::vector<RangeAnalysis> analyse_ranges(const SessionTables& tables) {
  const Session& session = tables.session;
  if (session.ranges.empty()) {
    return {};
  }
  Paths paths = paths_of(session);
  for (std::uint32_t launch = 0; launch < session.launches.size(); ++launch) {
    const Launch& one = session.launches[launch];
    if (one.range >= 0 && static_cast<std::size_t>(one.range) < paths.of_range.size()) {
      paths.all[paths.of_range[static_cast<std::size_t>(one.range)]].own[one.device].push_back(
          launch);
    }
  }
  std::vector<RangeAnalysis> ranges(paths.all.size());
  for (std::size_t path = paths.all.size(); path-- > 0;) {  // children before their parents
    add(ranges[path], own_launches(paths.all[path], tables));
    if (paths.all[path].parent != no_path) {
      add(ranges[paths.all[path].parent], ranges[path]);
    }
  }
  std::vector<RangeAnalysis> seen;
  for (std::size_t path = 0; path < ranges.size(); ++path) {
    if (ranges[path].launches > 0) {
      ranges[path].path = text_of(paths.all, path);
      ranges[path].occurrences = paths.all[path].occurrences;
      seen.push_back(std::move(ranges[path]));
    }
  }
  std::stable_sort(seen.begin(), seen.end(), [](const RangeAnalysis& a, const RangeAnalysis& b) {
    return a.time_s.value_or(-1) > b.time_s.value_or(-1);
  });
  return seen;
}

}  // namespace ridgepoint
