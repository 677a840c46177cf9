// Whether a problem makes sense at all, before any variant looks at it.
#pragma once

#include <string>

#include "kernels/attention/problem.h"

namespace ridgepoint::kernels {

// Empty when the problem is well formed; otherwise what is wrong with it, for people.
std::string invalid_reason(const AttentionProblem& problem);

}  // namespace ridgepoint::kernels
