// Every report format behind one interface; a new format is one file and one line in report.cpp.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "analyzer/analysis/analysis.h"
#include "analyzer/core/error.h"

namespace ridgepoint {

struct ReportOptions {
  bool colour = false;         // ANSI colours (text only)
  int width = 100;             // columns (text only)
  bool all_diagnoses = false;  // text and Markdown show the first five otherwise
};

struct ReportFormat {
  std::string_view name;         // "text"
  std::string_view extension;    // ".txt"
  std::string_view description;  // for --help
  std::string (*render)(const Analysis&, const ReportOptions&);
};

const std::vector<ReportFormat>& report_formats();
Result<std::string> render_report(const Analysis& analysis, std::string_view format,
                                  const ReportOptions& options = {});

}  // namespace ridgepoint
