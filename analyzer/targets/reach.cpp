#include "analyzer/targets/reach.h"

#include <algorithm>
#include <array>

#include "analyzer/roofline/placement.h"

namespace ridgepoint {
namespace {

std::optional<double> utilisation(const KernelAnalysis& kernel, Resource resource) {
  switch (resource) {
    case Resource::hbm:
      return kernel.utilisation[MemoryLevel::hbm];
    case Resource::l2:
      return kernel.utilisation[MemoryLevel::l2];
    case Resource::smem:
      return kernel.utilisation[MemoryLevel::smem];
    case Resource::memory: {
      std::optional<double> highest;
      for (const MemoryLevel level : {MemoryLevel::hbm, MemoryLevel::l2, MemoryLevel::smem}) {
        highest = std::max(highest, kernel.utilisation[level]);
      }
      return highest;
    }
    case Resource::compute:
      break;
  }
  const bool no_flop = kernel.flop.total && *kernel.flop.total <= 0;
  return !kernel.compute_utilisation && no_flop ? std::optional<double>(0)
                                                : kernel.compute_utilisation;
}

// How near a rival is to its roof. For compute that is not only FLOP / peak: pipes and issue slots
// fill up before the FLOP do, and the kernel's bound is told from them as well.
std::optional<double> pressure(const KernelAnalysis& kernel, Resource rival) {
  if (rival == Resource::smem) {
    return l1_data_utilisation(kernel);
  }
  if (rival != Resource::compute) {
    return utilisation(kernel, rival);
  }
  return std::max({utilisation(kernel, rival), arithmetic_utilisation(kernel),
                   share_of_time(kernel, "issue_active_share")});
}

}  // namespace

const char* label(Resource resource) {
  switch (resource) {
    case Resource::hbm:
      return "HBM bandwidth";
    case Resource::l2:
      return "L2 bandwidth";
    case Resource::smem:
      return "shared-memory bandwidth";
    case Resource::compute:
      return "compute";
    case Resource::memory:
      return "busiest memory level's";
  }
  return "";
}

Reach reach_of(const std::vector<const KernelAnalysis*>& kernels, Resource resource,
               const std::vector<Resource>& rivals) {
  double time_s = 0;
  double busy_s = 0;   // least time that the resource needs
  double least_s = 0;  // least time that it and its rivals need
  std::array<double, resource_count> bound_s{};
  for (const KernelAnalysis* kernel : kernels) {
    const auto own = utilisation(*kernel, resource);
    if (!own || !kernel->time_s) {
      return {};
    }
    Resource nearest = resource;
    double highest = *own;
    for (const Resource rival : rivals) {
      const double share = pressure(*kernel, rival).value_or(0);
      if (share > highest) {
        highest = share;
        nearest = rival;
      }
    }
    time_s += *kernel->time_s;
    busy_s += *own * *kernel->time_s;
    least_s += highest * *kernel->time_s;
    bound_s[static_cast<std::size_t>(nearest)] += highest * *kernel->time_s;
  }
  if (time_s <= 0) {
    return {};
  }
  Reach reach{busy_s / time_s, std::nullopt, std::nullopt, 0};
  if (least_s > 0) {
    reach.attainable = busy_s / least_s;
    reach.rivals_share = 1 - bound_s[static_cast<std::size_t>(resource)] / least_s;
    bound_s[static_cast<std::size_t>(resource)] = 0;
    const auto most = std::max_element(bound_s.begin(), bound_s.end());
    if (*most > 0) {
      reach.obstacle = static_cast<Resource>(most - bound_s.begin());
    }
  }
  return reach;
}

double compute_bound_share(const std::vector<const KernelAnalysis*>& kernels) {
  double time_s = 0;
  double bound_s = 0;
  for (const KernelAnalysis* kernel : kernels) {
    const double own_s = kernel->time_s.value_or(0);
    time_s += own_s;
    bound_s +=
        kernel->bound_by == BoundBy::compute || kernel->bound_by == BoundBy::issue ? own_s : 0;
  }
  return time_s > 0 ? bound_s / time_s : 0;
}

}  // namespace ridgepoint
