#include "reports/comparison_report.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "reports/presenters/session_comparison.h"
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
  EXPECT_THAT(rendered("text"), HasSubstr("Regression: fused: 12.0 % more time: HBM bytes up"));
  EXPECT_THAT(rendered("text"), Not(HasSubstr("occupancy")));
  EXPECT_THAT(rendered("text", true), HasSubstr("theoretical occupancy"));
}

TEST_F(ComparisonReports, NameWarpStatesAndLimitsAsOtherReportsDo) {
  now_.kernels[1].bound_by = BoundBy::hbm;
  base_.kernels[1].bound_by = BoundBy::issue;
  const std::string text = rendered("text", true);
  EXPECT_THAT(text, HasSubstr("stalled: Long scoreboard"));
  EXPECT_THAT(text, Not(HasSubstr("long_scoreboard")));
  EXPECT_THAT(text, testing::ContainsRegex("bound by +Issue slots +HBM bandwidth"));
}

// The last column of changes of one quantity: base, new.
std::string change_of(const char* unit, std::optional<double> base, std::optional<double> now) {
  SubjectChange subject;
  subject.changes = {{{"hbm_bytes", "HBM bytes", unit, Better::lower, Basis::counters}, base, now}};
  const Table table = changes_table(subject, true);
  return std::get<std::string>(table.rows.at(0).cells.at(3));
}

TEST(ComparisonChanges, AreSharesOfTheFirstValueWhateverTheirSize) {
  EXPECT_EQ(change_of("byte", 100, 101.5), "+1.5 %");
  EXPECT_EQ(change_of("byte", 100, 22), "-78.0 %");
  EXPECT_EQ(change_of("byte", 100, 310), "+210.0 %");
  EXPECT_EQ(change_of("byte", 100, 3781), "+3,681 %");
  EXPECT_EQ(change_of("byte", 4, 8e9), "over +100,000 %") << "4 bytes are next to nothing";
  EXPECT_EQ(change_of("byte", 100, 0), "-100.0 %");
  EXPECT_EQ(change_of("byte", 0, 0), "+0.0 %");
  EXPECT_EQ(change_of("byte", 0, 5), "") << "no share of nothing";
  EXPECT_EQ(change_of("byte", std::nullopt, 5), "");
}

TEST(ComparisonChanges, OfSharesAreTheirDifferenceInPoints) {
  EXPECT_EQ(change_of("share", 0.468, 0.636), "+16.8 points");
  EXPECT_EQ(change_of("share", 0.0939, 0), "-9.4 points");
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
