#include "analyzer/analysis/launch_groups.h"

#include <algorithm>
#include <map>

namespace ridgepoint {
namespace {

void add_variant(const Session& session, const VariantRun& run, std::vector<LaunchGroup>& groups,
                 std::vector<bool>& taken) {
  const std::size_t first = groups.size();
  for (std::size_t i = 0; i < run.launches.size(); ++i) {
    const std::uint32_t launch = run.launches[i];
    if (launch >= session.launches.size()) {
      continue;
    }
    taken[launch] = true;
    const std::uint32_t kernel = session.launches[launch].kernel;
    const KernelTileInfo tile = i < run.tiles.size() ? run.tiles[i] : KernelTileInfo();
    const auto same = [&](const LaunchGroup& group) {
      return group.kernel == kernel && group.role == tile.role;
    };
    auto group =
        std::find_if(groups.begin() + static_cast<std::ptrdiff_t>(first), groups.end(), same);
    if (group == groups.end()) {
      groups.push_back({kernel, run.name, tile.role, tile, {}});
      group = groups.end() - 1;
    }
    group->launches.push_back(launch);
  }
}

}  // namespace

std::vector<LaunchGroup> group_launches(const Session& session) {
  std::vector<LaunchGroup> groups;
  std::vector<bool> taken(session.launches.size(), false);
  if (session.attention) {
    for (const VariantRun& run : session.attention->variants) {
      add_variant(session, run, groups, taken);
    }
  }
  std::map<std::uint32_t, std::size_t> group_of_kernel;
  for (std::uint32_t launch = 0; launch < session.launches.size(); ++launch) {
    if (taken[launch]) {
      continue;
    }
    const std::uint32_t kernel = session.launches[launch].kernel;
    const auto [at, is_new] = group_of_kernel.try_emplace(kernel, groups.size());
    if (is_new) {
      groups.push_back({kernel, {}, {}, {}, {}});
    }
    groups[at->second].launches.push_back(launch);
  }
  return groups;
}

}  // namespace ridgepoint
