// A variant's rate is of the problem's FLOP, a kernel's of those it executes: readers are told.
#include <gmock/gmock.h>

#include "reports/presenters/tables.h"

namespace ridgepoint {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;

// A backward pass that keeps P executes four products of the problem's five.
Analysis four_of_five_products() {
  VariantAnalysis v;
  v.name = "naive";
  v.time_s = 0.01;
  v.analytic_flop = 2.5e12;
  v.achieved_flop_per_s = 250e12;
  v.flop.total = 2e12;
  Analysis analysis;
  analysis.variants = {v};
  return analysis;
}

TEST(FlopNotes, SayWhatAVariantsRateWouldBeByTheFlopCounted) {
  EXPECT_THAT(flop_notes(four_of_five_products()),
              ElementsAre(HasSubstr("those that were counted, by which it would be naive 200 "
                                    "TFLOP/s.")));
}

TEST(FlopNotes, NameNoSecondRateWhereBothAreTheSameOrNoneWasCounted) {
  Analysis analysis = four_of_five_products();
  analysis.variants[0].flop.total = 2.501e12;
  EXPECT_THAT(flop_notes(analysis), ElementsAre(Not(HasSubstr("would be"))));
  analysis.variants[0].flop.total.reset();
  EXPECT_THAT(flop_notes(analysis), ElementsAre(Not(HasSubstr("would be"))));
}

TEST(FlopNotes, ClaimNoCountsForAPrediction) {
  Analysis analysis = four_of_five_products();
  analysis.source = Source::predicted;
  EXPECT_THAT(flop_notes(analysis), ElementsAre(Not(HasSubstr("counted"))));
}

TEST(FlopNotes, AreNotForRunsWithoutRates) {
  Analysis analysis = four_of_five_products();
  analysis.variants[0].achieved_flop_per_s.reset();
  EXPECT_THAT(flop_notes(analysis), IsEmpty());
  EXPECT_THAT(flop_notes(Analysis()), IsEmpty());
}

TEST(FlopRates, OfVariantsAndKernelsHaveDifferentNames) {
  const auto title = [](const Table& table) {
    return table.columns[*column_index(table, "flop_per_s")].title;
  };
  EXPECT_EQ(title(variant_table(four_of_five_products())), "Analytic FLOP rate");
  EXPECT_NE(title(kernel_table(Analysis())), "Analytic FLOP rate");
}

}  // namespace
}  // namespace ridgepoint
