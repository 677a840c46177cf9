#include "analyzer/rules/confidence.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace ridgepoint {
namespace {

constexpr double near_threshold = 0.05;

std::int64_t samples_behind(const Analysis& analysis, const Diagnosis& diagnosis,
                            const Evidence& evidence) {
  const bool of_samples = evidence.quantity.rfind("stalled on ", 0) == 0;
  return of_samples && diagnosis.kernel && *diagnosis.kernel < analysis.kernels.size()
             ? analysis.kernels[*diagnosis.kernel].stall_samples
             : 0;
}

}  // namespace

void rate_confidence(const Analysis& analysis, Diagnosis& diagnosis) {
  diagnosis.confidence = Confidence::high;
  diagnosis.confidence_why.clear();
  bool compared = false;
  for (const Evidence& one : diagnosis.evidence) {
    if (!one.threshold) {
      continue;
    }
    compared = true;
    const double away = std::abs(one.value - *one.threshold);
    const std::int64_t samples = samples_behind(analysis, diagnosis, one);
    if (samples > 0) {
      const double share = std::clamp(one.value, 0.0, 1.0);
      const double half = 1.96 * std::sqrt(share * (1 - share) / static_cast<double>(samples));
      if (away <= half) {
        diagnosis.confidence = Confidence::low;
        diagnosis.confidence_why =
            fmt::format("{} samples cannot tell \"{}\" from its threshold", samples, one.quantity);
        return;
      }
    }
    if (!one.fixed &&
        away <= near_threshold * std::max(std::abs(one.value), std::abs(*one.threshold)) &&
        diagnosis.confidence == Confidence::high) {
      diagnosis.confidence = Confidence::medium;
      diagnosis.confidence_why = fmt::format(
          "\"{}\" is within 5 % of its threshold: another run may not show it", one.quantity);
    }
  }
  if (!compared) {
    diagnosis.confidence = Confidence::medium;
    diagnosis.confidence_why = "its evidence has no threshold to hold it against";
  }
}

}  // namespace ridgepoint
