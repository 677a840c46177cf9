#include "reports/comparison_report.h"

#include "reports/formats/comparison_formats.h"

namespace ridgepoint {

const std::vector<ComparisonFormat>& comparison_formats() {
  static const std::vector<ComparisonFormat> formats = {
      {"text", ".txt", "tables for a terminal", &comparison_text},
      {"markdown", ".md", "for pull requests and job summaries", &comparison_markdown},
      {"json", ".json", "for scripts; schema ridgepoint-comparison", &comparison_json},
  };
  return formats;
}

Result<std::string> render_comparison(const ComparisonReport& report, std::string_view format,
                                      const ReportOptions& options) {
  for (const ComparisonFormat& one : comparison_formats()) {
    if (one.name == format) {
      return one.render(report, options);
    }
  }
  return fail(ErrorDomain::usage, "rendering a comparison",
              "there is no format \"" + std::string(format) + "\"");
}

}  // namespace ridgepoint
