#include "collector/profile/application_runs.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <deque>
#include <map>
#include <tuple>

#include "collector/profile/overhead.h"

namespace ridgepoint::collector {
namespace {

using LaunchIdentity = std::tuple<std::string, std::uint32_t, std::array<std::uint32_t, 9>>;

LaunchIdentity identity_of(const Session& session, const Launch& launch) {
  return {session.kernels[launch.kernel].mangled,
          launch.device,
          {launch.grid.x, launch.grid.y, launch.grid.z, launch.block.x, launch.block.y,
           launch.block.z, launch.cluster.x, launch.cluster.y, launch.cluster.z}};
}

void copy_counters(Session& to, std::size_t row, const Session& from, std::size_t from_row) {
  const std::size_t rows = to.launches.size();
  for (std::size_t c = 0; c < from.counters.names.size(); ++c) {
    to.counters.column(from.counters.names[c], rows)[row] = from.counters.columns[c][from_row];
  }
}

void take_issues(Session& first, const Session& later) {
  for (const Issue& issue : later.issues) {
    const bool known = std::any_of(first.issues.begin(), first.issues.end(), [&](const Issue& one) {
      return one.code == issue.code && one.text == issue.text;
    });
    if (!known) {
      first.issues.push_back(issue);
    }
  }
}

}  // namespace

void add_run(Session& first, const Session& later, std::size_t run, std::size_t runs) {
  std::map<LaunchIdentity, std::deque<std::size_t>> rows;
  for (std::size_t i = 0; i < later.launches.size(); ++i) {
    rows[identity_of(later, later.launches[i])].push_back(i);
  }
  std::size_t without = 0;
  std::string example;
  for (std::size_t i = 0; i < first.launches.size(); ++i) {
    std::deque<std::size_t>& same = rows[identity_of(first, first.launches[i])];
    if (same.empty()) {
      example = without++ == 0 ? first.kernels[first.launches[i].kernel].name : example;
      continue;
    }
    copy_counters(first, i, later, same.front());
    same.pop_front();
  }
  std::size_t more = 0;
  for (const auto& [identity, left] : rows) {
    if (!left.empty() && example.empty()) {
      example = later.kernels[later.launches[left.front()].kernel].name;
    }
    more += left.size();
  }
  take_issues(first, later);
  add_measuring_run(first.policy, later.policy.run_s);
  if (without + more != 0) {
    first.issues.push_back(
        {"application.mismatch",
         fmt::format("Run {} of {} was not like the first: of {} launches {} have no counterpart "
                     "in it and lack its counters, and {} of its {} launches were not in the "
                     "first (one is of {}).",
                     run, runs, first.launches.size(), without, more, later.launches.size(),
                     example)});
  }
}

std::vector<std::size_t> match_processes(const std::vector<LeftSession>& first,
                                         const std::vector<LeftSession>& later) {
  std::vector<bool> taken(later.size(), false);
  std::vector<std::size_t> matches(first.size(), later.size());
  const auto take = [&](std::size_t i, auto fits) {
    for (std::size_t j = 0; j < later.size() && matches[i] == later.size(); ++j) {
      if (!taken[j] && fits(later[j])) {
        matches[i] = j;
        taken[j] = true;
      }
    }
  };
  for (std::size_t i = 0; i < first.size(); ++i) {
    take(i, [&](const LeftSession& one) { return one.output == first[i].output; });
  }
  for (std::size_t i = 0; i < first.size(); ++i) {
    take(i, [](const LeftSession&) { return true; });
  }
  return matches;
}

}  // namespace ridgepoint::collector
