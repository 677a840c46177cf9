#include <algorithm>
#include <array>

#include "analyzer/targets/targets.h"

namespace ridgepoint {
namespace {

struct NamedLimit {
  std::string_view id;
  double TargetLimits::*limit;
};

constexpr std::array named_limits = {
    NamedLimit{"hbm_bandwidth_utilisation", &TargetLimits::hbm_bandwidth_utilisation},
    NamedLimit{"smem_bandwidth_utilisation", &TargetLimits::smem_bandwidth_utilisation},
    NamedLimit{"compute_utilisation", &TargetLimits::compute_utilisation},
    NamedLimit{"memory_utilisation", &TargetLimits::memory_utilisation},
    NamedLimit{"memory_stall_ratio", &TargetLimits::memory_stall_ratio},
    NamedLimit{"p99_latency", &TargetLimits::p99_latency_s},
};

}  // namespace

double* limit_of(TargetLimits& limits, std::string_view id) {
  const auto found = std::find_if(named_limits.begin(), named_limits.end(),
                                  [&](const NamedLimit& one) { return one.id == id; });
  return found == named_limits.end() ? nullptr : &(limits.*(found->limit));
}

std::string target_ids() {
  std::string ids;
  for (const NamedLimit& one : named_limits) {
    ids += (ids.empty() ? "" : ", ") + std::string(one.id);
  }
  return ids;
}

}  // namespace ridgepoint
