#include "reports/junit/junit_suite.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace ridgepoint {
namespace {

using testing::HasSubstr;
using testing::Not;

TEST(JunitSuite, CountsWhatItHolds) {
  const std::string xml =
      junit_suite("run", {{"c", "good", JunitStatus::passed, "", ""},
                          {"c", "bad", JunitStatus::failed, "failed", "too slow"},
                          {"c", "unknown", JunitStatus::error, "no_verdict", "not measured"},
                          {"c", "other", JunitStatus::skipped, "", "does not apply"}});
  EXPECT_THAT(xml, HasSubstr("tests=\"4\" failures=\"1\" errors=\"1\" skipped=\"1\""));
  EXPECT_THAT(xml, HasSubstr("<testcase classname=\"c\" name=\"good\"/>"));
  EXPECT_THAT(xml, HasSubstr("<failure type=\"failed\" message=\"too slow\"/>"));
  EXPECT_THAT(xml, HasSubstr("<error type=\"no_verdict\" message=\"not measured\"/>"));
  EXPECT_THAT(xml, HasSubstr("<skipped message=\"does not apply\"/>"));
}

TEST(JunitSuite, KeepsNamesFromBreakingOutOfTheXml) {
  const std::string xml = junit_suite(
      "a\"><script>", {{"f<float&>\x1b", "\"/>", JunitStatus::failed, "t", "]]>\n<x/>"}});
  EXPECT_THAT(xml, Not(HasSubstr("<script>")));
  EXPECT_THAT(xml, Not(HasSubstr("<x/>")));
  EXPECT_THAT(xml, Not(HasSubstr("\x1b")));
  EXPECT_THAT(xml, HasSubstr("f&lt;float&amp;&gt;?"));
}

}  // namespace
}  // namespace ridgepoint
