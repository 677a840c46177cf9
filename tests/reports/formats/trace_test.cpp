#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <nlohmann/json.hpp>
#include <vector>

#include "reports/report.h"
#include "tests/support/recordings.h"
#include "tests/support/sample_session.h"

namespace ridgepoint {
namespace {

using nlohmann::json;

json trace_of(const Session& session) {
  const Analysis analysis = test_support::analysed(session);
  return json::parse(render_report({analysis, &session}, "trace").value());
}

std::vector<json> of_phase(const json& trace, const std::string& phase) {
  std::vector<json> found;
  for (const json& event : trace.at("traceEvents")) {
    if (event.at("ph") == phase) {
      found.push_back(event);
    }
  }
  return found;
}

// What viewers need of a track: slices nest or follow one another.
void expect_nested(const json& trace) {
  std::map<std::pair<int, int>, std::vector<std::pair<double, double>>> tracks;
  for (const json& slice : of_phase(trace, "X")) {
    const double start = slice.at("ts");
    tracks[{slice.at("pid"), slice.at("tid")}].emplace_back(start,
                                                            start + slice.at("dur").get<double>());
  }
  for (auto& [track, slices] : tracks) {
    std::sort(slices.begin(), slices.end(), [](const auto& a, const auto& b) {
      return a.first != b.first ? a.first < b.first : a.second > b.second;
    });
    std::vector<double> open;
    for (const auto& [start, end] : slices) {
      while (!open.empty() && open.back() <= start + 1e-6) {
        open.pop_back();
      }
      EXPECT_TRUE(open.empty() || end <= open.back() + 1e-6) << "a slice crosses another";
      open.push_back(end);
    }
  }
}

Session timeline() {
  Session session = testing::sample_session();
  for (std::size_t i = 0; i < session.launches.size(); ++i) {
    session.launches[i].start_ns = 1'700'000'000'000'000'000 + static_cast<std::int64_t>(i) * 1000;
    session.launches[i].end_ns = session.launches[i].start_ns + 900;
  }
  return session;
}

TEST(Trace, ShowsTheKernelsAndRangesOfARecordingInMicroseconds) {
  const Session session = test_support::recording();
  const json trace = trace_of(session);
  expect_nested(trace);
  const std::vector<json> slices = of_phase(trace, "X");
  ASSERT_EQ(slices.size(), session.launches.size() + session.ranges.size());
  const auto fused = std::find_if(slices.begin(), slices.end(), [](const json& slice) {
    return slice.at("cat") == "kernel" && slice.at("args").at("launch") == 3;
  });
  ASSERT_NE(fused, slices.end());
  const Launch& launch = session.launches[3];
  EXPECT_EQ(fused->at("name"), session.kernels[launch.kernel].name);
  EXPECT_NEAR(fused->at("dur"), static_cast<double>(launch.end_ns - launch.start_ns) / 1000, 1e-9);
  EXPECT_EQ(fused->at("args").at("grid")[0], launch.grid.x);
  EXPECT_GE(slices.front().at("ts").get<double>(), 0);
}

TEST(Trace, DrawsTheBandwidthOfCountedKernels) {
  const Session session = test_support::recording();
  const Analysis analysis = test_support::analysed(session);
  std::vector<json> steps = of_phase(trace_of(session), "C");
  steps.erase(std::remove_if(steps.begin(), steps.end(),
                             [](const json& step) { return step.at("name") != "HBM bandwidth"; }),
              steps.end());
  ASSERT_EQ(steps.size(), 2 * session.launches.size());
  EXPECT_NEAR(steps[0].at("args").at("byte/s").get<double>(),
              *analysis.kernels[0].bandwidth[MemoryLevel::hbm], 1);
  EXPECT_EQ(steps[1].at("args").at("byte/s"), 0);
}

TEST(Trace, GivesCrossingRangesTracksOfTheirOwn) {
  Session session = timeline();
  const std::int64_t start = session.launches[0].start_ns;
  session.ranges = {{"outer", "d", 7, start, start + 3000, no_index},
                    {"inner", "d", 7, start + 100, start + 200, 0},
                    {"crossing", "d", 7, start + 2000, start + 4000, no_index}};
  const json trace = trace_of(session);
  expect_nested(trace);
  std::map<std::string, int> track;
  for (const json& slice : of_phase(trace, "X")) {
    if (slice.at("cat") == "nvtx") {
      track[slice.at("name")] = slice.at("tid");
    }
  }
  EXPECT_EQ(track.at("outer"), track.at("inner"));
  EXPECT_NE(track.at("outer"), track.at("crossing"));
}

TEST(Trace, ShowsCopiesOnTheirStreamAndPowerAsACounter) {
  Session session = timeline();
  const std::int64_t start = session.launches[0].start_ns;
  session.memory_operations = {{"copy host to device", 0, 5, 4096, start + 10, start + 20}};
  session.power = {
      {start, 0, 512.5, std::nullopt, 1.7e9, std::nullopt, std::nullopt, std::nullopt}};
  const json trace = trace_of(session);
  const std::vector<json> slices = of_phase(trace, "X");
  const auto copy = std::find_if(slices.begin(), slices.end(),
                                 [](const json& slice) { return slice.at("cat") == "copy"; });
  ASSERT_NE(copy, slices.end());
  EXPECT_EQ(copy->at("args").at("bytes"), 4096);
  bool named = false;
  for (const json& event : of_phase(trace, "M")) {
    named = named || (event.at("name") == "thread_name" && event.at("tid") == copy->at("tid") &&
                      event.at("args").at("name") == "stream 5");
  }
  EXPECT_TRUE(named);
  std::map<std::string, double> counters;
  for (const json& event : of_phase(trace, "C")) {
    counters.emplace(event.at("name"), event.at("args").begin()->get<double>());
  }
  EXPECT_EQ(counters.at("power"), 512.5);
  EXPECT_EQ(counters.at("SM clock"), 1.7e9);
  EXPECT_EQ(counters.count("memory clock"), 0U);
}

TEST(Trace, ComesInPiecesHoweverManyLaunchesThereAre) {
  Session session = timeline();
  const Analysis analysis = test_support::analysed(session);
  const Launch model = session.launches[0];
  session.counters = {};
  session.launches.clear();
  session.attention.reset();
  for (int i = 0; i < 100000; ++i) {
    Launch launch = model;
    launch.start_ns += 1000 * i;
    launch.end_ns = launch.start_ns + 900;
    session.launches.push_back(launch);
  }
  std::size_t largest = 0;
  std::size_t whole = 0;
  const Status written =
      stream_report({analysis, &session}, "trace", {}, [&](std::string_view piece) {
        largest = std::max(largest, piece.size());
        whole += piece.size();
        return Status();
      });
  ASSERT_TRUE(written);
  EXPECT_GT(whole, 10'000'000U);
  EXPECT_LT(largest, 100'000U);
}

TEST(Trace, StopsWhereTheOutputEnds) {
  const Session session = test_support::recording();
  const Analysis analysis = test_support::analysed(session);
  const Status written = stream_report({analysis, &session}, "trace", {}, [](std::string_view) {
    return fail(ErrorDomain::output, "writing", "the disk is full");
  });
  ASSERT_FALSE(written);
  EXPECT_EQ(written.error().why, "the disk is full");
}

TEST(Trace, OfASessionWithoutTimelineSaysSo) {
  Session session = testing::sample_session();
  const Analysis analysis = test_support::analysed(session);
  const auto trace = render_report({analysis, &session}, "trace");
  ASSERT_FALSE(trace);
  EXPECT_EQ(trace.error().why, "the session has no timeline");
  EXPECT_FALSE(render_report(analysis, "trace"));
}

TEST(Trace, KeepsHostileNamesInsideTheirString) {
  Session session = timeline();
  session.kernels[0].name = "\"}],\x1b\xff</script>";
  EXPECT_NO_THROW(trace_of(session));
}

}  // namespace
}  // namespace ridgepoint
