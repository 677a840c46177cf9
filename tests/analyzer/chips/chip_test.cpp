#include "analyzer/chips/chip.h"

#include <gmock/gmock.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>

#include "tests/support/temp_dir.h"

namespace ridgepoint {
namespace {

using ::testing::HasSubstr;

TEST(Chips, EveryShippedDescriptionIsReadable) {
  const auto chips = load_chips();
  ASSERT_TRUE(chips) << chips.error().why;
  EXPECT_GE(chips->size(), 4U);
  for (const ChipModel& chip : *chips) {
    EXPECT_NE(chip.unit("tensor_fp16"), nullptr) << chip.name;
    EXPECT_NE(chip.unit("fp32"), nullptr) << chip.name;
    for (const ComputeUnit& unit : chip.units) {
      EXPECT_FALSE(unit.source.empty()) << chip.name << " " << unit.id;
    }
  }
}

struct PublishedPeak {
  const char* chip;
  const char* unit;
  double sm_count;
  double clock_hz;
  double flop_per_s;
};

// The products' data sheets, dense, at their boost clocks.
class PublishedPeaks : public ::testing::TestWithParam<PublishedPeak> {};

TEST_P(PublishedPeaks, FollowFromTheRatesAClock) {
  const PublishedPeak& peak = GetParam();
  const auto chip = find_chip(peak.chip);
  ASSERT_TRUE(chip && *chip);
  const ComputeUnit* unit = (*chip)->unit(peak.unit);
  ASSERT_NE(unit, nullptr);
  EXPECT_NEAR(unit->flop_per_clock_per_sm * peak.sm_count * peak.clock_hz / peak.flop_per_s, 1.0,
              0.01);
}

INSTANTIATE_TEST_SUITE_P(
    Datasheets, PublishedPeaks,
    ::testing::Values(PublishedPeak{"GA100", "tensor_fp16", 108, 1.410e9, 312e12},
                      PublishedPeak{"GA100", "fp32", 108, 1.410e9, 19.5e12},
                      PublishedPeak{"GA100", "fp64", 108, 1.410e9, 9.7e12},
                      PublishedPeak{"GH100", "tensor_fp16", 132, 1.830e9, 989.4e12},
                      PublishedPeak{"GH100", "fp32", 132, 1.980e9, 66.9e12},
                      PublishedPeak{"GH100", "fp64", 132, 1.980e9, 33.5e12},
                      PublishedPeak{"AD102", "fp32", 142, 2.505e9, 91.1e12}));

TEST(Chips, AnUnknownChipIsNoErrorButHasNoDescription) {
  const auto chip = find_chip("XX999");
  ASSERT_TRUE(chip);
  EXPECT_FALSE(chip->has_value());
}

TEST(Chips, AComputeCapabilityStandsForTheChipThatHasIt) {
  ASSERT_TRUE(find_chip(9, 0).value());
  EXPECT_EQ(find_chip(9, 0).value()->name, "Hopper GH100");
  EXPECT_FALSE(find_chip(3, 5).value());
}

TEST(Chips, HopperDoesNotPublishItsL2Rate) {
  const auto chip = find_chip("GH100");
  ASSERT_TRUE(chip && *chip);
  EXPECT_FALSE((*chip)->l2_bytes_per_clock.has_value());
}

TEST(Chips, TheCrossingsThatL2CountsAreKnownOnlyWhereSomebodyMeasuredThem) {
  EXPECT_DOUBLE_EQ(find_chip("GH100").value()->l2_crossing_share, 0.5);
  EXPECT_DOUBLE_EQ(find_chip("GA100").value()->l2_crossing_share, 0.0);
}

TEST(Chips, BadDescriptionsAreErrorsThatNameTheFile) {
  for (const char* text : {"", "[]", "{", "{\"schema\":\"other\",\"version\":1}",
                           "{\"schema\":\"ridgepoint-chip\",\"version\":1}",
                           "{\"schema\":\"ridgepoint-chip\",\"version\":1,\"name\":3}"}) {
    const auto chip = parse_chip(text, "some.json");
    ASSERT_FALSE(chip) << text;
    EXPECT_EQ(chip.error().domain, ErrorDomain::input);
    EXPECT_THAT(chip.error().what, HasSubstr("some.json"));
  }
}

TEST(Chips, DeepNestingIsRefusedBeforeItIsBuilt) {
  const auto chip = parse_chip(std::string(1 << 20, '['), "deep.json");
  ASSERT_FALSE(chip);
  EXPECT_EQ(chip.error().why, "its JSON is nested too deeply");
}

TEST(Chips, AHugeFileInTheFolderIsAnErrorAndNotRead) {
  const test::TempDir data;
  std::filesystem::create_directory(data / "chips");
  std::filesystem::create_directory(data / "counters");  // without it this is no data folder
  std::ofstream(data / "chips/huge.json") << "{";
  std::filesystem::resize_file(data / "chips/huge.json", std::uint64_t{2} << 30U);
  const char* const was = std::getenv("RIDGEPOINT_DATA");
  const std::string before = was != nullptr ? was : "";
  setenv("RIDGEPOINT_DATA", data.path().c_str(), 1);
  const auto chips = load_chips();
  setenv("RIDGEPOINT_DATA", before.c_str(), 1);
  ASSERT_FALSE(chips);
  EXPECT_THAT(chips.error().why, HasSubstr("more than the limit of 1048576"));
}

}  // namespace
}  // namespace ridgepoint
