// The renderers that comparison_report.cpp registers, one file each.
#pragma once

#include <string>

#include "reports/comparison_report.h"

namespace ridgepoint {

std::string comparison_text(const ComparisonReport& report, const ReportOptions& options);
std::string comparison_markdown(const ComparisonReport& report, const ReportOptions& options);
std::string comparison_json(const ComparisonReport& report, const ReportOptions& options);

}  // namespace ridgepoint
