#include "analyzer/traffic/sm_reads.h"

namespace ridgepoint {
namespace {

template <class Get>
std::optional<SmReads> both_ends(const Get& get) {
  const std::optional<double> received = get("sm_received_bytes");
  const std::optional<double> looked_up = get("l2_sm_read_bytes");
  if (received && looked_up) {
    return SmReads{*received, *looked_up};
  }
  const std::optional<double> by_tma = get("tma_load_bytes");
  const std::optional<double> sent = get("l2_to_sm_bytes");
  if (by_tma && sent && *by_tma > *sent) {
    return SmReads{*by_tma, *sent};
  }
  return std::nullopt;
}

}  // namespace

std::optional<SmReads> sm_reads(const Quantities& quantities) {
  return both_ends([&](const char* id) { return quantities.get(id); });
}

std::optional<SmReads> sm_reads(const KernelAnalysis& kernel) {
  return both_ends([&](const char* id) { return kernel.quantity(id); });
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
