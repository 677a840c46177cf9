#include "collector/profile/application_runs.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

namespace ridgepoint::collector {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

struct Made {
  const char* kernel;
  std::uint32_t grid;
  std::uint32_t device;
  double value;
};

Session run_of(const std::string& counter, const std::vector<Made>& launches) {
  Session session;
  session.devices.resize(2);
  for (const Made& made : launches) {
    KernelInfo kernel;
    kernel.name = kernel.mangled = made.kernel;
    Launch launch;
    launch.kernel = static_cast<std::uint32_t>(session.kernels.size());
    launch.grid.x = made.grid;
    launch.device = made.device;
    session.kernels.push_back(kernel);
    session.launches.push_back(launch);
    const std::size_t rows = session.launches.size();
    session.counters.column(counter, rows).resize(rows, not_measured);
    session.counters.column(counter, rows)[rows - 1] = made.value;
  }
  return session;
}

TEST(ApplicationRuns, LaunchesAreMatchedByKernelShapeDeviceAndOrder) {
  Session first = run_of(
      "one", {{"a", 1, 0, 1}, {"a", 2, 0, 2}, {"b", 1, 0, 3}, {"a", 1, 0, 4}, {"a", 1, 1, 5}});
  // Another thread was faster: same launches, in another order.
  const Session later = run_of(
      "two", {{"b", 1, 0, 30}, {"a", 1, 1, 50}, {"a", 1, 0, 10}, {"a", 1, 0, 40}, {"a", 2, 0, 20}});
  add_run(first, later, 2, 2);
  ASSERT_NE(first.counters.find("two"), nullptr);
  EXPECT_THAT(*first.counters.find("two"), ElementsAre(10, 20, 30, 40, 50));
  EXPECT_THAT(*first.counters.find("one"), ElementsAre(1, 2, 3, 4, 5));
  EXPECT_TRUE(first.issues.empty());
}

TEST(ApplicationRuns, WhatDiffersIsCountedAndNamed) {
  Session first = run_of("one", {{"a", 1, 0, 1}, {"a", 2, 0, 2}});
  add_run(first, run_of("two", {{"a", 1, 0, 10}, {"c", 1, 0, 11}, {"c", 1, 0, 12}}), 3, 7);
  EXPECT_EQ((*first.counters.find("two"))[0], 10);
  EXPECT_TRUE(std::isnan((*first.counters.find("two"))[1])) << "not measured, never 0";
  ASSERT_EQ(first.issues.size(), 1U);
  EXPECT_EQ(first.issues[0].code, "application.mismatch");
  EXPECT_THAT(first.issues[0].text, HasSubstr("Run 3 of 7"));
  EXPECT_THAT(first.issues[0].text, HasSubstr("of 2 launches 1 have no counterpart"));
  EXPECT_THAT(first.issues[0].text, HasSubstr("2 of its 3 launches were not in the first"));
}

TEST(ApplicationRuns, AProcessThatIsMissingInALaterRunIsAMismatch) {
  Session first = run_of("one", {{"a", 1, 0, 1}});
  add_run(first, Session(), 2, 2);
  ASSERT_EQ(first.issues.size(), 1U);
  EXPECT_THAT(first.issues[0].text, HasSubstr("of 1 launches 1 have no counterpart"));
}

TEST(ApplicationRuns, IssuesOfLaterRunsAreKeptOnce) {
  Session first = run_of("one", {{"a", 1, 0, 1}});
  first.issues = {{"x", "said"}};
  Session later = run_of("two", {{"a", 1, 0, 2}});
  later.issues = {{"x", "said"}, {"counters.unavailable", "refused"}};
  add_run(first, later, 2, 2);
  ASSERT_EQ(first.issues.size(), 2U);
  EXPECT_EQ(first.issues[1].code, "counters.unavailable");
}

TEST(ApplicationRuns, ProcessesAreMatchedByOutputNameThenByOrder) {
  const auto left = [](const char* output, std::int64_t process) {
    return LeftSession{"", output, {process}, {}};
  };
  // Ranks in the name: the order of process ids does not matter.
  EXPECT_THAT(match_processes({left("r0", 10), left("r1", 11)}, {left("r1", 20), left("r0", 21)}),
              ElementsAre(1, 0));
  // One name for all: by order.
  EXPECT_THAT(match_processes({left("a", 10), left("a", 11)}, {left("a", 20), left("a", 21)}),
              ElementsAre(0, 1));
  EXPECT_THAT(match_processes({left("p10", 10), left("p11", 11)}, {left("p20", 20)}),
              ElementsAre(0, 1));
}

}  // namespace
}  // namespace ridgepoint::collector
