#include "collector/profile/no_launch_hint.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cstddef>

namespace ridgepoint::collector {
namespace {

constexpr std::size_t most_named = 5;

// As --nvtx takes them, in the order they were first opened.
std::vector<std::string> range_names(const std::vector<SealedSession>& sessions) {
  std::vector<std::string> names;
  for (const SealedSession& one : sessions) {
    for (const NvtxRange& range : one.session.ranges) {
      const std::string name = range.domain.empty() ? range.name : range.domain + "@" + range.name;
      if (std::find(names.begin(), names.end(), name) == names.end()) {
        names.push_back(name);
        if (names.size() > most_named) {
          return names;
        }
      }
    }
  }
  return names;
}

}  // namespace

std::string no_launch_hint(const FilterOptions& filter,
                           const std::vector<SealedSession>& sessions) {
  const bool cut_short = std::any_of(sessions.begin(), sessions.end(), [](const auto& one) {
    return std::any_of(one.session.issues.begin(), one.session.issues.end(),
                       [](const Issue& issue) { return issue.code == "profile.cut_short"; });
  });
  if (cut_short) {
    return "records were lost when a process ended: profile.cut_short among the issues says how";
  }
  if (filter.nvtx.empty() && filter.nvtx_domain.empty()) {
    return "the filters chose none, or its kernels run in CUDA graphs: see the issues";
  }
  std::vector<std::string> names = range_names(sessions);
  if (names.empty()) {
    return "--nvtx chose none: the program opened no NVTX range; leave --nvtx out";
  }
  const bool more = names.size() > most_named;
  names.resize(std::min(names.size(), most_named));
  return fmt::format(
      "the filters chose none; its NVTX ranges are {}{}, and --nvtx-scope says "
      "whose count",
      fmt::join(names, ", "), more ? " and others" : "");
}

}  // namespace ridgepoint::collector
