#include "reports/presenters/provenance.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "tests/support/sample_analysis.h"

namespace ridgepoint {
namespace {

using test_support::sample_analysis;

std::string line(const Analysis& analysis, const std::string& name) {
  const auto lines = how_measured(analysis);
  const auto found =
      std::find_if(lines.begin(), lines.end(), [&](const auto& l) { return l.first == name; });
  return found == lines.end() ? "missing" : found->second;
}

TEST(ProvenanceLine, StatesTheSource) {
  Analysis analysis = sample_analysis();
  analysis.devices[0].name = "NVIDIA H200";
  analysis.source = Source::measured;
  EXPECT_EQ(provenance_line(analysis), "measured on NVIDIA H200 on 2026-11-29 17:40 UTC");
  analysis.source = Source::recording;
  EXPECT_EQ(provenance_line(analysis), "recording made on a real NVIDIA H200 on 2026-11-29");
  analysis.source = Source::imported;
  EXPECT_EQ(provenance_line(analysis),
            "imported from another tool (0.1.0), measured on NVIDIA H200");
  analysis.source = Source::predicted;
  EXPECT_EQ(provenance_line(analysis),
            "predicted by the model for NVIDIA H200: nothing was measured");
}

TEST(ProvenanceLine, SaysWhenTheDeviceIsUnknown) {
  EXPECT_EQ(provenance_line(Analysis()), "recording made on an unknown device");
}

// As an imported details page leaves it: the chip is named, the product is not.
TEST(ProvenanceLine, NamesTheChipWhenTheDeviceHasNoName) {
  Analysis analysis = sample_analysis();
  analysis.devices[0].name = "";
  analysis.source = Source::imported;
  EXPECT_EQ(provenance_line(analysis),
            "imported from another tool (0.1.0), measured on an unnamed SAMPLE100");
  analysis.source = Source::recording;
  EXPECT_EQ(provenance_line(analysis), "recording made on an unnamed SAMPLE100 on 2026-11-29");
  analysis.devices[0].chip = "";
  EXPECT_EQ(provenance_line(analysis), "recording made on an unknown device on 2026-11-29");
}

TEST(HowMeasured, TellsHowMuchOfTheRunWentIntoMeasuring) {
  Analysis analysis = sample_analysis();
  analysis.policy.run_s = 12.4;
  analysis.policy.measuring_s = 8.1;
  analysis.policy.overhead_factor = 2.88;
  EXPECT_EQ(line(analysis, "Overhead"),
            "of 12.4 s that the program ran, 8.10 s went into measuring: at least 2.88x the plain "
            "run's time");
  analysis.policy.overhead_factor.reset();
  EXPECT_EQ(line(analysis, "Overhead"),
            "of 12.4 s that the program ran, 8.10 s went into measuring");
}

// As `attention` leaves it. The JSON report and budgets have it as it was stored.
TEST(HowMeasured, ShowsTheSizesOfACacheStateAsOtherBytesAreShown) {
  Analysis analysis = sample_analysis();
  analysis.policy.cache_control =
      "filled (by reading 251658240 bytes); 2,048 bytes, x4096 bytes, bytes";
  EXPECT_EQ(line(analysis, "Caches"),
            "filled (by reading 252 MB); 2,048 bytes, x4096 bytes, bytes");
}

TEST(HowMeasured, NamesReplayCachesClocksAndRepeats) {
  const auto value = [](const std::string& name) { return line(sample_analysis(), name); };
  EXPECT_EQ(value("Replay"), "user");
  EXPECT_EQ(value("Caches"), "L2 evicted by reading a large buffer before each pass");
  EXPECT_EQ(value("Clocks"), "left alone and reported");
  EXPECT_EQ(value("Latency"), "200 repeats after 10 warm-up runs");
  EXPECT_EQ(value("Counters"), "profile default, 9 passes");
  EXPECT_EQ(value("Driver"), "580.00");
}

TEST(HowMeasured, NeverPrintsWhatIsUnknownAsZero) {
  Analysis analysis;
  analysis.devices.emplace_back();
  analysis.policy.counter_profile = "custom";
  EXPECT_EQ(line(analysis, "Device"), "n/a (n/a, compute capability n/a, n/a SMs)");
  EXPECT_EQ(line(analysis, "Memory"), "n/a device memory, n/a L2, n/a shared memory an SM");
  EXPECT_EQ(line(analysis, "Clock limits"), "n/a SM, n/a memory");
  EXPECT_EQ(line(analysis, "Counters"), "profile custom, number of passes n/a");
  EXPECT_EQ(line(analysis, "PC sampling"), "missing");
}

TEST(HowMeasured, LeavesOutWhatIsUnknown) {
  for (const auto& [name, value] : how_measured(Analysis())) {
    EXPECT_FALSE(value.empty()) << name;
  }
}

}  // namespace
}  // namespace ridgepoint
