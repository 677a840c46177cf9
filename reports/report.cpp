#include "reports/report.h"

#include "reports/formats/formats.h"

namespace ridgepoint {

const std::vector<ReportFormat>& report_formats() {
  static const std::vector<ReportFormat> formats = {
      {"text", ".txt", "tables and diagnoses for a terminal", &render_text},
      {"markdown", ".md", "for pull requests and job summaries", &render_markdown},
      {"html", ".html", "one self-contained page with charts", &render_html},
      {"json", ".json", "for scripts; schema ridgepoint-analysis", &render_json},
      {"csv", ".csv", "one row a kernel, SI units", &render_csv},
      {"svg", ".svg", "the roofline alone", &render_svg},
      {"junit", ".xml", "the targets as JUnit tests", &render_junit},
  };
  return formats;
}

Result<std::string> render_report(const Analysis& analysis, std::string_view format,
                                  const ReportOptions& options) {
  std::string known;
  for (const ReportFormat& one : report_formats()) {
    if (one.name == format) {
      return one.render(analysis, options);
    }
    known += (known.empty() ? "" : ", ") + std::string(one.name);
  }
  return fail(ErrorDomain::usage, "rendering a report",
              "there is no format \"" + std::string(format) + "\"", "choose one of " + known);
}

}  // namespace ridgepoint
