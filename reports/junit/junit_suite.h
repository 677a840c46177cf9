// JUnit XML as Jenkins, GitLab and the GitHub actions read it: one suite of test cases.
#pragma once

#include <string>
#include <vector>

namespace ridgepoint {

enum class JunitStatus {
  passed,
  failed,   // <failure>: it was judged, and it is bad
  error,    // <error>: it could not be judged
  skipped,  // <skipped>: it does not apply
};

struct JunitCase {
  std::string classname;
  std::string name;
  JunitStatus status = JunitStatus::passed;
  std::string type;     // of a failure or error
  std::string message;  // of anything but passed
};

std::string junit_suite(const std::string& name, const std::vector<JunitCase>& cases);

}  // namespace ridgepoint
