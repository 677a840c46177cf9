#include "analyzer/targets/reach.h"

#include <algorithm>

namespace ridgepoint {
namespace {

using Shares = std::array<std::optional<double>, resource_count>;

Shares utilisations(const KernelAnalysis& kernel) {
  Shares shares = {kernel.utilisation[MemoryLevel::hbm], kernel.utilisation[MemoryLevel::l2],
                   kernel.utilisation[MemoryLevel::smem], kernel.compute_utilisation};
  std::optional<double>& compute = shares[static_cast<std::size_t>(Resource::compute)];
  if (!compute && kernel.flop.total && *kernel.flop.total <= 0) {
    compute = 0;
  }
  return shares;
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
  }
  return "";
}

ResourceUse use_of_resources(const std::vector<const KernelAnalysis*>& kernels) {
  std::array<double, resource_count> busy_s{};  // least time each resource needs, over all kernels
  std::array<double, resource_count>
      bound_s{};  // least time of the kernels that this resource binds
  std::array<bool, resource_count> known;
  known.fill(!kernels.empty());
  double time_s = 0;
  double least_s = 0;
  for (const KernelAnalysis* kernel : kernels) {
    if (!kernel->time_s) {
      return {};
    }
    time_s += *kernel->time_s;
    const Shares shares = utilisations(*kernel);
    std::size_t nearest = 0;
    double highest = 0;
    for (std::size_t r = 0; r < resource_count; ++r) {
      known[r] = known[r] && shares[r].has_value();
      const double share = shares[r].value_or(0);
      busy_s[r] += share * *kernel->time_s;
      if (share > highest) {
        highest = share;
        nearest = r;
      }
    }
    least_s += highest * *kernel->time_s;
    bound_s[nearest] += highest * *kernel->time_s;
  }
  ResourceUse use;
  if (time_s <= 0 || least_s <= 0) {
    return use;
  }
  for (std::size_t r = 0; r < resource_count; ++r) {
    if (known[r]) {
      use.reach[r] = {busy_s[r] / time_s, busy_s[r] / least_s};
    }
  }
  const auto most = std::max_element(bound_s.begin(), bound_s.end());
  use.binding = static_cast<Resource>(most - bound_s.begin());
  return use;
}

}  // namespace ridgepoint
