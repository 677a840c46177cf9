#include "reports/comparison_report.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "tests/support/golden.h"
#include "tests/support/recordings.h"
#include "tests/support/schema.h"

namespace ridgepoint {
namespace {

using testing::HasSubstr;
using testing::Not;

// A recording against itself with 12 % more time and 1.8 times the HBM reads in the fused kernel.
class ComparisonReports : public testing::Test {
 protected:
  ComparisonReports() : base_(test_support::analysed(test_support::recording())) {
    Session session = test_support::recording();
    test_support::slow_down(session, "fused", 1.12);
    test_support::scale_counter(session, "dram__bytes_read.sum", 1.8);
    now_ = test_support::analysed(session);
  }

  std::string rendered(const char* format, bool all = false) {
    const ComparisonReport report{
        {"base.ridge", &base_}, {{{"new.ridge", &now_}, compare(base_, now_)}}, all};
    return render_comparison(report, format).value();
  }

  Analysis base_;
  Analysis now_;
};

TEST_F(ComparisonReports, LookAsTheyDidWhenSomebodyLooked) {
  test_support::expect_golden("comparison.txt", rendered("text"));
  test_support::expect_golden("comparison.md", rendered("markdown"));
}

TEST_F(ComparisonReports, ShowWhatMovedAndOnRequestTheRest) {
  EXPECT_THAT(rendered("text"), HasSubstr("Regression: fused: 12 % slower: HBM bytes up"));
  EXPECT_THAT(rendered("text"), Not(HasSubstr("occupancy")));
  EXPECT_THAT(rendered("text", true), HasSubstr("theoretical occupancy"));
}

TEST_F(ComparisonReports, NameTheTestBehindTheVerdict) {
  EXPECT_THAT(rendered("text"), HasSubstr("Mann-Whitney U test"));
  EXPECT_THAT(rendered("markdown"), HasSubstr("Mann-Whitney U test"));
}

TEST_F(ComparisonReports, JsonFollowsItsSchema) {
  const auto json = nlohmann::json::parse(rendered("json"));
  EXPECT_EQ(test_support::schema_violations(json, "ridgepoint-comparison-1.0.schema.json"), "");
  EXPECT_EQ(json["comparisons"][0]["verdict"], "regression");
}

TEST_F(ComparisonReports, LetNoNameIntoMarkup) {
  now_.kernels[0].short_name = "<img src=x>|\x1b[31m";
  EXPECT_THAT(rendered("markdown"), Not(HasSubstr("<img")));
  for (const char* format : {"text", "markdown"}) {
    EXPECT_THAT(rendered(format), Not(HasSubstr("\x1b")));
  }
}

}  // namespace
}  // namespace ridgepoint
