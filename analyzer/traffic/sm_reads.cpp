#include "analyzer/traffic/sm_reads.h"

namespace ridgepoint {

std::optional<SmReads> sm_reads(const KernelAnalysis& kernel) {
  const auto received = kernel.quantity("sm_received_bytes");
  const auto looked_up = kernel.quantity("l2_sm_read_bytes");
  if (received && looked_up) {
    return SmReads{*received, *looked_up};
  }
  const auto by_tma = kernel.quantity("tma_load_bytes");
  const auto sent = kernel.quantity("l2_to_sm_bytes");
  if (by_tma && sent && *by_tma > *sent) {
    return SmReads{*by_tma, *sent};
  }
  return std::nullopt;
}

std::optional<SmReads> sm_reads(const std::vector<KernelAnalysis>& kernels,
                                const VariantAnalysis& variant) {
  std::optional<SmReads> sum;
  for (const std::size_t member : variant.kernels) {
    if (const auto part = sm_reads(kernels[member])) {
      sum = sum.value_or(SmReads());
      sum->received += part->received;
      sum->looked_up += part->looked_up;
    }
  }
  return sum;
}

}  // namespace ridgepoint
