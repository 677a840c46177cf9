#include "reports/presenters/reductions.h"

namespace ridgepoint {

std::optional<double> reduction_bytes(const Traffic& l2) {
  constexpr double noticeable = 0.05;
  if (!l2.total || !l2.read || !l2.write) {
    return std::nullopt;
  }
  const double rest = *l2.total - *l2.read - *l2.write;
  // How much merged differs from pass to pass, and so does the rest where it is the smaller one.
  return rest > l2.merged.value_or(0) && rest >= noticeable * *l2.total
             ? std::optional<double>(rest)
             : std::nullopt;
}

}  // namespace ridgepoint
