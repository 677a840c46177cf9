// A comparison in every format it has; a new one is one file and one line in comparison_report.cpp.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "analyzer/compare/compare.h"
#include "analyzer/core/error.h"
#include "reports/report.h"

namespace ridgepoint {

// A session and how it is called: the file's name.
struct NamedAnalysis {
  std::string name;
  const Analysis* analysis = nullptr;
};

struct ComparedTo {
  NamedAnalysis session;
  Comparison comparison;  // of this session against the base
};

struct ComparisonReport {
  NamedAnalysis base;
  std::vector<ComparedTo> others;
  bool all_quantities = false;  // text and Markdown otherwise show the main ones that moved
};

struct ComparisonFormat {
  std::string_view name;
  std::string_view extension;  // ".md"; empty: no ending stands for it
  std::string_view description;
  std::string (*render)(const ComparisonReport&, const ReportOptions&);
};

const std::vector<ComparisonFormat>& comparison_formats();
Result<std::string> render_comparison(const ComparisonReport& report, std::string_view format,
                                      const ReportOptions& options = {});

}  // namespace ridgepoint
