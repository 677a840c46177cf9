#include <cmath>

#include "analyzer/core/text.h"
#include "reports/presenters/format.h"
#include "reports/presenters/tables.h"

namespace ridgepoint {
namespace {

// Three digits would hardly show less.
constexpr double same_within = 0.01;

}  // namespace

std::vector<std::string> flop_notes(const Analysis& analysis) {
  const bool predicted = analysis.source == Source::predicted;
  bool any = false;
  std::string others;
  for (const VariantAnalysis& v : analysis.variants) {
    any = any || v.achieved_flop_per_s.has_value();
    if (!v.achieved_flop_per_s || !v.flop.total || !v.time_s || !(*v.time_s > 0)) {
      continue;
    }
    const double executed = *v.flop.total / *v.time_s;
    if (std::abs(executed - *v.achieved_flop_per_s) > same_within * *v.achieved_flop_per_s) {
      others += (others.empty() ? "" : ", ") + printable(v.name) + " " +
                format_quantity(executed, Unit::flop_per_s);
    }
  }
  if (!any) {
    return {};
  }
  std::string text =
      "The analytic FLOP rate is of the FLOP that the problem asks for, the same for every "
      "variant; "
      "intensities and the FLOP rates of kernels are of ";
  text += predicted ? "those that a variant executes" : "those that were counted";
  return {text + (others.empty() ? "." : ", by which it would be " + others + ".")};
}

}  // namespace ridgepoint
