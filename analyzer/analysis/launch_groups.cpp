#include "analyzer/analysis/launch_groups.h"

#include <map>
#include <string_view>
#include <utility>

namespace ridgepoint {
namespace {

void add_variant(const Session& session, const VariantRun& run, std::vector<LaunchGroup>& groups,
                 std::vector<bool>& taken) {
  std::map<std::pair<std::uint32_t, std::string_view>, std::size_t> group_of;  // kernel and role
  for (std::size_t i = 0; i < run.launches.size(); ++i) {
    const std::uint32_t launch = run.launches[i];
    if (launch >= session.launches.size()) {
      continue;
    }
    taken[launch] = true;
    const std::uint32_t kernel = session.launches[launch].kernel;
    static const KernelTileInfo unknown;
    const KernelTileInfo& tile = i < run.tiles.size() ? run.tiles[i] : unknown;
    const auto [at, is_new] = group_of.try_emplace({kernel, tile.role}, groups.size());
    if (is_new) {
      groups.push_back({kernel, run.name, tile.role, tile, {}});
    }
    groups[at->second].launches.push_back(launch);
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
