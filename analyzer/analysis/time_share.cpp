#include "analyzer/analysis/time_share.h"

namespace ridgepoint {

void share_out_time(std::vector<KernelAnalysis>& kernels) {
  double total = 0;
  for (const KernelAnalysis& kernel : kernels) {
    total += kernel.time_s.value_or(0);
  }
  for (KernelAnalysis& kernel : kernels) {
    if (kernel.time_s && total > 0) {
      kernel.time_share = *kernel.time_s / total;
    }
  }
}

}  // namespace ridgepoint
