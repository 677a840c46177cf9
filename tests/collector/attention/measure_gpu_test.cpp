// A small attention problem from end to end on the GPU of this machine.
#include "collector/attention/measure.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <set>

#include "analyzer/metrics/counter_map.h"
#include "analyzer/session/check.h"
#include "analyzer/session/session_file.h"
#include "collector/cuda/device.h"
#include "tests/support/temp_dir.h"

namespace ridgepoint::collector {
namespace {

AttentionRunOptions small_run(const std::filesystem::path& output) {
  AttentionRunOptions options;
  options.shape.batch = 1;
  options.shape.heads = options.shape.kv_heads = 4;
  options.shape.seqlen_q = options.shape.seqlen_k = 1024;
  options.shape.head_dim = 64;
  options.shape.dtype = "fp16";
  options.output = output;
  options.pm_interval_ns = 10000;
  return options;
}

// One process measures once: PC sampling needs a context whose kernels are not loaded yet.
class MeasureGpu : public ::testing::Test {
 protected:
  static void SetUpTestSuite() {
    if (!select_device(0)) {
      return;
    }
    folder_ = new test::TempDir;
    outcome_ =
        new Result<AttentionOutcome>(measure_attention(small_run(*folder_ / "run.ridge"), {}));
  }
  static void TearDownTestSuite() {
    delete outcome_;
    delete folder_;
  }
  void SetUp() override {
    if (const Status selected = select_device(0); !selected) {
      GTEST_SKIP() << format_error(selected.error());
    }
    ASSERT_TRUE(*outcome_) << format_error(outcome_->error());
    for (const Error& error : (*outcome_)->missing) {
      ADD_FAILURE() << "could not be measured: " << format_error(error);
    }
  }
  const Session& session() const { return (*outcome_)->session; }
  double quantity(const std::string& id, std::uint32_t launch) const {
    const auto map = load_counter_map(session().devices.at(0).chip);
    return map && map->find(id) != nullptr
               ? evaluate(*map->find(id), session().counters, launch).value_or(not_measured)
               : not_measured;
  }

