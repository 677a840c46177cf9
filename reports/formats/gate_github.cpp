// Workflow commands of GitHub Actions: "::error title=T::message". In messages %, CR and LF are
// percent-encoded, in properties also : and , so that no name can start a command of its own.
#include "analyzer/core/text.h"
#include "reports/formats/gate_formats.h"
#include "reports/presenters/gate.h"

namespace ridgepoint {
namespace {

std::string encoded(const std::string& text, bool property) {
  std::string out;
  for (const char c : printable(text)) {  // CR and LF are gone by now
    if (c == '%') {
      out += "%25";
    } else if (property && c == ':') {
      out += "%3A";
    } else if (property && c == ',') {
      out += "%2C";
    } else {
      out += c;
    }
  }
  return out;
}

std::string command(const char* level, const std::string& title, const std::string& message) {
  return std::string("::") + level + " title=" + encoded(title, true) +
         "::" + encoded(message, false) + "\n";
}

}  // namespace

std::string gate_github(const GateReport& report, const ReportOptions& /*options*/) {
  std::string out;
  for (const CheckResult* check : gravest_first(report.result)) {
    if (check->status != CheckStatus::passed) {
      // Both end the job; the title says which it is.
      out += command(check->status == CheckStatus::failed ? "error" : "warning",
                     "Ridgepoint: " + status_label(check->status), check_sentence(*check));
    }
  }
  const char* level = report.result.verdict() == CheckStatus::passed ? "notice" : "error";
  return out + command(level, "Ridgepoint", gate_headline(report.result));
}

}  // namespace ridgepoint
