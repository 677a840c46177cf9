// `ridgepoint attention` where it cannot measure: one clear error, the documented code, no file
// left behind.
#include <gtest/gtest.h>

#include <filesystem>
#include <iterator>

#include "tests/support/program.h"
#include "tests/support/temp_dir.h"

namespace ridgepoint {
namespace {

namespace fs = std::filesystem;

TEST(Attention, ADirectionThatDoesNotExistIsBadUsage) {
  const auto result = test::run_program({"ridgepoint", "attention", "--direction", "sideways"});
  EXPECT_EQ(result.exit_code, 3);
  EXPECT_NE(result.err.find("backward"), std::string::npos) << result.err;
}

TEST(Attention, WithoutAGpuIsExitCode5WithAHint) {
  if (fs::exists("/proc/driver/nvidia/version")) {
    GTEST_SKIP() << "this machine has an NVIDIA driver";
  }
  const test::TempDir folder;
  const auto result =
      test::run_program({"ridgepoint", "attention", "-n", "256"}, folder.path().string());
  EXPECT_EQ(result.exit_code, 5);
  EXPECT_NE(result.err.find("error: "), std::string::npos) << result.err;
  EXPECT_NE(result.err.find("\nhint: "), std::string::npos) << result.err;
  if (result.err.find("without CUDA") == std::string::npos) {
    EXPECT_NE(result.err.find("no NVIDIA driver is loaded"), std::string::npos) << result.err;
  }
  EXPECT_EQ(result.out, "");
  EXPECT_EQ(fs::directory_iterator(folder.path()), fs::directory_iterator())
      << "no empty session or journal remains";
}

}  // namespace
}  // namespace ridgepoint
