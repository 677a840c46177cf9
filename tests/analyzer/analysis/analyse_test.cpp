#include "analyzer/analysis/analyse.h"

#include <gmock/gmock.h>

#include <algorithm>

#include "analyzer/attention/flop.h"
#include "tests/support/sample_session.h"

namespace ridgepoint {
namespace {

using namespace testing;
using ::testing::Contains;
using ::testing::Field;
using ::testing::IsEmpty;

Analysis analyse_ok(const Session& session) {
  const auto analysis = analyse(session);
  EXPECT_TRUE(analysis) << (analysis ? "" : analysis.error().why);
  return analysis ? *analysis : Analysis();
}

auto has_code(const char* code) {
  return Contains(Field(&Issue::code, code));
}

// All numbers of the sample are invented; see tests/support/sample_session.h.
struct AnalyseSample : ::testing::Test {
  Session session = sample_session();
  Analysis analysis = analyse_ok(session);
};

TEST_F(AnalyseSample, ShowsKernelsByVariantInLaunchOrder) {
  ASSERT_EQ(analysis.kernels.size(), 4U);
  const char* names[] = {"scores_kernel", "softmax_kernel", "output_kernel", "fused_kernel"};
  const char* roles[] = {"scores", "softmax", "output", "attention"};
  for (std::size_t i = 0; i < 4; ++i) {
    EXPECT_EQ(analysis.kernels[i].short_name, names[i]);
    EXPECT_EQ(analysis.kernels[i].role, roles[i]);
    EXPECT_EQ(analysis.kernels[i].variant, i < 3 ? "naive" : "fused");
  }
  EXPECT_THAT(analysis.issues, IsEmpty());
}

// What a collector leaves of launches that came too fast to be timed one by one.
TEST(AnalyseTimeline, ThatTimedSomeLaunchesGivesTheirMeanTimesAll) {
  Session session;
  session.policy.counter_profile = "none";
  session.devices.resize(1);
  session.kernels.resize(1);
  session.kernels[0].name = session.kernels[0].mangled = "tiny";
  session.launches.resize(10);
  for (std::size_t i = 0; i < 10; ++i) {
    session.launches[i].start_ns = session.launches[i].end_ns = 1000 + static_cast<int>(i);
  }
  EXPECT_FALSE(analyse_ok(session).kernels.at(0).time_s.has_value());
  session.launches[0].end_ns += 2000;
  session.launches[5].end_ns += 4000;
  const Analysis analysis = analyse_ok(session);
  const KernelAnalysis& kernel = analysis.kernels.at(0);
  EXPECT_NEAR(kernel.time_s.value_or(0), 30e-6, 1e-12);
  EXPECT_THAT(kernel.launch_times_s, IsEmpty());

  session.policy.counter_profile = "lite";
  EXPECT_FALSE(analyse_ok(session).kernels.at(0).time_s.has_value());
}

TEST(AnalyseTimeline, HasNoAdviceOnTheShapeOfAWholeGraph) {
  Session session;
  session.policy.counter_profile = "none";
  session.devices.resize(1);
  session.devices[0].sm_count = 132;
  session.kernels.resize(1);
  session.launches.resize(1);
  session.launches[0].start_ns = 1000;
  session.launches[0].end_ns = 9000;
  session.kernels[0].name = session.kernels[0].mangled = "one_block";
  EXPECT_THAT(analyse_ok(session).diagnoses, Contains(Field(&Diagnosis::id, "small_grid")));
  session.kernels[0].name = session.kernels[0].mangled = "[CUDA graph 2]";
  EXPECT_THAT(analyse_ok(session).diagnoses, IsEmpty());
}

TEST_F(AnalyseSample, PutsTheSoftmaxUnderItsHbmRoof) {
  const KernelAnalysis& softmax = analysis.kernels[softmax_launch];
  const double bytes = 2 * 8 * 4096.0 * 4096 * 2 + 8 * 4096 * 4;
  EXPECT_DOUBLE_EQ(*softmax.traffic[MemoryLevel::hbm].total, bytes);
  EXPECT_NEAR(*softmax.utilisation[MemoryLevel::hbm], bytes / 120e-6 / 4.9152e12, 1e-9);
  EXPECT_EQ(softmax.bound_by, BoundBy::hbm);
  EXPECT_EQ(softmax.flop.precision, "fp32");
}

TEST_F(AnalyseSample, PutsTheFusedKernelUnderItsTensorRoof) {
  const KernelAnalysis& fused = analysis.kernels[fused_launch];
  EXPECT_EQ(fused.bound_by, BoundBy::compute);
  EXPECT_EQ(fused.flop.precision, "tensor_fp16");
  EXPECT_NEAR(*fused.compute_utilisation,
              4.0 * 8 * 4096 * 4096 * 64 / 55e-6 / (4096 * 132 * 1.755e9), 1e-6);
}

TEST_F(AnalyseSample, AVariantIsTheSumOfItsKernels) {
  const VariantAnalysis& naive = analysis.variants[0];
  EXPECT_EQ(naive.kernels, (std::vector<std::size_t>{0, 1, 2}));
  for (const MemoryLevel level : memory_levels) {
    double sum = 0;
    for (const std::size_t kernel : naive.kernels) {
      sum += *analysis.kernels[kernel].traffic[level].total;
    }
    EXPECT_DOUBLE_EQ(*naive.traffic[level].measured.total, sum) << label(level);
  }
  EXPECT_DOUBLE_EQ(*naive.flop.tensor, 4.0 * 8 * 4096 * 4096 * 64);
}

TEST_F(AnalyseSample, TheIoModelStandsBesideTheMeasurement) {
  for (const VariantAnalysis& variant : analysis.variants) {
    const LevelPrediction& hbm = variant.traffic[MemoryLevel::hbm];
    // Of the fused kernel 4 MB of output still lie in an L2 of this size.
    const double unwritten = variant.name == "fused"
                                 ? query_bytes(*analysis.attention) + lse_bytes(*analysis.attention)
                                 : 0;
    EXPECT_NEAR((*hbm.predicted + unwritten) / *hbm.measured.total, 1.0, 0.01) << variant.name;
    EXPECT_FALSE(hbm.formula.empty());
    EXPECT_GT(variant.traffic[MemoryLevel::smem].predicted.value_or(0), 0) << variant.name;
  }
}

TEST_F(AnalyseSample, TimeSpeedUpAndTokensComeFromTheMedianLatency) {
  EXPECT_NEAR(*analysis.variants[0].time_s, 280e-6, 1e-12);
  EXPECT_NEAR(*analysis.variants[1].speedup_over_first, 5.0, 1e-9);
  EXPECT_NEAR(*analysis.variants[0].speedup_over_first, 1.0, 1e-12);
  EXPECT_NEAR(*analysis.variants[1].tokens_per_s, 4096 / 56e-6, 1);
  EXPECT_NEAR(*analysis.variants[1].achieved_flop_per_s, 4.0 * 8 * 4096 * 4096 * 64 / 56e-6, 1e6);
}

TEST_F(AnalyseSample, FusionIsTheFirstAdvice) {
  ASSERT_FALSE(analysis.diagnoses.empty());
  EXPECT_EQ(analysis.diagnoses.front().id, "materialised_intermediates");
  // Its kernels that use mma.sync are bound by HBM: faster products would not show.
  EXPECT_THAT(analysis.diagnoses,
              ::testing::Not(Contains(Field(&Diagnosis::id, "mma_where_wgmma_exists"))));
  EXPECT_THAT(analysis.diagnoses, Contains(Field(&Diagnosis::id, "compute_bound_ok")));
}

TEST_F(AnalyseSample, EveryVariantIsJudgedOnEveryTarget) {
  EXPECT_EQ(analysis.targets.size(), 12U);
}

TEST_F(AnalyseSample, OccupancyComesFromTheCalculator) {
  const Occupancy& fused = analysis.kernels[fused_launch].occupancy;
  EXPECT_EQ(fused.blocks_per_sm,
            1);  // 168 registers: 5,376 a warp, 3 a sub-partition, 12 warps, blocks of 8
  EXPECT_EQ(fused.limiter, "registers");
  EXPECT_NEAR(*fused.waves, 256.0 / 132, 1e-12);
}

TEST(Analyse, AnEmptySessionGivesAnEmptyAnalysis) {
  const Analysis analysis = analyse_ok(Session());
  EXPECT_THAT(analysis.kernels, IsEmpty());
  EXPECT_THAT(analysis.diagnoses, IsEmpty());
}

TEST(Analyse, WithoutCountersTimesAndPredictionsRemainAndNothingBecomesZero) {
  Session session = sample_session();
  session.counters = {};
  session.pc_samples.clear();
  const Analysis analysis = analyse_ok(session);
  EXPECT_NEAR(*analysis.variants[1].speedup_over_first, 5.0, 1e-9);
  EXPECT_TRUE(analysis.variants[0].traffic[MemoryLevel::hbm].predicted);
  for (const KernelAnalysis& kernel : analysis.kernels) {
    EXPECT_FALSE(kernel.time_s);
    EXPECT_FALSE(kernel.traffic[MemoryLevel::hbm].total);
    EXPECT_FALSE(kernel.flop.total);
    EXPECT_FALSE(kernel.memory_stall_ratio);
    EXPECT_EQ(kernel.bound_by, BoundBy::unknown);
  }
}

TEST(Analyse, CountersThatAreAbsentAreSaidToBe) {
  Session session = sample_session();
  for (auto& column : session.counters.columns) {
    std::fill(column.begin(), column.end(), not_measured);
  }
  EXPECT_THAT(analyse_ok(session).issues, has_code("counters.absent"));
  session.counters = {};
  EXPECT_THAT(analyse_ok(session).issues, has_code("counters.absent"));
}

TEST(Analyse, CountersThatNobodyAskedForAreNotMissed) {
  Session session = sample_session();
  session.counters = {};
  session.producer.mode = "profile";
  session.policy.counter_profile = "none";
  EXPECT_THAT(analyse_ok(session).issues, ::testing::Not(has_code("counters.absent")));
}

TEST(Analyse, AQuantityThatSomeKernelsLackIsNamed) {
  Session session = sample_session();
  for (std::size_t i = 0; i < session.counters.names.size(); ++i) {
    if (session.counters.names[i].rfind("dram__bytes", 0) == 0) {
      session.counters.columns[i][fused_launch] = not_measured;
    }
  }
  EXPECT_THAT(analyse_ok(session).issues,
              Contains(Field(&Issue::text, "not measured: HBM bytes (1 of 4 kernels)")));
}

TEST(Analyse, ATimeWithoutTimedRepeatsIsAnIssue) {
  for (const std::vector<double>& repeats :
       {std::vector<double>{}, std::vector<double>{0, 0}, std::vector<double>{-1e-3}}) {
    Session session = sample_session();
    session.attention->variants[1].latency_s = repeats;
    const Analysis analysis = analyse_ok(session);
    EXPECT_FALSE(analysis.variants[1].latency);
    EXPECT_THAT(analysis.issues, has_code("latency.absent"));
  }
  Session session = sample_session();
  session.attention->variants[1].latency_s.push_back(-1);
  EXPECT_THAT(analyse_ok(session).issues, has_code("latency.unusable"));
}

TEST(Analyse, AnUnknownChipIsAnIssueNotAFailure) {
  Session session = sample_session();
  session.devices[0].chip = "XX999";
  const Analysis analysis = analyse_ok(session);
  EXPECT_THAT(analysis.issues, has_code("chip.unknown"));
  EXPECT_THAT(analysis.issues, has_code("counters.unknown_chip"));
  EXPECT_EQ(analysis.kernels.size(), 4U);
}

TEST(Analyse, AChipThatCuptiCouldNotNameIsFoundByComputeCapability) {
  const Analysis named = analyse_ok(sample_session());
  Session session = sample_session();
  session.devices[0].chip.clear();
  const Analysis analysis = analyse_ok(session);
  EXPECT_THAT(analysis.issues, has_code("chip.assumed"));
  EXPECT_THAT(analysis.issues, Not(has_code("chip.unknown")));
  EXPECT_EQ(analysis.ceilings.size(), named.ceilings.size());
}

TEST(Analyse, CountersThatMissALaunchAreNamed) {
  Session session = sample_session();
  session.launches.push_back(session.launches[fused_launch]);
  session.attention->variants[1].launches.push_back(4);
  session.attention->variants[1].tiles.push_back(session.attention->variants[1].tiles[0]);
  for (auto& column : session.counters.columns) {
    column.resize(session.launches.size(), not_measured);
  }
  const Analysis analysis = analyse_ok(session);
  EXPECT_THAT(analysis.issues, has_code("counters.incomplete"));
  EXPECT_FALSE(analysis.kernels[3].traffic[MemoryLevel::hbm].total);
}

TEST(Analyse, LaunchesOutsideTheVariantsFollowByTime) {
  Session session = sample_session();
  session.attention.reset();
  const Analysis analysis = analyse_ok(session);
  EXPECT_EQ(analysis.kernels.front().short_name, "softmax_kernel");
  EXPECT_TRUE(std::is_sorted(analysis.kernels.begin(), analysis.kernels.end(),
                             [](const auto& a, const auto& b) { return *a.time_s > *b.time_s; }));
  EXPECT_THAT(analysis.variants, IsEmpty());
}

TEST(Analyse, IndicesThatDoNotFitAreAnError) {
  Session session = sample_session();
  session.launches[0].kernel = 99;
  EXPECT_FALSE(analyse(session));
}

TEST(Analyse, IssuesOfTheSessionComeFirst) {
  Session session = sample_session();
  session.issues = {{"counters.refused", "two were"}};
  session.attention->variants[0].correctness->passed = false;
  const Analysis analysis = analyse_ok(session);
  EXPECT_EQ(analysis.issues.front().code, "counters.refused");
  EXPECT_THAT(analysis.issues, has_code("correctness.failed"));
}

}  // namespace
}  // namespace ridgepoint
