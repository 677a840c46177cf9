#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "reports/presenters/tables.h"

namespace ridgepoint {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

VariantAnalysis variant(const char* name, std::int64_t saved, std::int64_t workspace, double flop) {
  VariantAnalysis v;
  v.name = name;
  v.saved_bytes = saved;
  v.workspace_bytes = workspace;
  v.flop.total = flop;
  v.analytic_flop = 5e12;
  return v;
}

Analysis backward_analysis() {
  Analysis analysis;
  analysis.attention = AttentionShape();
  analysis.attention->direction = "backward";
  analysis.variants = {variant("naive", 2'000'000'000, 4'000'000'000, 4e12),
                       variant("fused", 0, 136'000'000, 5e12)};
  return analysis;
}

TEST(RecomputationNotes, SetMemoryAgainstFlop) {
  EXPECT_THAT(recomputation_notes(backward_analysis()),
              ElementsAre(HasSubstr("naive 6.00 GB (2.00 GB kept from the forward pass), in the "
                                    "square of the sequence length; fused 136 MB"),
                          HasSubstr("those of naive, as counted: fused 1.25x")));
}

TEST(RecomputationNotes, SayNothingOfFlopThatWereNotCounted) {
  Analysis analysis = backward_analysis();
  analysis.variants[1].flop.total.reset();
  EXPECT_THAT(recomputation_notes(analysis), ElementsAre(HasSubstr("Memory")));
  analysis.variants.erase(analysis.variants.begin());
  EXPECT_THAT(recomputation_notes(analysis), ElementsAre(HasSubstr("fused 136 MB")));
}

TEST(RecomputationNotes, AreOfBackwardRunsAlone) {
  Analysis analysis = backward_analysis();
  analysis.attention->direction = "forward";
  EXPECT_THAT(recomputation_notes(analysis), IsEmpty());
  EXPECT_THAT(recomputation_notes(Analysis()), IsEmpty());
}

TEST(VariantTable, HasColumnsForMemoryAndFlopBackwardOnly) {
  Analysis analysis = backward_analysis();
  const Table backward = variant_table(analysis);
  ASSERT_TRUE(column_index(backward, "flop_of_analytic"));
  EXPECT_EQ(std::get<double>(backward.rows[0].cells[*column_index(backward, "flop_of_analytic")]),
            0.8);
  analysis.attention->direction = "forward";
  EXPECT_FALSE(column_index(variant_table(analysis), "saved_bytes"));
}

}  // namespace
}  // namespace ridgepoint
