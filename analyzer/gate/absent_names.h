// What kernels are called that a budget or its baseline has and the session has not.
#pragma once

#include <string>
#include <vector>

#include "analyzer/analysis/analysis.h"

namespace ridgepoint {

struct AbsentKernel {
  std::string short_name;  // with neither variant nor number, unless it is of a baseline's kernel
  std::string name;        // whole, or a budget's pattern
  std::string variant;     // empty, or a budget's pattern
};

// Of the kernel that a budget names: a pattern that is a whole name has the short one of such a
// kernel; one with wildcards in the name itself has no other.
AbsentKernel absent_kernel(const std::string& match, const std::string& variant);

// One each, short as the names of `present` are. Where one is also the name of a kernel that is
// present, or of another absent one, it has the variant as well, then the template arguments, and
// at last the whole name.
std::vector<std::string> absent_names(const std::vector<AbsentKernel>& absent,
                                      const std::vector<KernelAnalysis>& present);

}  // namespace ridgepoint
