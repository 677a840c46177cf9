#include "collector/profile/plan_key.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <stdlib.h>

#include <fstream>

#include "tests/support/temp_dir.h"

namespace ridgepoint::collector {
namespace {

namespace fs = std::filesystem;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;

void put_file(const fs::path& path, const std::string& text) {
  fs::create_directories(path.parent_path());
  std::ofstream(path) << text;
}

// As the driver and an installation have it.
class PlanKey : public ::testing::Test {
 protected:
  PlanKey() {
    unsetenv("CUDA_VISIBLE_DEVICES");
    put_file(folder / "bin" / "ridgepoint", "a program");
    put_file(folder / "data" / "counters" / "hopper.json", "{}");
    put_file(folder / "cuda" / "libcupti.so", "a library");
    put_file(folder / "cuda" / "libnvperf_host.so", "its counters");
  }
  ~PlanKey() override { unsetenv("CUDA_VISIBLE_DEVICES"); }
  std::string key() { return plan_key(options, place); }

  test::TempDir folder;
  PlanPlace place{
      folder / "bin" / "ridgepoint",
      folder / "data",
      {(folder / "none.so").string(), (folder / "cuda" / "libcupti.so").string(), "libcupti.so.13"},
      "580.159.04",
      "Model: NVIDIA H200\n"};
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
  changes("driver", [&] { place.driver = "590.1"; });
  changes("GPU", [&] { place.gpus += "Model: NVIDIA A100\n"; });
  changes("tables", [&] { put_file(folder / "data" / "counters" / "hopper.json", "{ }"); });
  changes("CUPTI", [&] { put_file(folder / "cuda" / "libcupti.so", "another library"); });
  changes("CUPTI's counters",
          [&] { put_file(folder / "cuda" / "libnvperf_host.so", "others of them"); });
  changes("another build", [&] { put_file(folder / "bin" / "ridgepoint", "another program"); });
  changes("a library that comes first", [&] { put_file(folder / "none.so", "a library"); });
  changes("GPUs shown", [] { setenv("CUDA_VISIBLE_DEVICES", "1", 1); });
  changes("GPUs shown, no text", [] { setenv("CUDA_VISIBLE_DEVICES", "\xff", 1); });
  changes("GPUs shown, as little text", [] { setenv("CUDA_VISIBLE_DEVICES", "\xfe", 1); });
  changes("set", [&] { options.counter_profile = "lite"; });
  changes("counters", [&] { options.counters = {"a", "b"}; });
  changes("their ends", [&] { options.counters = {"a,b"}; });
  changes("replay", [&] { options.replay = "application"; });
}

TEST_F(PlanKey, IsNoneWhereSomethingIsNotKnown) {
  const PlanPlace whole = place;
  place.cupti = {"libcupti.so.nowhere"};
  EXPECT_THAT(key(), IsEmpty());
  place = whole;
  place.driver = "";
  EXPECT_THAT(key(), IsEmpty());
  place = whole;
  place.gpus = "";
  EXPECT_THAT(key(), IsEmpty());
  place = whole;
  place.data = folder / "no data";
  EXPECT_THAT(key(), IsEmpty());
  place = whole;
  place.program = folder / "no program";
  EXPECT_THAT(key(), IsEmpty());
}

// libm stands for CUPTI where the dynamic linker finds it by its name alone.
TEST_F(PlanKey, ANameWithoutAFolderIsTheFileThatLoads) {
  const fs::path before = fs::current_path();
  put_file(folder / "here" / "libm.so.6", "not what is loaded");
  place.cupti = {"libm.so.6"};
  fs::current_path(folder / "here");
  const std::string found = key();
  fs::current_path(before);
  EXPECT_THAT(found, HasSubstr("/libm"));
  EXPECT_THAT(found, Not(HasSubstr((folder / "here").string())));
  EXPECT_EQ(found, key()) << "wherever it is started";
}

}  // namespace
}  // namespace ridgepoint::collector
