#include "analyzer/analysis/waiting_kernels.h"

#include <fmt/format.h>

#include <string>

#include "analyzer/core/text.h"

namespace ridgepoint {
namespace {

// The kernels of NCCL ("ncclDevKernel_AllReduce_Sum_f32_RING_LL") and of NVSHMEM.
bool waits_for_peers(const KernelAnalysis& kernel) {
  const std::string name = short_kernel_name(kernel.name);
  return name.rfind("nccl", 0) == 0 || name.rfind("nvshmem", 0) == 0;
}

// A time alone is what it is: only what is counted over it misleads.
bool is_counted(const KernelAnalysis& kernel) {
  bool counted = kernel.stall_samples > 0 || kernel.compute_utilisation;
  for (const MemoryLevel level : memory_levels) {
    counted = counted || kernel.bandwidth[level];
  }
  return counted;
}

}  // namespace

void check_waiting_kernels(const std::vector<KernelAnalysis>& kernels, std::vector<Issue>& issues) {
  std::size_t waiting = 0;
  const KernelAnalysis* first = nullptr;
  for (const KernelAnalysis& kernel : kernels) {
    if (waits_for_peers(kernel) && is_counted(kernel)) {
      first = waiting++ == 0 ? &kernel : first;
    }
  }
  if (first == nullptr) {
    return;
  }
  const std::string others = waiting > 1 ? fmt::format(" and {} more", waiting - 1) : "";
  issues.push_back(
      {"kernels.waiting",
       fmt::format("{}{} may wait for other GPUs while running: bandwidth, utilisation and stalls "
                   "are averages over the wait, and do not say how well the data is moved",
                   first->short_name, others)});
}

}  // namespace ridgepoint
