#include "reports/presenters/tables.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <utility>

#include "reports/presenters/ceiling_measurement_table.h"
#include "reports/presenters/format.h"
#include "tests/support/recordings.h"
#include "tests/support/sample_analysis.h"

namespace ridgepoint {
namespace {

using test_support::analysed;
using test_support::recording;
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
          traffic_split_table(analysis), kernel_split_table(analysis), range_table(analysis),
          split_table(analysis), stall_table(analysis), target_table(analysis),
          ceiling_table(analysis)}) {
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

TEST(TrafficNotes, SayWhatOfL2IsNeitherReadNorWritten) {
  Analysis analysis = sample_analysis();
  Traffic& l2 = analysis.variants[1].traffic[MemoryLevel::l2].measured;
  l2.total = 12.2e9;
  l2.read = 5.2e9;
  l2.write = 0.5e9;
  const auto notes = traffic_notes(analysis);
  ASSERT_EQ(notes.size(), 1U);
  EXPECT_THAT(notes[0], ::testing::HasSubstr("fused: 6.50 GB of its L2 bytes are reductions"));
}

TEST(TrafficNotes, SayWhatL2GaveWithoutLookingItUp) {
  Analysis analysis = sample_analysis();
  Traffic& l2 = analysis.variants[1].traffic[MemoryLevel::l2].measured;
  l2.total = 4.4e9;
  l2.merged = 0.9e9;
  const auto notes = traffic_notes(analysis);
  ASSERT_EQ(notes.size(), 2U) << "and once, for all variants, why";
  EXPECT_THAT(notes[0],
              ::testing::HasSubstr("L2 looked up 3.50 GB and handed 900 MB more (merged"));
  EXPECT_THAT(notes[1], ::testing::HasSubstr("can meet on their way"));
  l2.merged = 1e6;
  EXPECT_THAT(traffic_notes(analysis), ::testing::IsEmpty()) << "too little to be seen";
}

TEST(TrafficSplitTable, HasTheVariantsThenTheirKernels) {
  const Table table = traffic_split_table(sample_analysis());
  ASSERT_EQ(table.rows.size(), 2U * 4 + 2);  // naive of three kernels, fused of one
  EXPECT_EQ(printed(table, 0, "kernel"), "all");
  EXPECT_EQ(printed(table, 0, "level"), "HBM");
  EXPECT_EQ(printed(table, 0, "intermediates"), "8.59 GB");  // S and P, written and read
  EXPECT_EQ(printed(table, 2, "kernel"), "naive_softmax");
  EXPECT_EQ(table.rows[2].kernel, 1U);
  EXPECT_EQ(printed(table, 8, "variant"), "fused");
  EXPECT_EQ(printed(table, 8, "intermediates"), "0 B");
}

TEST(TrafficSplitTable, IsEmptyForKernelsOfNoKnownWorkload) {
  EXPECT_TRUE(traffic_split_table(sparse_analysis()).rows.empty());
  const Table table = kernel_split_table(sparse_analysis());
  ASSERT_EQ(table.rows.size(), 1U);
  EXPECT_EQ(printed(table, 0, "hbm_again_bytes"), "n/a");
}

TEST(RangeTable, PutsTheWholeRunBeforeItsRanges) {
  const Table table = range_table(sample_analysis());
  ASSERT_EQ(table.rows.size(), 2U);
  EXPECT_EQ(printed(table, 0, "range"), "(whole run)");
  EXPECT_EQ(printed(table, 1, "range"), "benchmark/attention");
  EXPECT_EQ(printed(table, 1, "launches"), "4");
  EXPECT_TRUE(range_table(sparse_analysis()).rows.empty());  // no ranges, no table
}

TEST(LatencyNotes, GiveEachQuantileItsInterval) {
  const auto notes = latency_notes(sample_analysis());
  ASSERT_EQ(notes.size(), 2U);
  EXPECT_THAT(notes[1],
              ::testing::HasSubstr(
                  "fused: of 200 repeats P50 921 µs (95 % confidence -0.10 % to +0.10 %)"));
  EXPECT_THAT(notes[1], ::testing::HasSubstr("too few repeats for an upper end"));
  EXPECT_THAT(latency_notes(sparse_analysis()), ::testing::IsEmpty());
}

TEST(LatencyNotes, KeepTheZerosOfTheirDigits) {
  Analysis analysis = sample_analysis();
  analysis.variants.resize(1);
  LatencyStats& latency = *analysis.variants[0].latency;
  latency.p50 = 1e-3;
  latency.median_ci95_low = 0.99e-3;
  latency.median_ci95_high = 1.0107e-3;
  latency.p90 = 1e-3;
  latency.p90_ci95_low = 0.88e-3;
  latency.p90_ci95_high = 1e-3;
  const auto notes = latency_notes(analysis);
  ASSERT_EQ(notes.size(), 1U);
  EXPECT_THAT(notes[0], ::testing::HasSubstr("-1.0 % to +1.1 %"));
  EXPECT_THAT(notes[0], ::testing::HasSubstr("-12 % to +0.0 %"));
}

TEST(SplitTable, MarksTheBestNumberOfParts) {
  Analysis analysis;
  analysis.split_options = {{1, 8, 8.0 / 132, 0, 923e-6, false},
                            {16, 128, 128.0 / 132, 264192, 57.8e-6, true}};
  const Table table = split_table(analysis);
  EXPECT_EQ(printed(table, 0, "best"), "");
  EXPECT_EQ(printed(table, 1, "best"), "yes");
  EXPECT_EQ(printed(table, 1, "partial_bytes"), "264 kB");
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

TEST(StallTable, BelowAKernelOfSeveralGpusStandsOneRowAGpu) {
  Analysis analysis = sample_analysis();
  analysis.kernels[1].stalls_by_device = {{0, {{"long_scoreboard", 0.25, true}}, 0.25, 60},
                                          {1, {{"long_scoreboard", 0.75, true}}, 0.75, 90}};
  const Table table = stall_table(analysis);
  ASSERT_EQ(table.rows.size(), analysis.kernels.size() + 2);
  const std::string name = analysis.kernels[1].short_name;
  EXPECT_EQ(printed(table, 1, "kernel"), name);
  EXPECT_EQ(printed(table, 2, "kernel"), name + " on GPU 0");
  EXPECT_EQ(printed(table, 3, "samples"), "90");
  EXPECT_EQ(printed(table, 3, "long_scoreboard"), "75.0 %");
  EXPECT_EQ(table.rows[3].kernel, 1U) << "selects its kernel";

  const Table leading = leading_stall_table(analysis, 2);
  EXPECT_EQ(printed(leading, 3, "kernel"), name + " on GPU 1");
}

TEST(StallTable, SharesFromCountersHaveNoNumberOfSamples) {
  Analysis analysis = sample_analysis();
  analysis.kernels[1].stall_samples = 0;  // as in an export of Nsight Compute
  EXPECT_EQ(printed(stall_table(analysis), 1, "samples"), "n/a");
  EXPECT_NE(printed(stall_table(analysis), 1, "long_scoreboard"), "n/a");
}

TEST(StallTable, LeadingStatesAreThoseOfSampledKernelsInTheWidthOfAPage) {
  Analysis analysis = sample_analysis();
  analysis.kernels[0].stalls.clear();
  const Table leading = leading_stall_table(analysis, 3);
  ASSERT_EQ(leading.rows.size(), 2U) << "of the first three, one was not sampled";
  EXPECT_EQ(leading.rows[0].kernel, 1U);
  EXPECT_EQ(leading.columns.size(), 8U);
  const Table all = stall_table(analysis);
  for (std::size_t c = 3; c < leading.columns.size(); ++c) {
    EXPECT_EQ(leading.columns[c].id, all.columns[c].id) << "the heaviest first";
  }
}

TEST(KernelTable, GivesEnergyToKernelsThatWereMeasuredAlone) {
  Analysis analysis = sample_analysis();
  EXPECT_EQ(printed(kernel_table(analysis), 0, "energy_j"), "n/a");
  analysis.kernels[0].energy = LaunchEnergy{500, 750, 2, 0.03};
  EXPECT_EQ(printed(kernel_table(analysis), 0, "power_w"), "500 W");
  EXPECT_EQ(printed(kernel_table(analysis), 0, "energy_j"), "750 J");
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
  EXPECT_EQ(table.columns[1].title, "Theory, highest clock");
  EXPECT_EQ(table.columns[5].title, "Meas./theory, that clock");
  EXPECT_EQ(printed(ceiling_table(sparse_analysis()), 0, "measured"), "n/a");
}

// Of a power-limited H200 they differ by a fifth: 834 of 1070 TFLOP/s at 1980 MHz is 77.9 %, of 835
// at the 1545 MHz that the tensor cores ran at it is 99.9 %.
TEST(CeilingTable, MeasuredOverTheoryIsTheSameInTheWindowAndInTheTextReport) {
  const Analysis analysis = analysed(recording());
  const Table window = ceiling_table(analysis);
  const Table report = ceiling_measurement_table(analysis);
  std::size_t compared = 0;
  std::string last;
  for (std::size_t r = 0; r < report.rows.size(); ++r) {
    const std::string ceiling = printed(report, r, "ceiling");
    if (std::exchange(last, ceiling) == ceiling) {
      continue;  // a slower way to the same ceiling
    }
    for (std::size_t w = 0; w < window.rows.size(); ++w) {
      if (printed(window, w, "ceiling") == ceiling) {
        ++compared;
        EXPECT_EQ(printed(window, w, "ratio"), printed(report, r, "ratio")) << ceiling;
        EXPECT_EQ(printed(window, w, "sm_clock"), printed(report, r, "sm_clock")) << ceiling;
        EXPECT_EQ(printed(window, w, "theoretical_at_clock"), printed(report, r, "theoretical"))
            << ceiling;
      }
    }
  }
  EXPECT_EQ(compared, 11U);
}

TEST(CeilingTable, SaysFromWhichIntensityArithmeticBinds) {
  const Table table = ceiling_table(sample_analysis());
  const auto tensor = filtered_rows(table, "Tensor FP16");
  ASSERT_FALSE(tensor.empty());
  EXPECT_EQ(printed(table, tensor.front(), "ridge_hbm"), "206 FLOP/B");  // 989.4 T / 4.80 T
  EXPECT_EQ(printed(table, 0, "ridge_hbm"), "n/a");                      // a bandwidth has none
}

TEST(Tables, ReplaceControlCharactersOfKernelNames) {
  Analysis analysis = sample_analysis();
  analysis.kernels[0].short_name = "evil\x1b[2Jname\n";
  EXPECT_EQ(printed(kernel_table(analysis), 0, "kernel"), "evil?[2Jname?");
  EXPECT_EQ(printed(stall_table(analysis), 0, "kernel"), "evil?[2Jname?");
}

}  // namespace
}  // namespace ridgepoint
