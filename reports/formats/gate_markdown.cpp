#include "reports/escape.h"
#include "reports/formats/gate_formats.h"
#include "reports/formats/markdown_table.h"
#include "reports/presenters/gate.h"

namespace ridgepoint {

std::string gate_markdown(const GateReport& report, const ReportOptions& /*options*/) {
  std::string out = "# " + escape_markdown(gate_headline(report.result)) + "\n\n";
  out += escape_markdown(report.session + " against budget " + report.budget +
                         (report.baseline.empty() ? "" : ", baseline " + report.baseline)) +
         "\n";
  if (!report.result.remarks.empty()) {
    out += "\n> **Read this first**\n>\n";
    for (const Remark& remark : report.result.remarks) {
      out += "> - " + escape_markdown(remark.code + ": " + remark.text) + "\n";
    }
  }
  if (!report.result.results.empty()) {
    out += "\n" + markdown_table(without_empty_columns(gate_table(report.result)));
  }
  return out;
}

}  // namespace ridgepoint
