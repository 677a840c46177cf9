// The launches of a kernel as repeats of the time of one.
#pragma once

#include <string>
#include <vector>

#include "analyzer/analysis/analysis.h"
#include "analyzer/compare/quantity.h"
#include "analyzer/gate/limit_test.h"

namespace ridgepoint {

// Holds the times that its Repeats point at. There are none for a quantity that is no median of
// launches, and where so few were timed that no test could ever come to `alpha`: then the value
// alone decides, and why_untested() says so.
class LaunchRepeats {
 public:
  // `before`: the kernel of the baseline, for a relative limit.
  LaunchRepeats(const KernelAnalysis& kernel, const KernelAnalysis* before,
                const std::string& quantity, double alpha);
  Repeats now() const { return now_s_.empty() ? Repeats() : Repeats{&now_s_, 0.5, false}; }
  Repeats baseline() const { return base_s_.empty() ? Repeats() : Repeats{&base_s_, 0.5, false}; }
  std::string why_untested(const QuantityInfo& quantity) const;

 private:
  std::vector<double> now_s_, base_s_;  // ascending
  std::int64_t launches_ = 0;
  std::string per_launch_;  // the quantity that is of one launch, of one that adds up
};

}  // namespace ridgepoint
