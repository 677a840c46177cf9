// `ridgepoint demo`: what a machine without a GPU runs.
#include <gtest/gtest.h>

#include <filesystem>

#include "tests/support/program.h"
#include "tests/support/temp_dir.h"

namespace ridgepoint {
namespace {

TEST(Demo, SaysInItsFirstLineThatItIsARecording) {
  const auto result = test::run_program({"ridgepoint", "demo"});
  ASSERT_EQ(result.exit_code, 0) << result.err;
  const std::string first = result.out.substr(0, result.out.find('\n'));
  EXPECT_NE(first.find("ecording"), std::string::npos) << first;
  EXPECT_NE(first.find("H200"), std::string::npos) << first;
}

TEST(Demo, ShowsBothVariantsTheFactorAndDiagnoses) {
  const auto result = test::run_program({"ridgepoint", "demo"});
  for (const char* word : {"naive", "fused", "HBM"}) {
    EXPECT_NE(result.out.find(word), std::string::npos) << word;
  }
  EXPECT_EQ(result.out.find('\x1b'), std::string::npos) << "colour belongs on terminals only";
}

TEST(Demo, SaysWhatTokensCostAtAPrice) {
  const auto free = test::run_program({"ridgepoint", "demo"});
  const auto priced = test::run_program({"ridgepoint", "demo", "--price-per-hour", "3"});
  ASSERT_EQ(priced.exit_code, 0) << priced.err;
  EXPECT_EQ(free.out.find("million tokens"), std::string::npos);
  EXPECT_NE(priced.out.find("million tokens"), std::string::npos);
  EXPECT_EQ(test::run_program({"ridgepoint", "demo", "--price-per-hour", "-3"}).exit_code, 3);
}

TEST(Demo, WritesTheReportItIsAskedFor) {
  const test::TempDir folder;
  const std::string html = (folder / "demo.html").string();
  const auto result = test::run_program({"ridgepoint", "demo", "--report", html});
  EXPECT_EQ(result.exit_code, 0);
  EXPECT_TRUE(std::filesystem::exists(html));
  EXPECT_NE(result.err.find(html), std::string::npos) << "says where it lies";
  EXPECT_EQ(test::run_program({"ridgepoint", "demo", "--report", html}).exit_code, 3)
      << "never replaces it unasked";
}

}  // namespace
}  // namespace ridgepoint
