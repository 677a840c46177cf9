// What the numbers of kernels' names stand for.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "analyzer/analysis/analysis.h"

namespace ridgepoint {

// Of the first `kernels` those that share their short name, "elementwise_kernel #2", each with its
// signature: shortened where it does not differ from the others'. Without lines where no name is
// shared; else the first says what follows.
std::vector<std::string> name_legend(const Analysis& analysis, std::size_t kernels);

}  // namespace ridgepoint
