// Samples are counted by instruction, so that rows of the analysis whose launches run the same code
// show the same samples: variants that call one kernel, or one variant that calls it in two roles.
#pragma once

#include <cstddef>
#include <map>
#include <optional>
#include <vector>

#include "analyzer/analysis/analysis.h"

namespace ridgepoint {

struct ShareBounds {
  double least = 0;
  double most = 1;
};

class SharedSamples {
 public:
  explicit SharedSamples(const std::vector<KernelAnalysis>& kernels);

  // The rows that show the samples of row `kernel`, itself among them, in the order of the
  // analysis. Empty where no other row does, or none were taken.
  const std::vector<std::size_t>& rows_of(std::size_t kernel) const;

  // What share of row `kernel` alone can lie behind `share` of the samples of all of them. A row
  // has the part w of the samples that it has of their time; the others' own share is then anywhere
  // from 0 to 1, so that the row's is from (share - (1 - w)) / w to share / w. Empty where the
  // samples are the row's own.
  std::optional<ShareBounds> bounds(std::size_t kernel, double share) const;

 private:
  struct Row {
    std::size_t session_kernel = 0;
    std::optional<double> time_s;
  };
  std::vector<Row> rows_;
  std::map<std::size_t, std::vector<std::size_t>> by_session_kernel_;
};

}  // namespace ridgepoint
