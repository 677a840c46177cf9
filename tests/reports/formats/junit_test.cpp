#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "reports/report.h"
#include "tests/support/recordings.h"

namespace ridgepoint {
namespace {

using testing::HasSubstr;

TEST(JunitReport, ShowsMissedTargetsAsFailuresAndSkipsThoseThatDoNotApply) {
  const Analysis analysis = test_support::analysed(test_support::recording());
  const std::string xml = render_report(analysis, "junit").value();
  const auto count = [&](Verdict verdict) {
    return std::count_if(analysis.targets.begin(), analysis.targets.end(),
                         [&](const TargetResult& t) { return t.verdict == verdict; });
  };
  ASSERT_GT(count(Verdict::missed), 0);
  ASSERT_GT(count(Verdict::not_applicable), 0);
  EXPECT_THAT(xml, HasSubstr("tests=\"" + std::to_string(analysis.targets.size()) +
                             "\" failures=\"" + std::to_string(count(Verdict::missed)) + "\""));
  EXPECT_THAT(xml, HasSubstr("skipped=\"" + std::to_string(count(Verdict::not_applicable)) + "\""));
}

TEST(JunitReport, OfASessionWithoutTargetsIsAnError) {
  EXPECT_THAT(render_report(Analysis(), "junit").value(), HasSubstr("errors=\"1\""));
}

}  // namespace
}  // namespace ridgepoint
