#include "collector/profile/plan_cache.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <stdlib.h>
#include <sys/stat.h>

#include <fstream>
#include <iterator>

#include "tests/support/temp_dir.h"

namespace ridgepoint::collector {
namespace {

namespace fs = std::filesystem;
using ::testing::ElementsAre;
using ::testing::IsEmpty;
using ::testing::Not;

PassPlan plan(const std::string& chip, std::size_t passes) {
  PassPlan plan;
  plan.chip = chip;
  plan.counters = {"gpu__time_duration.sum", "dram__bytes_read.sum"};
  plan.refused = {"a counter that this CUPTI lacks"};
  plan.too_wide = {"one that takes several passes"};
  plan.passes = passes;
  plan.one_pass_counters = 5;
  return plan;
}

void write(const fs::path& path, const std::string& text) {
  fs::create_directories(path.parent_path());
  std::ofstream(path) << text;
}

class PlanCacheTest : public ::testing::Test {
 protected:
  test::TempDir folder;
  fs::path file = folder / "cache" / "plans.json";
  PlanCache cache{file};
};

TEST_F(PlanCacheTest, APlanIsFoundWholeUnderItsKeyAlone) {
  cache.keep("key", {plan("GH100", 8), plan("GA100", 9)});
  const std::vector<PassPlan> found = cache.find("key");
  ASSERT_EQ(found.size(), 2U);
  EXPECT_EQ(found[1].chip, "GA100");
  EXPECT_THAT(found[0].counters, ElementsAre("gpu__time_duration.sum", "dram__bytes_read.sum"));
  EXPECT_THAT(found[0].refused, ElementsAre("a counter that this CUPTI lacks"));
  EXPECT_THAT(found[0].too_wide, ElementsAre("one that takes several passes"));
  EXPECT_EQ(found[0].passes, 8U);
  EXPECT_EQ(found[0].one_pass_counters, 5U);
  EXPECT_THAT(cache.find("another key"), IsEmpty());
}

TEST_F(PlanCacheTest, ANewPlanTakesThePlaceOfTheOld) {
  cache.keep("key", {plan("GH100", 8)});
  cache.keep("other", {plan("GH100", 1)});
  cache.keep("key", {plan("GH100", 7)});
  EXPECT_EQ(cache.find("key").at(0).passes, 7U);
  EXPECT_EQ(cache.find("other").at(0).passes, 1U);
}

TEST_F(PlanCacheTest, TheOldestMakesRoom) {
  for (int i = 0; i < 20; ++i) {
    cache.keep("key " + std::to_string(i), {plan("GH100", 8)});
  }
  EXPECT_THAT(cache.find("key 3"), IsEmpty());
  EXPECT_EQ(cache.find("key 4").size(), 1U);
  EXPECT_EQ(cache.find("key 19").size(), 1U);
}

TEST_F(PlanCacheTest, WhatIsDamagedIsAsGoodAsNothingAndIsReplaced) {
  const std::string deep(100000, '[');
  for (const std::string& text :
       {std::string("{"), std::string("[]"), std::string("{\"runs\": 3}"),
        std::string("{\"runs\": [1, {\"key\": \"key\"}, {\"key\": \"key\", \"plans\": [{}]}]}"),
        std::string("{\"runs\": [{\"key\": \"key\", \"plans\": [{\"chip\": 3}]}]}"), deep}) {
    write(file, text);
    EXPECT_THAT(cache.find("key"), IsEmpty()) << text.substr(0, 60);
    cache.keep("key", {plan("GH100", 8)});
    EXPECT_EQ(cache.find("key").size(), 1U) << text.substr(0, 60);
  }
}

TEST_F(PlanCacheTest, WithoutAPlaceOrAKeyNothingIsKept) {
  PlanCache(fs::path()).keep("key", {plan("GH100", 8)});
  EXPECT_THAT(PlanCache(fs::path()).find("key"), IsEmpty());
  cache.keep("", {plan("GH100", 8)});
  EXPECT_THAT(cache.find(""), IsEmpty());
  EXPECT_FALSE(fs::exists(file));
}

TEST_F(PlanCacheTest, TheFileIsItsOwnersAlone) {
  cache.keep("key", {plan("GH100", 8)});
  struct stat status = {};
  ASSERT_EQ(stat(file.c_str(), &status), 0);
  EXPECT_EQ(status.st_mode & 0777U, 0600U);
}

// As the driver and an installation have it.
class PlanKey : public PlanCacheTest {
 protected:
  PlanKey() {
    unsetenv("CUDA_VISIBLE_DEVICES");
    write(data / "counters" / "hopper.json", "{}");
    write(folder / "libcupti.so", "a library");
  }
  ~PlanKey() override { unsetenv("CUDA_VISIBLE_DEVICES"); }
  std::string key() { return plan_key(options, data, cupti, driver, gpus); }

  std::string driver = "580.159.04";
  std::string gpus = "Model: NVIDIA H200\n";
  fs::path data = folder / "data";
  std::vector<std::string> cupti = {(folder / "none.so").string(),
                                    (folder / "libcupti.so").string(), "libcupti.so.13"};
  ProfileOptions options;
};

TEST_F(PlanKey, IsTheSameForTheSameRun) {
  EXPECT_THAT(key(), Not(IsEmpty()));
  EXPECT_EQ(key(), key());
}

TEST_F(PlanKey, ChangesWithAllThatAPlanDependsOn) {
  const auto changes = [&](const char* what, auto change) {
    const std::string before = key();
    change();
    EXPECT_NE(key(), before) << what;
  };
  changes("driver", [&] { driver = "590.1"; });
  changes("GPU", [&] { gpus += "Model: NVIDIA A100\n"; });
  changes("tables", [&] { write(data / "counters" / "hopper.json", "{ }"); });
  changes("CUPTI", [&] { write(folder / "libcupti.so", "another library"); });
  changes("a library that comes first", [&] { write(folder / "none.so", "a library"); });
  changes("GPUs shown", [] { setenv("CUDA_VISIBLE_DEVICES", "1", 1); });
  changes("set", [&] { options.counter_profile = "lite"; });
  changes("counters", [&] { options.counters = {"a", "b"}; });
  changes("replay", [&] { options.replay = "application"; });
}

TEST_F(PlanKey, IsNoneWhereSomethingIsNotKnown) {
  EXPECT_THAT(plan_key(options, data, {"libcupti.so.13"}, driver, gpus), IsEmpty());
  EXPECT_THAT(plan_key(options, data, cupti, "", gpus), IsEmpty());
  EXPECT_THAT(plan_key(options, data, cupti, driver, ""), IsEmpty());
  EXPECT_THAT(plan_key(options, folder / "no data", cupti, driver, gpus), IsEmpty());
}

}  // namespace
}  // namespace ridgepoint::collector
