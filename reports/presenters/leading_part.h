// The part of an analysis that a page can show: of ten thousand kernels those that take most of the
// time, and what is left out in numbers.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "analyzer/analysis/analysis.h"

namespace ridgepoint {

struct LeadingLimits {
  std::size_t kernels = 200;
  std::size_t diagnoses = 100;
  std::size_t issues = 100;
};

struct LeadingPart {
  // As the whole, with fewer kernels, diagnoses and issues; they keep their order, and indices
  // between them fit. A diagnosis of a kernel that was left out keeps no link to it, but its name.
  Analysis analysis;
  std::vector<std::size_t> other_kernels;  // of the whole: those left out, longest first
  std::size_t other_diagnoses = 0;
  std::size_t other_issues = 0;
  std::optional<double> other_time_share;  // of the kernels left out
};

LeadingPart leading_part(const Analysis& whole, const LeadingLimits& limits = {});

// "9,800 further kernels, together 3.1 % of the time"; empty when none were left out.
std::string left_out_text(const LeadingPart& part);

}  // namespace ridgepoint
