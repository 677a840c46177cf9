// The instructions at which a kernel's warps were seen most, as every front end shows them.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "analyzer/analysis/analysis.h"
#include "reports/presenters/table.h"

namespace ridgepoint {

// One row an instruction of these kernels, hottest first within a kernel.
Table hot_spot_table(const Analysis& analysis, const std::vector<std::size_t>& kernels);
Table hot_spot_table(const Analysis& analysis);  // of every kernel
// Kernels with samples whose full or short name contains the text, or is matched by it as a POSIX
// extended regular expression, in the analysis' order. Of an empty text: all with samples.
std::vector<std::size_t> sampled_kernels(const Analysis& analysis, const std::string& name);
// "matmul.cu:17"; empty without line information.
std::string source_text(const HotSpot& spot);
// Whether instructions are known by their text or line, and not by offset alone.
bool has_code(const KernelAnalysis& kernel);

}  // namespace ridgepoint
