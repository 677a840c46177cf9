#include "analyzer/compare/compare.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <rapidcheck.h>
#include <rapidcheck/gtest.h>

#include <cmath>
#include <limits>

#include "analyzer/open/open_analysis.h"
#include "tests/support/recordings.h"

namespace ridgepoint {
namespace {

using test_support::analysed;
using test_support::recording;
using test_support::scale_counter;
using test_support::slow_down;
using testing::HasSubstr;

const char* const clock_counter = "sm__cycles_elapsed.avg.per_second";

bool has(const Comparison& comparison, const std::string& code) {
  return std::any_of(comparison.differences.begin(), comparison.differences.end(),
                     [&](const Difference& one) { return one.code == code; });
}

TEST(Compare, OfARecordingWithItselfFindsNothing) {
  for (const char* name : {test_support::wide_recording, test_support::batched_recording,
                           test_support::causal_recording}) {
    const Analysis analysis = analysed(recording(name));
    const Comparison comparison = compare(analysis, analysis);
    EXPECT_EQ(comparison.verdict(), ComparisonVerdict::fine) << comparison.verdict_reason();
    EXPECT_TRUE(comparison.differences.empty());
    for (const SubjectChange& variant : comparison.variants) {
      EXPECT_EQ(variant.outcome, Outcome::unchanged);
    }
  }
}

TEST(Compare, CallsTwelvePercentOnEveryRepeatSlower) {
  Session session = recording();
  slow_down(session, "fused", 1.12);
  const Comparison comparison = compare(analysed(recording()), analysed(session));
  EXPECT_EQ(comparison.verdict(), ComparisonVerdict::regression);
  EXPECT_EQ(comparison.variants[0].outcome, Outcome::unchanged);
  EXPECT_EQ(comparison.variants[1].outcome, Outcome::slower);
  EXPECT_THAT(comparison.verdict_reason(), HasSubstr("fused: 12.0 % more time"));
}

// As in a session of the one-pass set, or of an older version.
Session without_what_sms_received(Session session) {
  for (const char* name : {"l1tex__m_xbar2l1tex_read_bytes.sum",
                           "l1tex__m_xbar2l1tex_read_bytes_mem_global_op_tma_ld.sum"}) {
    scale_counter(session, name, std::numeric_limits<double>::quiet_NaN());
  }
  return session;
}

TEST(Compare, SetsL2BytesAgainstEachOtherInTheSameTerms) {
  const Analysis base = analysed(recording(test_support::batched_recording));
  const Analysis now =
      analysed(without_what_sms_received(recording(test_support::batched_recording)));
  ASSERT_GT(*base.variants[2].traffic[MemoryLevel::l2].measured.total,
            1.3 * *now.variants[2].traffic[MemoryLevel::l2].measured.total)
      << "a third of the Hopper kernel's requests meet";
  for (const auto& [before, after] : {std::pair(&base, &now), std::pair(&now, &base)}) {
    const Comparison comparison = compare(*before, *after);
    EXPECT_TRUE(has(comparison, "counters.l2_merged"));
    for (const auto& subjects : {comparison.variants, comparison.kernels}) {
      for (const SubjectChange& subject : subjects) {
        for (const char* id : {"l2_bytes", "l2_bytes.measured", "l2_bytes.read", "intensity.l2",
                               "bandwidth.l2", "traffic_split.l2.again", "l2_saved_bytes"}) {
          if (const Change* change = subject.change(id)) {
            EXPECT_NEAR(change->factor().value_or(1), 1, 1e-9) << subject.now_name << ' ' << id;
          }
        }
      }
    }
  }
  EXPECT_FALSE(has(compare(base, base), "counters.l2_merged"));
}

// As where a launch could only be counted in one pass.
TEST(Compare, SetsEachKernelInTermsThatBothSidesHave) {
  Session session = recording(test_support::batched_recording);
  const Analysis base = analysed(session);
  const auto row = static_cast<std::size_t>(session.attention->variants[0].launches[0]);
  for (const char* name : {"l1tex__m_xbar2l1tex_read_bytes.sum",
                           "l1tex__m_xbar2l1tex_read_bytes_mem_global_op_tma_ld.sum"}) {
    session.counters.column(name, session.launches.size())[row] =
        std::numeric_limits<double>::quiet_NaN();
  }
  const Analysis now = analysed(session);
  const Comparison comparison = compare(base, now);
  EXPECT_TRUE(has(comparison, "counters.l2_merged"));
  for (const SubjectChange& variant : comparison.variants) {
    EXPECT_NEAR(variant.change("l2_bytes.measured")->factor().value_or(0), 1, 1e-9);
    EXPECT_NEAR(variant.change("traffic_split.l2.again")->factor().value_or(0), 1, 1e-9);
  }
  EXPECT_EQ(*comparison.variants[1].change("l2_bytes.measured")->now,
            *base.variants[1].traffic[MemoryLevel::l2].measured.total)
      << "with what merged, where both know it";
  EXPECT_LT(*comparison.variants[0].change("l2_bytes.measured")->now,
            *base.variants[0].traffic[MemoryLevel::l2].measured.total);
  const auto& split = *now.variants[0].split[MemoryLevel::l2];
  EXPECT_NEAR(split.total() / *now.variants[0].traffic[MemoryLevel::l2].measured.total, 1, 1e-9);
}

TEST(Compare, DoesNotCountASignificantChangeBelowTheLeastEffect) {
  Session session = recording();
  slow_down(session, "fused", 1.015);
  const Comparison comparison = compare(analysed(recording()), analysed(session));
  EXPECT_EQ(comparison.variants[1].outcome, Outcome::unchanged);
}

TEST(Compare, DoesNotCountALargeChangeThatNoiseMayHaveMade) {
  Session base = recording();
  Session now = recording();
  base.attention->variants[1].latency_s = {1.0e-3, 1.6e-3, 1.1e-3, 1.5e-3, 1.2e-3, 1.4e-3};
  now.attention->variants[1].latency_s = {1.1e-3, 1.7e-3, 1.0e-3, 1.6e-3, 1.3e-3, 1.5e-3};
  const Comparison comparison = compare(analysed(base), analysed(now));
  EXPECT_GT(*comparison.variants[1].time_factor, 1.05);
  EXPECT_EQ(comparison.variants[1].outcome, Outcome::unchanged);
}

TEST(Compare, SaysThatTooFewRepeatsCannotTell) {
  Session base = recording();
  Session now = recording();
  base.attention->variants[1].latency_s = {1.0e-3, 1.1e-3, 1.2e-3};
  now.attention->variants[1].latency_s = {2.0e-3, 2.1e-3, 2.2e-3};
  const Comparison comparison = compare(analysed(base), analysed(now));
  EXPECT_EQ(comparison.variants[1].outcome, Outcome::untested);
  EXPECT_EQ(comparison.verdict(), ComparisonVerdict::no_verdict);
}

TEST(Compare, GivesNoVerdictAcrossHardware) {
  Session session = recording();
  session.devices[0].name = "NVIDIA H100 PCIe";
  session.devices[0].sm_count = 114;
  slow_down(session, "fused", 3);
  const Comparison comparison = compare(analysed(recording()), analysed(session));
  EXPECT_TRUE(has(comparison, "hardware.device"));
  EXPECT_EQ(comparison.variants[1].outcome, Outcome::not_comparable);
  EXPECT_EQ(comparison.verdict(), ComparisonVerdict::no_verdict);
}

TEST(Compare, GivesNoVerdictWhenTheClockMoved) {
  Session session = recording();
  scale_counter(session, clock_counter, 0.9);
  slow_down(session, "fused", 1.1);
  const Comparison comparison = compare(analysed(recording()), analysed(session));
  EXPECT_EQ(comparison.variants[1].outcome, Outcome::not_comparable);
  EXPECT_THAT(comparison.variants[1].why_not, HasSubstr("clock"));
}

TEST(Compare, GivesNoVerdictBetweenProblems) {
  const Comparison comparison = compare(analysed(recording(test_support::wide_recording)),
                                        analysed(recording(test_support::batched_recording)));
  EXPECT_TRUE(has(comparison, "workload.shape"));
  EXPECT_EQ(comparison.verdict(), ComparisonVerdict::no_verdict);
}

TEST(Compare, TakesTheCausalMaskForAnotherProblemBothWays) {
  Session masked = recording();
  masked.attention->shape.causal = true;
  const Analysis without = analysed(recording());
  const Analysis with = analysed(masked);
  for (const auto& [base, now] : {std::pair(&without, &with), std::pair(&with, &without)}) {
    const Comparison comparison = compare(*base, *now);
    EXPECT_TRUE(has(comparison, "workload.shape"));
    EXPECT_EQ(comparison.verdict(), ComparisonVerdict::no_verdict);
  }
  EXPECT_THAT(workload_difference(without.attention, with.attention),
              testing::StrEq("causal false -> true"));
}

TEST(Compare, CallsAResultThatBecameWrongARegression) {
  Session session = recording();
  session.attention->variants[1].correctness->passed = false;
  slow_down(session, "fused", 0.5);
  const Comparison comparison = compare(analysed(recording()), analysed(session));
  EXPECT_EQ(comparison.verdict(), ComparisonVerdict::regression);
  EXPECT_NE(comparison.variants[1].outcome, Outcome::faster);
}

TEST(Compare, GivesNoVerdictWhenAVariantIsGone) {
  Session session = recording();
  const std::string gone = session.attention->variants.back().name;
  session.attention->variants.pop_back();
  const Comparison comparison = compare(analysed(recording()), analysed(session));
  EXPECT_EQ(comparison.verdict(), ComparisonVerdict::no_verdict);
  EXPECT_THAT(comparison.only_base, testing::Contains("variant " + gone));
}

TEST(Compare, OfNothingGivesNoVerdict) {
  EXPECT_EQ(compare(Analysis(), Analysis()).verdict(), ComparisonVerdict::no_verdict);
}

TEST(Compare, TakesExportsOfAnotherProfiler) {
  const std::string folder = std::string(RIDGEPOINT_SOURCE_DIR) + "/tests/data/nsight-compute/";
  const auto math = open_analysis(folder + "sdpa-math-fwd-bwd.raw.csv");
  const auto flash = open_analysis(folder + "sdpa-flash-fwd-bwd.raw.csv");
  ASSERT_TRUE(math && flash);
  const Comparison comparison = compare(*math, *flash);
  EXPECT_FALSE(comparison.kernels.empty());
  EXPECT_FALSE(comparison.only_now.empty());
  EXPECT_EQ(comparison.verdict(), ComparisonVerdict::no_verdict);  // one launch is no sample
}

Outcome mirrored(Outcome outcome) {
  return outcome == Outcome::faster   ? Outcome::slower
         : outcome == Outcome::slower ? Outcome::faster
                                      : outcome;
}

RC_GTEST_PROP(Compare, IsAntisymmetric, ()) {
  // From small changes through the least effect to large ones, few repeats and many, on any clock.
  Session one = recording();
  Session other = recording(*rc::gen::element(std::string(test_support::wide_recording),
                                              std::string(test_support::batched_recording)));
  slow_down(other, "fused", *rc::gen::inRange(900, 1120) / 1000.0);
  one.attention->variants[1].latency_s.resize(*rc::gen::inRange<std::size_t>(1, 200));
  scale_counter(other, clock_counter, *rc::gen::inRange(92, 108) / 100.0);
  const Comparison there = compare(analysed(one), analysed(other));
  const Comparison back = compare(analysed(other), analysed(one));
  RC_ASSERT(there.variants.size() == back.variants.size());
  RC_ASSERT(there.kernels.size() == back.kernels.size());
  for (std::size_t i = 0; i < there.variants.size(); ++i) {
    const SubjectChange& a = there.variants[i];
    const SubjectChange& b = back.variants[i];
    RC_ASSERT(a.outcome == mirrored(b.outcome));
    RC_ASSERT(std::abs(*a.time_factor * *b.time_factor - 1) < 1e-12);
  }
  for (std::size_t i = 0; i < there.kernels.size(); ++i) {
    RC_ASSERT(there.kernels[i].outcome == mirrored(back.kernels[i].outcome));
    RC_ASSERT(there.kernels[i].base_index == back.kernels[i].now_index);
  }
}

TEST(Compare, MirrorsAChangeJustAboveTheLeastEffect) {
  Session session = recording();
  slow_down(session, "fused", 1.0201);  // the other way 1.97 % less, and still 2 % apart
  const Analysis one = analysed(recording());
  const Analysis other = analysed(session);
  EXPECT_EQ(compare(one, other).variants[1].outcome, Outcome::slower);
  EXPECT_EQ(compare(other, one).variants[1].outcome, Outcome::faster);
}

TEST(Compare, LeavesOutValuesThatAreNotNumbers) {
  Session session = recording();
  for (auto& column : session.counters.columns) {
    for (double& value : column) {
      value = std::numeric_limits<double>::infinity();
    }
  }
  const Comparison comparison = compare(analysed(recording()), analysed(session));
  for (const SubjectChange& kernel : comparison.kernels) {
    for (const Change& change : kernel.changes) {
      EXPECT_TRUE(!change.now || std::isfinite(*change.now)) << change.quantity.id;
    }
  }
}

}  // namespace
}  // namespace ridgepoint
