// Rules about how a kernel is launched, and about warps that do not issue.
#include "tests/analyzer/rules/one_kernel.h"

namespace ridgepoint {
namespace {

using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::SizeIs;

struct TailEffect : testing::OneKernel {
  TailEffect() {
    kernel().occupancy.waves = 2.1;
    kernel().balance = {};
  }
};

TEST_F(TailEffect, FiresWhenAPartialWaveFollowsFewWholeOnes) {
  const auto found = fired("tail_effect");
  ASSERT_THAT(found, SizeIs(1));
  EXPECT_NEAR(*found[0].estimated_gain, 0.3, 1e-12) << "2.1 of 3 waves are work";
  EXPECT_THAT(fired("wave_quantisation"), IsEmpty());
}

// However few waves there are, a last one that is nearly full loses nearly nothing.
TEST_F(TailEffect, PromisesNoMoreThanTheEmptyPartOfTheLastWave) {
  for (const double waves : {1.94, 2.9, 4.8}) {
    kernel().occupancy.waves = waves;
    EXPECT_THAT(fired("tail_effect"), IsEmpty()) << waves;
  }
  kernel().occupancy.waves = 1.5;
  const auto found = fired("tail_effect");
  ASSERT_THAT(found, SizeIs(1));
  EXPECT_NEAR(*found[0].estimated_gain, 0.25, 1e-12);
  EXPECT_EQ(found[0].gain_formula, "1 - waves / ceil(waves)");
}

TEST_F(TailEffect, IsSilentForWholeWavesManyWavesAndSmsThatWereBusy) {
  kernel().occupancy.waves = 3.0;
  EXPECT_THAT(fired("tail_effect"), IsEmpty());
  kernel().occupancy.waves = 5.1;
  EXPECT_THAT(fired("tail_effect"), IsEmpty());
  kernel().occupancy.waves = 2.1;
  kernel().balance = {0.97, 0.98, 0.99};
  EXPECT_THAT(fired("tail_effect"), IsEmpty());
}

struct BlockSize : testing::OneKernel {};

TEST_F(BlockSize, FiresWhenTheLastWarpIsNotFull) {
  kernel().block = {40, 1, 1};
  const auto found = fired("block_size_not_warp_multiple");
  ASSERT_THAT(found, SizeIs(1));
  EXPECT_NEAR(*found[0].estimated_gain, 0.5 * 24 / 32, 1e-12);
  EXPECT_THAT(found[0].action, HasSubstr("32 or 64"));
}

TEST_F(BlockSize, IsSilentForWholeWarpsInAnyDimension) {
  kernel().block = {8, 4, 3};
  EXPECT_THAT(fired("block_size_not_warp_multiple"), IsEmpty());
}

struct LaunchBound : testing::OneKernel {
  void run(std::size_t launches, std::int64_t kernel_ns, std::int64_t gap_ns) {
    session.launches.clear();
    std::int64_t now = 1000;
    for (std::size_t i = 0; i < launches; ++i) {
      Launch launch;
      launch.start_ns = now;
      launch.end_ns = now + kernel_ns;
      now = launch.end_ns + gap_ns;
      session.launches.push_back(launch);
    }
  }
};

TEST_F(LaunchBound, FiresWhenShortKernelsWaitForTheHost) {
  run(101, 4000, 6000);
  const auto found = fired("launch_bound");
  ASSERT_THAT(found, SizeIs(1));
  EXPECT_NEAR(*found[0].estimated_gain, 600.0 / 1004, 1e-9);
  EXPECT_THAT(found[0].title, HasSubstr("59.8 % of the time in bursts of them"));
  EXPECT_THAT(found[0].action, HasSubstr("CUDA graph"));
}

// A pause of the program is not of the time that faster launches would save.
TEST_F(LaunchBound, PromisesNoMoreThanItsGapsOfTheTimeFromFirstToLastKernel) {
  run(101, 4000, 6000);
  Launch after;  // 1004 us of launches, and as long a pause
  after.start_ns = session.launches.back().end_ns + 1'004'000;
  after.end_ns = after.start_ns + 1;
  session.launches.push_back(after);
  const auto found = fired("launch_bound");
  ASSERT_THAT(found, SizeIs(1));
  EXPECT_NEAR(*found[0].estimated_gain, 300.0 / 1004, 1e-6);
  EXPECT_THAT(found[0].title, HasSubstr("59.8 %"));
  EXPECT_THAT(found[0].explanation, HasSubstr("1.00 ms of the 2.01 ms from first to last kernel"));
}

TEST_F(LaunchBound, IsSilentForDenseLongOrFewKernelsAndForPausesOfTheProgram) {
  run(100, 4000, 500);
  EXPECT_THAT(fired("launch_bound"), IsEmpty());
  run(100, 50'000, 40'000);
  EXPECT_THAT(fired("launch_bound"), IsEmpty());
  run(5, 4000, 6000);
  EXPECT_THAT(fired("launch_bound"), IsEmpty());
  run(100, 4000, 5'000'000);
  EXPECT_THAT(fired("launch_bound"), IsEmpty());
}

struct IssueSlots : testing::OneKernel {
  IssueSlots() { measured("issue_active_share", 0.25); }
};

TEST_F(IssueSlots, FiresWhenWarpsAreThereButDoNotIssue) {
  const auto found = fired("issue_slots_low");
  ASSERT_THAT(found, SizeIs(1));
  EXPECT_NEAR(*found[0].estimated_gain, 0.7, 1e-12);
}

TEST_F(IssueSlots, LeavesOccupancyStallsAndRoofsToTheirRules) {
  kernel().stalls = {{"long_scoreboard", 0.5, true}};
  EXPECT_THAT(fired("issue_slots_low"), IsEmpty());
  kernel().stalls = {};
  kernel().occupancy.theoretical = 0.25;
  EXPECT_THAT(fired("issue_slots_low"), IsEmpty());
  kernel().occupancy.theoretical = 1.0;
  kernel().bound_by = BoundBy::hbm;
  EXPECT_THAT(fired("issue_slots_low"), IsEmpty());
}

struct StallCase {
  const char* rule;
  const char* reason;
};
struct StallRules : testing::OneKernel, ::testing::WithParamInterface<StallCase> {};

TEST_P(StallRules, FireWhenTheirReasonTakesThirtyPercent) {
  kernel().stalls = {{GetParam().reason, 0.4, false}};
  const auto found = fired(GetParam().rule);
  ASSERT_THAT(found, SizeIs(1));
  EXPECT_NEAR(*found[0].estimated_gain, 0.4, 1e-12);
}

TEST_P(StallRules, AreSilentBelowItForOtherReasonsAndWhenIssueSlotsAreFull) {
  kernel().stalls = {{GetParam().reason, 0.2, false}, {"wait", 0.5, false}};
  EXPECT_THAT(fired(GetParam().rule), IsEmpty());
  kernel().stalls = {{GetParam().reason, 0.4, false}};
  measured("issue_active_share", 0.85);
  EXPECT_THAT(fired(GetParam().rule), IsEmpty());
}

INSTANTIATE_TEST_SUITE_P(Reasons, StallRules,
                         ::testing::Values(StallCase{"barrier_stalls", "barrier"},
                                           StallCase{"math_pipe_stalls", "math_pipe_throttle"},
                                           StallCase{"instruction_fetch_stalls",
                                                     "no_instruction"}));

}  // namespace
}  // namespace ridgepoint
