#include "reports/gate_report.h"

#include "reports/formats/gate_formats.h"

namespace ridgepoint {

const std::vector<GateFormat>& gate_formats() {
  static const std::vector<GateFormat> formats = {
      {"text", ".txt", "for a terminal or log", &gate_text},
      {"markdown", ".md", "for $GITHUB_STEP_SUMMARY and pull requests", &gate_markdown},
      {"json", ".json", "for scripts; schema ridgepoint-gate", &gate_json},
      {"junit", ".xml", "JUnit XML, which CI systems show as tests", &gate_junit},
      {"github", "", "annotations: workflow commands of GitHub Actions", &gate_github},
  };
  return formats;
}

Result<std::string> render_gate(const GateReport& report, std::string_view format,
                                const ReportOptions& options) {
  for (const GateFormat& one : gate_formats()) {
    if (one.name == format) {
      return one.render(report, options);
    }
  }
  return fail(ErrorDomain::usage, "rendering a verdict",
              "there is no format \"" + std::string(format) + "\"");
}

}  // namespace ridgepoint
