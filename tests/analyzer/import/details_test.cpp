// The details page: display names become counters, rules are kept, summaries are called so.
#include <gtest/gtest.h>

#include <cmath>

#include "tests/analyzer/import/samples.h"

namespace ridgepoint {
namespace {

using test::imported;
using test::issue;
using test::sample;
using test::value;

TEST(DetailsPage, GivesCountersUnderTheirOwnNames) {
  const Session session = imported(sample("three-kernels-cache-none.details.csv"));
  ASSERT_EQ(session.launches.size(), 3U);
  EXPECT_DOUBLE_EQ(value(session, "gpu__time_duration.sum", 0), 499070) << "499.07 us";
  EXPECT_DOUBLE_EQ(value(session, "gpc__cycles_elapsed.max", 1), 5244913);
  EXPECT_DOUBLE_EQ(value(session, "dram__bytes.sum.per_second", 2), 37.96e9);
  EXPECT_DOUBLE_EQ(
      value(session, "gpu__compute_memory_throughput.avg.pct_of_peak_sustained_elapsed", 0), 89.36)
      << "\"Memory Throughput\" is a share in one section and a rate in another";
  EXPECT_EQ(session.kernels[2].registers_per_thread, 38);
  EXPECT_EQ(session.launches[1].grid.y, 128U);
  EXPECT_EQ(session.devices.at(0).chip, "GH100") << "the only chip of compute capability 9.0";
  EXPECT_EQ(session.devices[0].sm_count, 132);
  EXPECT_NE(issue(session, "import.details_page"), "");
}

TEST(DetailsPage, KeepsUnknownNamesWhereTheyStood) {
  const Session session = imported(
      "ID,Kernel Name,CC,Section Name,Metric Name,Metric Unit,Metric Value\n"
      "0,k,9.0,A New Section,Shiny,Gbyte/s,1.5\n");
  EXPECT_DOUBLE_EQ(value(session, "details:A New Section/Shiny", 0), 1.5e9);
}

TEST(DetailsPage, KeepsWhatTheRulesSaid) {
  const Session session = imported(sample("three-kernels-cache-none.details.csv"));
  ASSERT_FALSE(session.imported_rules.empty());
  const ImportedRuleResult& first = session.imported_rules.front();
  EXPECT_EQ(first.launch, 0U);
  EXPECT_EQ(first.section, "SpeedOfLight");
  EXPECT_EQ(first.rule, "SOLBottleneck");
  EXPECT_EQ(first.type, "INF");
  EXPECT_EQ(first.text.substr(0, 33), "This workload is utilizing greate");
  EXPECT_FALSE(first.estimated_speedup_pct);
  const ImportedRuleResult& last = session.imported_rules.back();
  EXPECT_EQ(last.launch, 2U);
  EXPECT_EQ(last.rule, "UncoalescedGlobalAccess");
  EXPECT_EQ(last.speedup_type, "global");
  EXPECT_EQ(last.estimated_speedup_pct, 47.04);
}

TEST(DetailsPage, ReadsTheOldColumnsAndUnits) {
  const Session session = imported(
      "\"ID\",\"Process ID\",\"Process Name\",\"Host Name\",\"Kernel Name\",\"Kernel "
      "Time\",\"Context\","
      "\"Stream\",\"Section Name\",\"Metric Name\",\"Metric Unit\",\"Metric Value\"\n"
      "\"0\",\"21\",\"a\",\"h\",\"step\",\"2020-Apr-07 17:01:05\",\"1\",\"7\",\"Command line "
      "profiler "
      "metrics\",\"gpu__time_duration.sum\",\"nsecond\",\"1250000\"\n"
      "\"0\",\"21\",\"a\",\"h\",\"step\",\"2020-Apr-07 17:01:05\",\"1\",\"7\",\"Command line "
      "profiler "
      "metrics\",\"sm__cycles_elapsed.avg.per_second\",\"cycle/nsecond\",\"1.25\"\n");
  ASSERT_EQ(session.launches.size(), 1U);
  EXPECT_DOUBLE_EQ(value(session, "gpu__time_duration.sum", 0), 1250000);
  EXPECT_DOUBLE_EQ(value(session, "sm__cycles_elapsed.avg.per_second", 0), 1.25e9);
  EXPECT_EQ(issue(session, "import.details_page"), "") << "--metrics does not round like sections";
}

TEST(DetailsPage, TellsLaunchesOfOneKernelApart) {
  const std::string header = "ID,Kernel Name,Section Name,Metric Name,Metric Unit,Metric Value\n";
  const Session with_id =
      imported(header + "0,k,s,gpu__time_duration.sum,us,1\n1,k,s,gpu__time_duration.sum,us,2\n");
  ASSERT_EQ(with_id.launches.size(), 2U);
  EXPECT_DOUBLE_EQ(value(with_id, "gpu__time_duration.sum", 1), 2000);
  const Session without_id = imported(
      "Kernel Name,Section Name,Metric Name,Metric Unit,Metric Value\n"
      "k,s,gpu__time_duration.sum,us,1\nk,s,dram__bytes_read.sum,byte,5\n"
      "k,s,gpu__time_duration.sum,us,2\n");
  ASSERT_EQ(without_id.launches.size(), 2U);
  EXPECT_DOUBLE_EQ(value(without_id, "dram__bytes_read.sum", 0), 5);
  EXPECT_TRUE(std::isnan(value(without_id, "dram__bytes_read.sum", 1)));
}

TEST(DetailsPage, SaysWhichValuesItCouldNotRead) {
  const std::string header = "ID,Kernel Name,Section Name,Metric Name,Metric Unit,Metric Value\n";
  const Session session =
      imported(header +
               "0,k,GPU Speed Of Light Throughput,Duration,us,4x2\n"
               "0,k,GPU Speed Of Light Throughput,Elapsed Cycles,cycle,7\n"
               "0,k,Launch Statistics,Function Cache Configuration,,CachePreferNone\n");
  EXPECT_EQ(issue(session, "import.unreadable"),
            "1 counter value is no number; it counts as not measured.");
}

TEST(DetailsPage, ReadsASummaryAndSaysThatItIsOne) {
  const Session session = imported(
      "\"Process ID\",\"Kernel Name\",\"Block Size\",\"Grid "
      "Size\",\"Device\",\"CC\",\"Invocations\",\"Section "
      "Name\",\"Metric Name\",\"Metric Unit\",\"Minimum\",\"Maximum\",\"Average\"\n"
      "\"1\",\"k\",\"(256, 1, 1)\",\"(4096, 1, 1)\",\"0\",\"8.6\",\"14\",\"Occupancy\",\"Achieved "
      "Occupancy\",\"%\",\"73.56\",\"79.38\",\"74.92\"\n");
  ASSERT_EQ(session.launches.size(), 1U);
  EXPECT_DOUBLE_EQ(value(session, "sm__warps_active.avg.pct_of_peak_sustained_active", 0), 74.92);
  EXPECT_DOUBLE_EQ(value(session, "summary:invocations", 0), 14);
  EXPECT_NE(issue(session, "import.summary"), "");
  EXPECT_NE(issue(session, "import.chip_assumed").find("GA102"), std::string::npos);
}

TEST(DetailsPage, ReadsTheRealMathRecording) {
  const Session session = imported(sample("sdpa-math-fwd-bwd.details.csv"));
  ASSERT_EQ(session.launches.size(), 18U);
  EXPECT_EQ(session.ranges.at(0).name, "fwd");
  EXPECT_DOUBLE_EQ(value(session, "gpu__time_duration.sum", 3), 416030) << "the softmax, 416.03 us";
}

}  // namespace
}  // namespace ridgepoint
