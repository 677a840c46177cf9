// The counter files of data/counters against the host side of the CUPTI that is installed: no GPU
// needed.
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <map>
#include <set>

#include "analyzer/metrics/counter_map.h"
#include "collector/cupti/cupti_api.h"
#include "collector/cupti/cupti_library.h"
#include "collector/cupti/profiler_host.h"

namespace ridgepoint::collector {
namespace {

using ::testing::Contains;
using ::testing::IsEmpty;
using ::testing::UnorderedElementsAreArray;

// Passes of each profile as CUPTI 13.0 (version 130001) plans them.
const std::map<std::string, std::map<std::string, std::size_t>> passes_of_cupti_13_0 = {
    {"Volta", {{"default", 10}, {"full", 10}}},
    {"Turing", {{"default", 5}, {"full", 10}}},
    {"Turing without tensor cores", {{"default", 5}, {"full", 9}}},
    {"Ampere GA100", {{"default", 7}, {"full", 15}}},
    {"Ampere GA10x", {{"default", 7}, {"full", 15}}},
    {"Ampere GA10B, integrated", {{"default", 7}, {"full", 15}}},
    {"Ada Lovelace", {{"default", 8}, {"full", 16}}},
    {"Hopper", {{"default", 8}, {"full", 17}}},
    {"Blackwell, data centre", {{"default", 8}, {"full", 15}}},
    {"Blackwell Ultra", {{"default", 7}, {"full", 15}}},
    {"Blackwell GB10B, integrated", {{"default", 7}, {"full", 15}}},
    {"Blackwell GB20x", {{"default", 8}, {"full", 18}}},
    {"Blackwell GB20B, integrated", {{"default", 8}, {"full", 18}}},
};
constexpr std::uint32_t cupti_13_0 = 130001;

class CounterFiles : public ::testing::Test {
 protected:
  void SetUp() override {
    const auto found = load_cupti(cupti_candidates());
    if (!found) {
      GTEST_SKIP() << "libcupti is not installed: " << format_error(found.error());
    }
    api = *found;
    auto loaded = load_counter_maps();
    ASSERT_TRUE(loaded) << format_error(loaded.error());
    maps = std::move(*loaded);
  }

  // CUPTI lists the chip but refuses every question about it.
  bool refused_by_cupti(const std::string& chip) const { return !ProfilerHost::create(*api, chip); }

  const CuptiApi* api = nullptr;
  std::vector<CounterMap> maps;
};

TEST_F(CounterFiles, EveryChipThatCuptiKnowsIsInExactlyOneFile) {
  const auto chips = supported_chips(*api);
  ASSERT_TRUE(chips);
  std::vector<std::string> listed;
  for (const CounterMap& map : maps) {
    listed.insert(listed.end(), map.chips.begin(), map.chips.end());
  }
  const std::set<std::string> unique(listed.begin(), listed.end());
  EXPECT_EQ(unique.size(), listed.size()) << "a chip is listed twice";
  for (const std::string& chip : *chips) {
    EXPECT_THAT(listed, Contains(chip));
  }
}

TEST_F(CounterFiles, EveryCounterExistsOnEveryChipOfItsFile) {
  std::size_t checked = 0;
  for (const CounterMap& map : maps) {
    std::set<std::string> counters;
    for (const QuantityDefinition& quantity : map.quantities) {
      for (const CounterTerm& term : quantity.terms) {
        if (!quantity.only_imported) {
          counters.insert(term.counter);
        }
      }
    }
    for (const std::string& chip : map.chips) {
      if (refused_by_cupti(chip)) {
        EXPECT_THAT(counters, IsEmpty())
            << chip << " cannot be checked, so no counter may be claimed";
        continue;
      }
      const auto refused =
          refused_counters(*api, chip, std::vector<std::string>(counters.begin(), counters.end()));
      ASSERT_TRUE(refused) << format_error(refused.error());
      EXPECT_THAT(*refused, IsEmpty()) << chip;
      ++checked;
    }
  }
  EXPECT_GE(checked, 25U);
}

TEST_F(CounterFiles, CheckingNoticesACounterThatTheChipLacks) {
  const auto refused = refused_counters(
      *api, "GH100", {"dram__bytes_read.sum", "dram__bytes_op_read.sum", "no_such_counter.sum"});
  ASSERT_TRUE(refused);
  EXPECT_THAT(*refused,
              UnorderedElementsAreArray({"dram__bytes_op_read.sum", "no_such_counter.sum"}));
}

TEST_F(CounterFiles, ProfilesNeedThePassesTheyPromise) {
  std::uint32_t version = 0;
  ASSERT_EQ(api->cuptiGetVersion(&version), CUPTI_SUCCESS);
  for (const CounterMap& map : maps) {
    for (const std::string& chip : map.chips) {
      for (const auto& [profile, ids] : map.profiles) {
        if (ids.empty()) {
          continue;
        }
        auto host = ProfilerHost::create(*api, chip);
        ASSERT_TRUE(host) << chip;
        const auto plan = host->plan(*map.counters(profile));
        ASSERT_TRUE(plan) << chip << " " << profile;
        SCOPED_TRACE(fmt::format("{} {}", chip, profile));
        if (profile.rfind("lite", 0) == 0) {
          EXPECT_EQ(plan->passes, 1U) << "lite is the profile that replays nothing";
        } else if (version == cupti_13_0) {
          EXPECT_EQ(plan->passes, passes_of_cupti_13_0.at(map.family).at(profile));
        } else {
          EXPECT_GT(plan->passes, 0U);
        }
      }
    }
  }
}

// data/pm-sampling: other names and rollups than by kernel, and one pass is all there is.
TEST_F(CounterFiles, WhatIsSampledOverTimeExistsOnEveryChipOfItsFileAndTakesOnePass) {
  const auto sampled = load_pm_sampling_maps();
  ASSERT_TRUE(sampled) << format_error(sampled.error());
  std::size_t checked = 0;
  for (const CounterMap& map : *sampled) {
    for (const std::string& chip : map.chips) {
      auto host = ProfilerHost::create_for_pm_sampling(*api, chip, {});
      ASSERT_TRUE(host) << chip << format_error(host.error());
      const auto plan = host->plan(*map.counters("pm_sampling"));
      ASSERT_TRUE(plan) << chip << format_error(plan.error());
      EXPECT_EQ(plan->passes, 1U) << chip;
      ++checked;
    }
  }
  EXPECT_GE(checked, 14U);
}

}  // namespace
}  // namespace ridgepoint::collector
