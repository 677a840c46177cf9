#include "analyzer/rules/confidence.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "analyzer/core/grouped_digits.h"

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

// "hopper and hopper_deterministic together"; rows of one variant by their roles.
std::string sharers(const Analysis& analysis, const std::vector<std::size_t>& rows) {
  std::vector<std::string> names;
  const auto add = [&](const std::string& name) {
    if (std::find(names.begin(), names.end(), name) == names.end()) {
      names.push_back(name);
    }
  };
  for (const std::size_t row : rows) {
    const std::string& variant = analysis.kernels[row].variant;
    add(variant.empty() ? "launches outside the variants" : variant);
  }
  if (names.size() == 1) {
    const std::string variant = names.front();
    names.clear();
    for (const std::size_t row : rows) {
      add(variant + "'s " + analysis.kernels[row].role);
    }
  }
  const std::string last = names.back();
  names.pop_back();
  return fmt::format("{}{}{} together", fmt::join(names, ", "), names.empty() ? "" : " and ", last);
}

}  // namespace

void rate_confidence(const Analysis& analysis, const SharedSamples& shared, Diagnosis& diagnosis) {
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
        diagnosis.confidence_why = fmt::format("{} samples cannot tell \"{}\" from its threshold",
                                               grouped_count(samples), one.quantity);
        return;
      }
      if (const auto own = shared.bounds(*diagnosis.kernel, share);
          own && own->most - own->least > near_threshold) {
        const bool unsure = own->least <= *one.threshold && *one.threshold <= own->most;
        const std::string of_all = fmt::format(
            "its {} samples are of {}, which run the same code: ", grouped_count(samples),
            sharers(analysis, shared.rows_of(*diagnosis.kernel)));
        if (unsure) {
          diagnosis.confidence = Confidence::low;
          diagnosis.confidence_why =
              of_all +
              fmt::format("they cannot tell \"{}\" of this one from its threshold", one.quantity);
          return;
        }
        diagnosis.confidence = Confidence::medium;
        diagnosis.confidence_why =
            of_all +
            fmt::format("\"{}\" of this one may be another, beyond its threshold all the same",
                        one.quantity);
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
