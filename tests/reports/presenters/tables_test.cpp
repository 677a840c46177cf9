#include "reports/presenters/tables.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "reports/presenters/format.h"
#include "tests/support/sample_analysis.h"

namespace ridgepoint {
namespace {

using test_support::sample_analysis;
using test_support::sparse_analysis;

std::string printed(const Table& table, std::size_t row, const std::string& column) {
  const auto index = column_index(table, column);
  return index ? format_cell(table.rows.at(row).cells.at(*index), table.columns[*index].unit)
               : "no column " + column;
}

TEST(Tables, HaveOneCellAColumnInEveryRow) {
  for (const Analysis& analysis : {sample_analysis(), sparse_analysis(), Analysis()}) {
    for (const Table& table :
         {kernel_table(analysis), variant_table(analysis), traffic_table(analysis),
          stall_table(analysis), target_table(analysis), ceiling_table(analysis)}) {
      for (const Row& row : table.rows) {
        EXPECT_EQ(row.cells.size(), table.columns.size()) << table.id;
      }
    }
  }
}

TEST(KernelTable, ShowsWhereEachKernelStands) {
  const Table table = kernel_table(sample_analysis());
  ASSERT_EQ(table.rows.size(), 4U);
  EXPECT_EQ(printed(table, 1, "kernel"), "naive_softmax");
  EXPECT_EQ(printed(table, 1, "time_s"), "1.14 ms");
  EXPECT_EQ(printed(table, 1, "hbm_bytes"), "4.34 GB");
  EXPECT_EQ(printed(table, 1, "bound_by"), "HBM bandwidth");
  EXPECT_EQ(printed(table, 3, "bound_by"), "Compute (Tensor FP16)");
  EXPECT_EQ(table.rows[3].kernel, 3U);
}

TEST(KernelTable, ARangeThatWasCountedAsAWholeHasNoShape) {
  Analysis analysis = sample_analysis();
  EXPECT_NE(printed(kernel_table(analysis), 0, "grid"), "n/a");
  analysis.kernels[0].name = "NVTX range: step";
  EXPECT_EQ(printed(kernel_table(analysis), 0, "grid"), "n/a");
}

TEST(KernelTable, SaysNotAvailableInsteadOfZeroForWhatWasNotMeasured) {
  const Table table = kernel_table(sparse_analysis());
  EXPECT_EQ(printed(table, 0, "launches"), "12");
  for (const char* column : {"hbm_bytes", "flop", "intensity_hbm", "bound_by", "occupancy"}) {
    EXPECT_EQ(printed(table, 0, column), "n/a") << column;
  }
}

TEST(VariantTable, PutsFusedBesideNaiveWithTheSpeedUp) {
  const Table table = variant_table(sample_analysis());
  EXPECT_EQ(printed(table, 0, "speedup"), "1.00x");
  EXPECT_EQ(printed(table, 1, "speedup"), "4.76x");
  EXPECT_EQ(printed(table, 1, "p99_s"), "967 µs");
}

TEST(TrafficTable, ComparesMeasuredWithPredictedPerLevel) {
  const Table table = traffic_table(sample_analysis());
  ASSERT_EQ(table.rows.size(), 6U);
  EXPECT_EQ(printed(table, 3, "level"), "HBM");
  EXPECT_EQ(printed(table, 3, "measured"), "151 MB");
  EXPECT_EQ(printed(table, 3, "predicted"), "134 MB");
  EXPECT_EQ(printed(table, 3, "ratio"), "1.13x");
  EXPECT_EQ(printed(table, 5, "efficiency"), "98.8 %");
}

TEST(TrafficTable, HasNoRatioWithoutBothSides) {
  Analysis analysis = sample_analysis();
  analysis.variants[0].traffic[MemoryLevel::hbm].predicted = 0.0;
  analysis.variants[0].traffic[MemoryLevel::l2].measured.total.reset();
  const Table table = traffic_table(analysis);
  EXPECT_EQ(printed(table, 0, "ratio"), "n/a");
  EXPECT_EQ(printed(table, 1, "ratio"), "n/a");
}

TEST(TrafficNotes, ExplainsMeasuredBytesBelowTheCompulsoryOnes) {
  Analysis analysis = sample_analysis();
  analysis.variants[1].traffic[MemoryLevel::hbm].measured.total = 56.5e6;
  analysis.variants[1].compulsory_bytes = 67.6e6;
  EXPECT_THAT(traffic_notes(analysis),
              ::testing::ElementsAre(::testing::StartsWith("fused: fewer HBM bytes")));
  analysis.variants[1].traffic[MemoryLevel::hbm].measured.total = 68e6;
  EXPECT_THAT(traffic_notes(analysis), ::testing::IsEmpty());
}

TEST(KernelNotes, SayThatTheTimesOfAlternativesAreAddedUp) {
  EXPECT_THAT(kernel_notes(sample_analysis()),
              ::testing::Contains(::testing::HasSubstr("alternatives")));
  EXPECT_THAT(kernel_notes(sparse_analysis()),
              ::testing::Not(::testing::Contains(::testing::HasSubstr("alternatives"))));
  EXPECT_THAT(kernel_notes(Analysis()), ::testing::IsEmpty());
}

TEST(ComparisonTable, HasNoFactorForNextToNothingOrZero) {
  const auto workspace = [](std::int64_t bytes) {
    Analysis analysis = sample_analysis();
    analysis.variants[0].workspace_bytes = 8'590'000'000;
    analysis.variants[1].workspace_bytes = bytes;
    const Table table = comparison_table(analysis);
    for (const Row& row : table.rows) {
      if (format_cell(row.cells[0], Unit::text) == "Workspace") {
        return format_cell(row.cells[3], Unit::text);
      }
    }
    return std::string("missing");
  };
  EXPECT_EQ(workspace(4), "over 10,000x less");
  EXPECT_EQ(workspace(4'295'000'000), "2.00x less");
  EXPECT_EQ(workspace(0), "");
}

TEST(StallTable, StartsWithTheReasonThatCostsMostTime) {
  const Table table = stall_table(sample_analysis());
  ASSERT_GT(table.columns.size(), 3U);
  EXPECT_EQ(table.columns[3].id, "long_scoreboard");
  EXPECT_EQ(printed(table, 1, "long_scoreboard"), "71.0 %");
  EXPECT_EQ(printed(table, 1, "gmma"), "0 %");
}

TEST(StallTable, LeavesKernelsWithoutSamplesEmpty) {
  Analysis analysis = sample_analysis();
  analysis.kernels[2].stalls.clear();
  EXPECT_EQ(printed(stall_table(analysis), 2, "long_scoreboard"), "n/a");
  EXPECT_EQ(printed(stall_table(analysis), 2, "samples"), "n/a");
}

TEST(TargetTable, PrintsValueGoalAndVerdictInTheTargetsUnit) {
  const Table table = target_table(sample_analysis());
  EXPECT_EQ(printed(table, 2, "value"), "4.60 ms");
  EXPECT_EQ(printed(table, 2, "goal"), "< 1.00 ms");
  EXPECT_EQ(printed(table, 2, "verdict"), "missed");
  EXPECT_EQ(printed(table, 6, "value"), "n/a");
  EXPECT_EQ(printed(table, 6, "verdict"), "not applicable");
}

TEST(CeilingTable, ShowsTheoryBesideTheMeasuredCeiling) {
  const Table table = ceiling_table(sample_analysis());
  EXPECT_EQ(printed(table, 0, "theoretical"), "4.80 TB/s");
  EXPECT_EQ(printed(table, 0, "measured"), "4.31 TB/s");
  EXPECT_EQ(printed(table, 0, "ratio"), "89.8 %");
  EXPECT_EQ(printed(ceiling_table(sparse_analysis()), 0, "measured"), "n/a");
}

TEST(Tables, ReplaceControlCharactersOfKernelNames) {
  Analysis analysis = sample_analysis();
  analysis.kernels[0].short_name = "evil\x1b[2Jname\n";
  EXPECT_EQ(printed(kernel_table(analysis), 0, "kernel"), "evil?[2Jname?");
  EXPECT_EQ(printed(stall_table(analysis), 0, "kernel"), "evil?[2Jname?");
}

}  // namespace
}  // namespace ridgepoint
