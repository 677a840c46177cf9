#include "reports/junit/junit_suite.h"

#include <fmt/format.h>

#include <algorithm>

#include "reports/escape.h"

namespace ridgepoint {
namespace {

const char* element(JunitStatus status) {
  switch (status) {
    case JunitStatus::passed:
      return "";
    case JunitStatus::failed:
      return "failure";
    case JunitStatus::error:
      return "error";
    case JunitStatus::skipped:
      return "skipped";
  }
  return "error";
}

std::string one_case(const JunitCase& test) {
  std::string xml = fmt::format("    <testcase classname=\"{}\" name=\"{}\"",
                                escape_xml(test.classname), escape_xml(test.name));
  if (test.status == JunitStatus::passed) {
    return xml + "/>\n";
  }
  // <skipped> has no type.
  const std::string type = test.status == JunitStatus::skipped
                               ? std::string()
                               : fmt::format(" type=\"{}\"", escape_xml(test.type));
  return xml + fmt::format(">\n      <{}{} message=\"{}\"/>\n    </testcase>\n",
                           element(test.status), type, escape_xml(test.message));
}

}  // namespace

std::string junit_suite(const std::string& name, const std::vector<JunitCase>& cases) {
  const auto count = [&](JunitStatus status) {
    return std::count_if(cases.begin(), cases.end(),
                         [&](const JunitCase& test) { return test.status == status; });
  };
  const std::string counts = fmt::format("tests=\"{}\" failures=\"{}\" errors=\"{}\"", cases.size(),
                                         count(JunitStatus::failed), count(JunitStatus::error));
  std::string xml = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n";
  xml += fmt::format("<testsuites name=\"ridgepoint\" {}>\n", counts);
  xml += fmt::format("  <testsuite name=\"{}\" {} skipped=\"{}\">\n", escape_xml(name), counts,
                     count(JunitStatus::skipped));
  for (const JunitCase& test : cases) {
    xml += one_case(test);
  }
  return xml + "  </testsuite>\n</testsuites>\n";
}

}  // namespace ridgepoint
