// The targets of a session as test cases; those that do not apply are skipped.
#include "reports/formats/formats.h"
#include "reports/junit/junit_suite.h"
#include "reports/presenters/summary.h"
#include "reports/presenters/tables.h"

namespace ridgepoint {
namespace {

std::string message_of(const TargetResult& target) {
  const TargetNumbers numbers = target_numbers(target);
  return (numbers.value.empty() ? "not measured" : numbers.value) + ", goal " + numbers.goal +
         (target.why.empty() ? "" : "; " + target.why);
}

JunitCase case_of(const TargetResult& target) {
  JunitCase test;
  test.classname =
      "ridgepoint.target." + (target.variant.empty() ? std::string("run") : target.variant);
  test.name = target.id;
  switch (target.verdict) {
    case Verdict::met:
      break;
    case Verdict::missed:
      test.status = JunitStatus::failed;
      test.type = "missed";
      test.message = message_of(target);
      break;
    case Verdict::not_applicable:
      test.status = JunitStatus::skipped;
      test.message = message_of(target);
      break;
  }
  return test;
}

}  // namespace

std::string render_junit(const Analysis& analysis, const ReportOptions& /*options*/) {
  std::vector<JunitCase> cases;
  for (const TargetResult& target : analysis.targets) {
    cases.push_back(case_of(target));
  }
  if (cases.empty()) {
    cases.push_back({"ridgepoint.target", "targets", JunitStatus::error, "no_verdict",
                     "the session has no targets to judge"});
  }
  return junit_suite(headline(analysis), cases);
}

}  // namespace ridgepoint
