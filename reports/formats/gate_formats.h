// The renderers that gate_report.cpp registers, one file each.
#pragma once

#include <string>

#include "reports/gate_report.h"

namespace ridgepoint {

std::string gate_text(const GateReport& report, const ReportOptions& options);
std::string gate_markdown(const GateReport& report, const ReportOptions& options);
std::string gate_json(const GateReport& report, const ReportOptions& options);
std::string gate_junit(const GateReport& report, const ReportOptions& options);
std::string gate_github(const GateReport& report, const ReportOptions& options);

}  // namespace ridgepoint