  static test::TempDir* folder_;
  static Result<AttentionOutcome>* outcome_;
};
test::TempDir* MeasureGpu::folder_ = nullptr;
Result<AttentionOutcome>* MeasureGpu::outcome_ = nullptr;

TEST_F(MeasureGpu, VariantsAreCorrectAndTimedAsOftenAsAsked) {
  ASSERT_TRUE(session().attention);
  ASSERT_GE(session().attention->variants.size(), 2U)
      << "naive and fused run on every supported GPU";
  for (const VariantRun& variant : session().attention->variants) {
    ASSERT_TRUE(variant.correctness) << variant.name;
    EXPECT_TRUE(variant.correctness->passed) << variant.name;
    EXPECT_EQ(variant.correctness->rows_checked, 4 * 1024) << "small: every row";
    EXPECT_EQ(variant.latency_s.size(), 200U) << variant.name;
    EXPECT_GT(*std::min_element(variant.latency_s.begin(), variant.latency_s.end()), 0);
    EXPECT_EQ(variant.tiles.size(), variant.launches.size()) << variant.name;
  }
}

// Tiles at the edge compute rows and columns that nobody asked for: whole tiles over what the
// problem holds.
double tile_padding(const AttentionShape& shape, const KernelTileInfo& tile) {
  const auto padded = [](std::int64_t extent, std::int64_t block) {
    return block == 0 ? 1.0
                      : static_cast<double>((extent + block - 1) / block * block) /
                            static_cast<double>(extent);
  };
  return padded(shape.seqlen_q, tile.block_m) * padded(shape.seqlen_k, tile.block_n);
}

TEST_F(MeasureGpu, CountedTensorFlopsAreTheAnalyticOnes) {
  for (const VariantRun& variant : session().attention->variants) {
    double flop = 0;
    for (const std::uint32_t launch : variant.launches) {
      flop += quantity("tensor_fp16_flop", launch);
    }
    const double padding = tile_padding(session().attention->shape, variant.tiles.front());
    EXPECT_GT(flop / session().attention->analytic_flop, 0.98) << variant.name;
    EXPECT_LT(flop / session().attention->analytic_flop, 1.02 * padding) << variant.name;
  }
}

TEST_F(MeasureGpu, NaiveWritesItsIntermediatesAndFusedDoesNot) {
  const auto& variants = session().attention->variants;
  const double scores_bytes = 4.0 * 1024 * 1024 * 2;
  const auto l2_writes = [&](const VariantRun& variant) {
    double bytes = 0;
    for (const std::uint32_t launch : variant.launches) {
      bytes += quantity("l2_write_bytes", launch);
    }
    return bytes;
  };
  EXPECT_GT(l2_writes(variants[0]), 2 * scores_bytes) << "S and P";
  EXPECT_LT(l2_writes(variants[1]), scores_bytes);
}

TEST_F(MeasureGpu, EveryCounterOfEveryLaunchWasMeasured) {
  EXPECT_EQ(session().policy.replay_mode, "user");
  EXPECT_GE(session().policy.passes, 1);
  ASSERT_FALSE(session().counters.names.empty());
  for (std::size_t c = 0; c < session().counters.names.size(); ++c) {
    for (const double value : session().counters.columns[c]) {
      EXPECT_TRUE(std::isfinite(value)) << session().counters.names[c];
    }
  }
}

TEST_F(MeasureGpu, PcSamplesOfEveryKernelPointAtInstructions) {
  for (std::uint32_t kernel = 0; kernel < session().kernels.size(); ++kernel) {
    std::uint64_t samples = 0;
    std::set<std::uint64_t> offsets;
    for (const PcSample& sample : session().pc_samples) {
      if (sample.kernel == kernel) {
        samples += sample.samples;
        EXPECT_LE(sample.samples_not_issued, sample.samples);
        offsets.insert(sample.pc_offset);
      }
    }
    EXPECT_GT(samples, 1000U) << session().kernels[kernel].name;
    EXPECT_GT(offsets.size(), 20U) << session().kernels[kernel].name;
  }
}

TEST_F(MeasureGpu, LaunchesCarryTheirShapeRegistersAndTimes) {
  for (const Launch& launch : session().launches) {
    EXPECT_GT(count(launch.grid), 0U);
    EXPECT_GE(count(launch.block), 32U);
    EXPECT_GT(launch.end_ns, launch.start_ns);
    EXPECT_GT(session().kernels[launch.kernel].registers_per_thread.value_or(0), 0);
    EXPECT_NE(session().kernels[launch.kernel].name, session().kernels[launch.kernel].mangled);
  }
}

TEST_F(MeasureGpu, EveryVariantRanAloneLongEnoughForTheEnergyCounter) {
  ASSERT_FALSE(session().power.empty());
  std::set<std::string> watched;
  for (const PowerPhase& phase : session().power_phases) {
    SCOPED_TRACE(phase.name + " " + phase.variant);
    EXPECT_GT(phase.end_ns, phase.start_ns);
    EXPECT_GT(phase.samples, 0);
    if (phase.name == "energy") {
      watched.insert(phase.variant);
      EXPECT_GT(phase.runs, 100);
      EXPECT_GE(phase.energy_updates, 10);
      const double power_w = phase.energy_j.value_or(0) / phase.energy_s.value_or(1);
      EXPECT_GT(power_w, 30) << "more than an idle board";
      EXPECT_LT(power_w, 2000);
      EXPECT_NEAR(power_w / phase.power_mean_w.value_or(0), 1, 0.25)
          << "the counter and the momentary power speak of the same watts";
      EXPECT_GT(phase.sm_clock_mean_hz.value_or(0), 3e8);
    }
  }
  EXPECT_EQ(watched.size(), session().attention->variants.size());
}

TEST_F(MeasureGpu, SamplesOverTimeSeeEveryVariantAtWork) {
  ASSERT_EQ(session().pm_series.size(), session().attention->variants.size());
  for (const PmSeries& series : session().pm_series) {
    SCOPED_TRACE(series.variant);
    ASSERT_EQ(series.names.size(), 5U);
    ASSERT_FALSE(series.start_s.empty());
    EXPECT_FALSE(series.cut_off);
    // sm_active_share, tensor_pipe_share and l2_share, in percent of their peaks.
    for (std::size_t c = 0; c < 3; ++c) {
      const auto& column = series.columns[c];
      EXPECT_GT(*std::max_element(column.begin(), column.end()), 1) << series.names[c];
      EXPECT_LT(*std::max_element(column.begin(), column.end()), 105) << series.names[c];
    }
  }
}

TEST_F(MeasureGpu, FileHoldsTheSessionAndTheJournalIsGone) {
  const auto read = read_session(*folder_ / "run.ridge");
  ASSERT_TRUE(read) << format_error(read.error());
  EXPECT_EQ(session_to_json(*read), session_to_json(session()));
  EXPECT_EQ(session_fault(*read), "");
  EXPECT_FALSE(std::filesystem::exists(*folder_ / "run.ridge.journal"));
}

TEST_F(MeasureGpu, WithoutCuptiTheTimingsGoOnAndTheLossIsTold) {
  setenv("RIDGEPOINT_CUPTI", "/nowhere/libcupti.so", 1);
  const auto outcome = measure_attention(small_run(*folder_ / "timed.ridge"), {});
  unsetenv("RIDGEPOINT_CUPTI");
  ASSERT_TRUE(outcome) << format_error(outcome.error());
  ASSERT_FALSE(outcome->missing.empty());
  EXPECT_EQ(exit_code_for(outcome->missing.front()), ExitCode::device);
  ASSERT_FALSE(outcome->session.issues.empty());
  EXPECT_EQ(outcome->session.issues.front().code, "cupti.unavailable");
  EXPECT_EQ(outcome->session.policy.replay_mode, "none");
  EXPECT_TRUE(outcome->session.counters.names.empty());
  for (const VariantRun& variant : outcome->session.attention->variants) {
    EXPECT_EQ(variant.latency_s.size(), 200U);
    EXPECT_TRUE(variant.correctness && variant.correctness->passed);
  }
}

TEST_F(MeasureGpu, ExistingFileIsNotOverwritten) {
  const auto again = measure_attention(small_run(*folder_ / "run.ridge"), {});
  ASSERT_FALSE(again);
  EXPECT_EQ(again.error().domain, ErrorDomain::output);
}

TEST_F(MeasureGpu, ProblemThatDoesNotFitNamesWhatItNeeds) {
  AttentionRunOptions options = small_run(*folder_ / "large.ridge");
  options.shape.batch = 64;
  options.shape.heads = options.shape.kv_heads = 64;
  options.shape.seqlen_q = options.shape.seqlen_k = 16384;
  options.variants = {"naive"};
  const auto outcome = measure_attention(options, {});
  ASSERT_FALSE(outcome);
  EXPECT_EQ(outcome.error().domain, ErrorDomain::device);
  EXPECT_THAT(outcome.error().why, ::testing::HasSubstr("GiB"));
  EXPECT_FALSE(std::filesystem::exists(*folder_ / "large.ridge"));
}

}  // namespace
}  // namespace ridgepoint::collector
