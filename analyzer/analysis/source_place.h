// Where an instruction stands in the source.
#pragma once

#include <string>

#include "analyzer/analysis/analysis.h"

namespace ridgepoint {

// "matmul.cu:17", without the folder, which would fill a line; empty without line information. The
// name is as the compiler was given it, not made printable.
std::string source_place(const HotSpot& spot);

}  // namespace ridgepoint
