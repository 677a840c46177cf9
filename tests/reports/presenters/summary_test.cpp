#include "reports/presenters/summary.h"

#include <gmock/gmock.h>

#include "tests/support/recordings.h"

namespace ridgepoint {
namespace {

using test_support::analysed;
using test_support::recording;

// The last one there adds up in a fixed order, which takes longer.
TEST(Summary, HeadlinesTheFastestVariantWhereverItStands) {
  const Analysis analysis = analysed(recording(test_support::backward_recording));
  ASSERT_EQ(analysis.variants.back().name, "hopper_deterministic");
  const VariantAnalysis* fastest = fastest_other(analysis);
  ASSERT_NE(fastest, nullptr);
  EXPECT_EQ(fastest->name, "hopper");
  std::vector<std::string> titles;
  for (const SummaryCard& card : summary_cards(analysis)) {
    titles.push_back(card.title);
  }
  EXPECT_THAT(titles,
              ::testing::IsSupersetOf({"Speed-up of hopper", "Analytic FLOP rate of hopper"}));
}

TEST(Summary, OfOneVariantComparesNothing) {
  Session session = recording();
  session.attention->variants.resize(1);
  const Analysis analysis = analysed(session);
  EXPECT_EQ(fastest_other(analysis), nullptr);
  EXPECT_EQ(summary_cards(analysis).front().title, "Analytic FLOP rate of naive");
}

}  // namespace
}  // namespace ridgepoint
