#include "analyzer/session/join_sessions.h"

#include <gtest/gtest.h>

#include <cmath>

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
