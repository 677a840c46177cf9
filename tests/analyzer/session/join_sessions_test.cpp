#include "analyzer/session/join_sessions.h"

#include <gtest/gtest.h>

#include <cmath>
#include <map>

#include "analyzer/session/check.h"

namespace ridgepoint {
namespace {

// A process with one device, one range, and a launch of each kernel.
Session process(const std::vector<std::string>& kernels, double counter) {
  Session session;
  session.producer.mode = "profile";
  session.policy.counter_profile = "lite";
  session.devices.emplace_back();
  NvtxRange outer;
  NvtxRange inner;
  inner.parent = 0;
  session.ranges = {outer, inner};
  for (std::uint32_t i = 0; i < kernels.size(); ++i) {
    session.kernels.push_back({kernels[i], kernels[i], {}, {}, {}, ""});
    Launch launch;
    launch.kernel = i;
    launch.range = 1;
    session.launches.push_back(launch);
  }
  session.counters.column("a.sum", kernels.size()).assign(kernels.size(), counter);
  PmSeries series;
  series.kernel = 0;
  series.nth = 1;
  series.interval_s = 1e-5;
  session.pm_series = {series};
  return session;
}

TEST(JoinSessions, IndicesPointAtTheSameThingsAsBefore) {
  const auto joined = join_sessions({process({"k", "m"}, 1), process({"n", "k"}, 2)});
  ASSERT_TRUE(joined) << format_error(joined.error());
  EXPECT_EQ(session_fault(*joined), "");
  ASSERT_EQ(joined->kernels.size(), 3U) << "k is one kernel";
  ASSERT_EQ(joined->launches.size(), 4U);
  EXPECT_EQ(joined->kernels[joined->launches[2].kernel].name, "n");
  EXPECT_EQ(joined->launches[3].kernel, joined->launches[0].kernel);
  EXPECT_EQ(joined->launches[3].device, 1U);
  EXPECT_EQ(joined->launches[3].range, 3);
  EXPECT_EQ(joined->ranges[3].parent, 2);
  EXPECT_EQ(joined->counters.columns[0], (std::vector<double>{1, 1, 2, 2}));
  ASSERT_EQ(joined->pm_series.size(), 2U);
  EXPECT_EQ(joined->kernels[static_cast<std::size_t>(joined->pm_series[1].kernel)].name, "n");
  EXPECT_EQ(joined->pm_series[1].device, 1U);
}

Session process_on(const std::string& address, double energy_j, std::int64_t from_ns = 0) {
  Session session = process({"k"}, 1);
  session.devices[0].name = "NVIDIA H200";
  session.devices[0].pci_bus_id = address;
  for (std::int64_t i = 0; i < 3; ++i) {
    PowerSample sample;
    sample.time_ns = from_ns + 100 * i;
    sample.energy_j = energy_j + static_cast<double>(i);
    session.power.push_back(sample);
  }
  PowerPhase phase;
  phase.name = "program";
  phase.start_ns = from_ns;
  phase.end_ns = from_ns + 300;
  session.power_phases = {phase};
  return session;
}

TEST(JoinSessions, ProcessesThatSharedAGpuHaveOneDeviceAndItsPowerOnce) {
  const auto joined = join_sessions({process_on("0:06.0", 50), process_on("0:06.0", 50)});
  ASSERT_TRUE(joined);
  EXPECT_EQ(session_fault(*joined), "");
  EXPECT_EQ(joined->devices.size(), 1U);
  EXPECT_EQ(joined->power.size(), 3U);
  EXPECT_EQ(joined->power_phases.size(), 1U);
  EXPECT_TRUE(joined->issues.empty());
  EXPECT_EQ(joined->launches[1].device, 0U);
  EXPECT_NE(joined->launches[1].stream, joined->launches[0].stream) << "of another process";
  EXPECT_EQ(joined->pm_series[1].nth, 2) << "the second launch of k on the device";
}

TEST(JoinSessions, OneAfterTheOtherBothHaveTheirPower) {
  const auto joined = join_sessions({process_on("0:06.0", 50), process_on("0:06.0", 60, 1000)});
  EXPECT_EQ(joined->devices.size(), 1U);
  EXPECT_EQ(joined->power.size(), 6U);
  EXPECT_EQ(joined->power_phases.size(), 2U);
}

TEST(JoinSessions, OfPhasesThatOverlapTheLongestIsTold) {
  Session longer = process_on("0:06.0", 50, 50);
  longer.power_phases[0].end_ns = 900;
  longer.power[0].energy_j = 50.5;
  longer.power[1].energy_j = 51.5;
  for (const auto& sessions : {std::vector{process_on("0:06.0", 50), longer},
                               std::vector{longer, process_on("0:06.0", 50)}}) {
    const auto joined = join_sessions(sessions);
    ASSERT_EQ(joined->power_phases.size(), 1U);
    EXPECT_EQ(joined->power_phases[0].end_ns, 900);
  }
}

// Virtual machines give their GPUs the same addresses.
TEST(JoinSessions, GpusOfSeveralHostsStayApart) {
  EXPECT_EQ(join_sessions({process_on("0:06.0", 50), process_on("0:07.0", 50)})->devices.size(),
            2U);
  const auto by_energy = join_sessions({process_on("0:06.0", 50), process_on("0:06.0", 9000, 10)});
  EXPECT_EQ(by_energy->devices.size(), 2U) << "no counter runs back";
  EXPECT_EQ(by_energy->power_phases.size(), 2U);
  Session here = process_on("0:06.0", 50);
  Session there = process_on("0:06.0", 50);
  here.producer.host = "a";
  there.producer.host = "b";
  EXPECT_EQ(join_sessions({here, there})->devices.size(), 2U);
}

// A row adds all processes up: where they differ it would hide which one is slow.
TEST(JoinSessions, ProcessesThatDifferAreNamedByKernel) {
  Session one = process({"k", "m"}, 1);
  Session other = process({"k", "n"}, 1);
  one.launches[0].end_ns = 1000;
  other.launches[0].end_ns = 1500;
  const auto joined = join_sessions({one, other});
  ASSERT_TRUE(joined);
  std::map<std::string, std::string> issues;
  for (const Issue& issue : joined->issues) {
    issues[issue.code] = issue.text;
  }
  EXPECT_NE(issues["merge.kernels_missing"].find("m in 1 alone; n in 2 alone"), std::string::npos);
  EXPECT_NE(issues["merge.kernels_apart"].find("k 1.50 times as long in 2 as in 1"),
            std::string::npos);
  EXPECT_TRUE(join_sessions({process_on("0:06.0", 50), process_on("0:06.0", 50)})->issues.empty());
}

TEST(JoinSessions, WhatCannotBeKnownOfDevicesIsSaid) {
  Session here = process_on("0:06.0", 50);
  here.power.clear();
  const auto supposed = join_sessions({here, process_on("0:06.0", 50)});
  EXPECT_EQ(supposed->devices.size(), 1U);
  ASSERT_EQ(supposed->issues.size(), 1U);
  EXPECT_EQ(supposed->issues[0].code, "merge.device_supposed");
  const auto unknown = join_sessions({process_on("", 50), process_on("", 50)});
  EXPECT_EQ(unknown->devices.size(), 2U);
  ASSERT_EQ(unknown->issues.size(), 1U);
  EXPECT_EQ(unknown->issues[0].code, "merge.device_unknown");
}

TEST(JoinSessions, ACounterOneProcessLacksIsNotMeasured) {
  Session without = process({"k"}, 1);
  without.counters = {};
  const auto joined = join_sessions({process({"k"}, 1), without});
  ASSERT_TRUE(joined);
  EXPECT_TRUE(std::isnan(joined->counters.columns[0][1]));
}

TEST(JoinSessions, EveryStateOfCachesThatAProcessCountedInIsNamed) {
  Session one = process({"k"}, 1);
  one.policy.cache_control = "flush: invalidated";
  Session other = process({"k"}, 2);
  other.policy.cache_control = "flush: filled";
  Session nothing = process({"k"}, 3);
  nothing.policy.cache_control = "flush";
  nothing.counters = {};
  for (const auto& sessions :
       {std::vector{nothing, one, other}, std::vector{other, nothing, one}}) {
    const auto joined = join_sessions(sessions);
    ASSERT_TRUE(joined);
    EXPECT_EQ(joined->policy.cache_control, "flush: filled; or flush: invalidated");
    EXPECT_EQ(joined->policy.counter_profile, "lite");
  }
  EXPECT_EQ(join_sessions({nothing, one})->policy.cache_control, "flush: invalidated");
  EXPECT_EQ(join_sessions({nothing, nothing})->policy.cache_control, "flush");
}

TEST(JoinSessions, OtherWaysOfMeasuringAreNotMixed) {
  Session other = process({"k"}, 1);
  other.policy.counter_profile = "full";
  EXPECT_FALSE(join_sessions({process({"k"}, 1), other}));
  Session attention = process({"k"}, 1);
  attention.attention.emplace();
  EXPECT_FALSE(join_sessions({process({"k"}, 1), attention}));
  EXPECT_FALSE(join_sessions({}));
}

}  // namespace
}  // namespace ridgepoint
