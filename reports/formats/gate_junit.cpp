// A check without verdict is an <error>: no CI system shows that as green.
#include "analyzer/gate/check_ids.h"
#include "reports/formats/gate_formats.h"
#include "reports/junit/junit_suite.h"
#include "reports/presenters/gate.h"

namespace ridgepoint {
namespace {

JunitStatus junit_status(CheckStatus status) {
  switch (status) {
    case CheckStatus::passed:
      return JunitStatus::passed;
    case CheckStatus::failed:
      return JunitStatus::failed;
    case CheckStatus::no_verdict:
      return JunitStatus::error;
  }
  return JunitStatus::error;
}

}  // namespace

std::string gate_junit(const GateReport& report, const ReportOptions& /*options*/) {
  std::vector<JunitCase> cases;
  const std::vector<CheckName> names = check_names(report.result);
  for (std::size_t i = 0; i < names.size(); ++i) {
    const CheckResult& check = report.result.results[i];
    JunitCase test;
    test.classname = std::string("ridgepoint.") + key(check.scope) + "." + check.subject;
    test.name = check.id == check.limit_kind ? check.id : check.id + " (" + check.limit_kind + ")";
    test.name += names[i].suffix();  // CI systems take two tests of one name for one test
    test.status = junit_status(check.status);
    test.type = key(check.status);
    test.message = check.status == CheckStatus::passed ? "" : check_sentence(check);
    cases.push_back(std::move(test));
  }
  if (cases.empty()) {
    cases.push_back(
        {"ridgepoint", "budget", JunitStatus::error, "no_verdict", gate_headline(report.result)});
  }
  return junit_suite(report.session, cases);
}

}  // namespace ridgepoint
