// The verdict of a gate in every format it has; a new one is one file and one line in
// gate_report.cpp.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "analyzer/core/error.h"
#include "analyzer/gate/check_result.h"
#include "reports/report.h"

namespace ridgepoint {

struct GateReport {
  std::string session;  // file names
  std::string budget;
  std::string baseline;  // empty without one
  GateResult result;
};

struct GateFormat {
  std::string_view name;
  std::string_view extension;  // ".md"; empty: no ending stands for it
  std::string_view description;
  std::string (*render)(const GateReport&, const ReportOptions&);
};

const std::vector<GateFormat>& gate_formats();
Result<std::string> render_gate(const GateReport& report, std::string_view format,
                                const ReportOptions& options = {});

}  // namespace ridgepoint
