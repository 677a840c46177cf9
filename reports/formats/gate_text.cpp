#include "analyzer/core/text.h"
#include "reports/formats/gate_formats.h"
#include "reports/presenters/gate.h"
#include "reports/text/text_layout.h"

namespace ridgepoint {
namespace {

const char* colour_of(CheckStatus status) {
  switch (status) {
    case CheckStatus::passed:
      return "\x1b[32m";
    case CheckStatus::failed:
      return "\x1b[31m";
    case CheckStatus::no_verdict:
      return "\x1b[33m";
  }
  return "";
}

}  // namespace

std::string gate_text(const GateReport& report, const ReportOptions& options) {
  const auto width = static_cast<std::size_t>(options.width);
  std::string against = "budget " + report.budget;
  if (!report.baseline.empty()) {
    against += ", baseline " + report.baseline;
  }
  std::string out = wrap(printable(report.session + " against " + against), width, "", "  ");
  for (const Remark& remark : report.result.remarks) {
    out += wrap(remark.code + ": " + printable(remark.text), width, "  ", "      ");
  }
  out += "\n";
  for (const CheckResult* check : gravest_first(report.result)) {
    const std::string label = status_label(check->status);
    const std::string lines =
        wrap(check_sentence(*check), width, "  " + label + std::string(12 - label.size(), ' '),
             std::string(14, ' '));
    out += options.colour ? "  " + std::string(colour_of(check->status)) + label + "\x1b[0m" +
                                lines.substr(2 + label.size())
                          : lines;
  }
  return out + "\n" + gate_headline(report.result) + "\n";
}

}  // namespace ridgepoint
