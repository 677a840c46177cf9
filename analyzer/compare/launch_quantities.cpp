#include "analyzer/compare/launch_quantities.h"

#include <algorithm>

#include "analyzer/compare/significance.h"

namespace ridgepoint {
namespace {

using K = KernelAnalysis;
using Value = std::optional<double>;

constexpr const char* prefix = "per_launch.";

Value mean(const K& kernel, const Value& sum) {
  return sum && kernel.launches > 0 ? Value(*sum / static_cast<double>(kernel.launches))
                                    : std::nullopt;
}

template <MemoryLevel level>
Value mean_bytes(const K& kernel) {
  return mean(kernel, kernel.traffic[level].total);
}

Value median_time(const K& kernel) {
  std::vector<double> times_s = kernel.launch_times_s;
  if (times_s.empty()) {
    return mean_launch_s(kernel);
  }
  std::sort(times_s.begin(), times_s.end());
  return median_of_ascending(times_s);
}

}  // namespace

std::optional<double> mean_launch_s(const KernelAnalysis& kernel) {
  return mean(kernel, kernel.time_s);
}

void add_launch_quantities(std::vector<Quantity<KernelAnalysis>>& list) {
  constexpr Better lower = Better::lower;
  constexpr Basis counters = Basis::counters;
  const std::string id = prefix;
  list.push_back({{id + "time_s", "time of a launch", "s", lower, Basis::timing}, &median_time});
  list.push_back({{id + "hbm_bytes", "HBM bytes of a launch", "byte", lower, counters},
                  &mean_bytes<MemoryLevel::hbm>});
  list.push_back({{id + "l2_bytes", "L2 bytes of a launch", "byte", lower, counters},
                  &mean_bytes<MemoryLevel::l2>});
  list.push_back({{id + "smem_bytes", "shared-memory bytes of a launch", "byte", lower, counters},
                  &mean_bytes<MemoryLevel::smem>});
  list.push_back({{id + "flops", "FLOP of a launch", "FLOP", lower, Basis::fixed},
                  [](const K& k) { return mean(k, k.flop.total); }});
}

const std::vector<double>* launch_times_behind(const KernelAnalysis& kernel,
                                               const std::string& quantity) {
  return quantity == std::string(prefix) + "time_s" && !kernel.launch_times_s.empty()
             ? &kernel.launch_times_s
             : nullptr;
}

bool adds_up_over_launches(const QuantityInfo& quantity) {
  return quantity.id.rfind(prefix, 0) != 0 &&
         (quantity.unit == "s" || quantity.unit == "FLOP" ||
          (quantity.unit == "byte" && quantity.basis == Basis::counters));
}

std::string per_launch_id(const std::string& quantity) {
  const std::string id = prefix + quantity;
  return kernel_quantity(id) ? id : std::string();
}

}  // namespace ridgepoint
