// The way of the data as a picture: SM, L1 and shared memory, L2 and HBM as boxes, the bytes moved
// between them as arrows, one row a variant so that naive stands above fused.
#pragma once

#include <string>

#include "analyzer/analysis/analysis.h"

namespace ridgepoint {

// One <svg> element with classes, styled by reports/html/diagram.css; empty when no bytes are
// known. An arrow's width follows its bytes, to scale within its link over all rows. Without
// variants one row adds up all kernels; a level that was not measured for all of them is n/a.
std::string memory_diagram_svg(const Analysis& analysis);

}  // namespace ridgepoint
