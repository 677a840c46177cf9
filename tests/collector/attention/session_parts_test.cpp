#include "collector/attention/session_parts.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "analyzer/session/check.h"
#include "analyzer/session/journal.h"

namespace ridgepoint::collector {
namespace {

using ::testing::ElementsAre;

KernelRecord record(const std::string& mangled) {
  KernelRecord record;
  record.mangled = mangled;
  record.registers_per_thread = 32;
  return record;
}

class SessionTablesTest : public ::testing::Test {
 protected:
  // naive launches three kernels, one of them twice; fused one.
  std::vector<VariantTimeline> timelines = {
      {{record("_Z1av"), record("_Z1bv"), record("_Z1av")}, 100, 200},
      {{record("_Z1cv")}, 300, 400}};
  const std::vector<MeasuredVariant> variants = {
      MeasuredVariant(*kernels::find_attention_variant("naive")),
      MeasuredVariant(*kernels::find_attention_variant("fused"))};
  PcSamples samples;

  Session assemble(const RangeValues& naive, const RangeValues& fused) {
    SessionTables tables;
    Session session = tables.kernels_and_samples(variants, timelines, samples);
    session.devices.emplace_back();
    const std::vector<std::string> counters = {"x.sum", "y.sum"};
    merge_session(session, tables.launches(timelines[0], 0, counters, naive, naive_launches));
    merge_session(session, tables.launches(timelines[1], 1, counters, fused, fused_launches));
    return session;
  }
  std::vector<std::uint32_t> naive_launches;
  std::vector<std::uint32_t> fused_launches;
};

TEST_F(SessionTablesTest, KernelIsListedOnceHoweverOftenItWasLaunched) {
  const Session session = assemble({}, {});
  ASSERT_EQ(session.kernels.size(), 3U);
  EXPECT_EQ(session.kernels[0].name, "a()");
  EXPECT_THAT(naive_launches, ElementsAre(0, 1, 2));
  EXPECT_THAT(fused_launches, ElementsAre(3));
  EXPECT_EQ(session.launches[2].kernel, 0U);
  EXPECT_EQ(session.launches[3].kernel, 2U);
  EXPECT_EQ(session_fault(session), "");
}

TEST_F(SessionTablesTest, CountersStandBesideTheirLaunch) {
  const Session session = assemble({{1, 2}, {3, 4}, {5, 6}}, {{7, 8}});
  ASSERT_NE(session.counters.find("y.sum"), nullptr);
  EXPECT_THAT(*session.counters.find("x.sum"), ElementsAre(1, 3, 5, 7));
  EXPECT_THAT(*session.counters.find("y.sum"), ElementsAre(2, 4, 6, 8));
}

TEST_F(SessionTablesTest, VariantWithoutCountersHasHolesAndNoZeros) {
  const Session session = assemble({{1, 2}, {3, 4}, {5, 6}}, {});
  EXPECT_TRUE(std::isnan(session.counters.find("x.sum")->at(3)));
  EXPECT_EQ(session_fault(session), "");
}

TEST_F(SessionTablesTest, SamplesGoToTheirKernelAndOthersAreCountedInAnIssue) {
  samples.reasons = {"wait"};
  samples.total = 110;
  samples.records = {{"_Z1bv", 0xabcd, 16, 0, 100, 60}, {"_Z5otherv", 1, 0, 0, 10, 0}};
  const Session session = assemble({}, {});
  ASSERT_EQ(session.pc_samples.size(), 1U);
  EXPECT_EQ(session.pc_samples[0].kernel, 1U);
  EXPECT_EQ(session.pc_samples[0].samples, 100U);
  EXPECT_EQ(session.kernels[1].cubin_hash, "000000000000abcd");
  ASSERT_EQ(session.issues.size(), 1U);
  EXPECT_EQ(session.issues[0].code, "stalls.elsewhere");
}

}  // namespace
}  // namespace ridgepoint::collector
