// `ridgepoint ceilings` where there is no GPU, and what reports show of what it measured elsewhere.
#include <gtest/gtest.h>

#include <cstdlib>
#include <nlohmann/json.hpp>

#include "analyzer/session/session_file.h"
#include "tests/support/program.h"
#include "tests/support/sample_session.h"
#include "tests/support/temp_dir.h"

namespace ridgepoint {
namespace {

using test::run_program;

TEST(CeilingsCommand, NeverReplacesAFileUnasked) {
  const std::string help = run_program({"ridgepoint", "ceilings", "--help"}).out;
  if (help.find("not in this build") != std::string::npos) {
    GTEST_SKIP() << "built without CUDA: it measures nothing and writes nothing";
  }
  const test::TempDir folder;
  ASSERT_TRUE(write_session(testing::sample_session(), folder / "old.ridge"));
  const auto result =
      run_program({"ridgepoint", "ceilings", "-o", "old.ridge"}, folder.path().string());
  EXPECT_EQ(result.exit_code, 3) << result.err;
  EXPECT_NE(result.err.find("old.ridge"), std::string::npos);
}

TEST(CeilingsCommand, WithoutAGpuSaysSoAndExits5) {
  setenv("CUDA_VISIBLE_DEVICES", "", 1);  // also where there is one
  const auto result = run_program({"ridgepoint", "ceilings"});
  unsetenv("CUDA_VISIBLE_DEVICES");
  EXPECT_EQ(result.exit_code, 5) << result.err;
  EXPECT_EQ(result.out, "");
  EXPECT_EQ(result.err.rfind("error: ", 0), 0U) << result.err;
}

// Invented measurements on the invented device.
TEST(CeilingsReport, ShowsEveryWayToACeilingBesideTheoryAtItsClock) {
  const test::TempDir folder;
  Session session;
  session.producer.mode = "ceilings";
  session.devices.push_back(testing::sample_device());
  session.devices[0].measured_ceilings = {
      {"hbm.copy", 4.3008e12, 4e9, 1.98e9, std::nullopt},
      {"tensor_fp16.wgmma", 0.9 * 4096 * 132 * 1.5e9, 7e11, 1.5e9, std::nullopt},
      {"tensor_fp16.mma_sync", 4e14, 4e11, 1.7e9, 650.0}};
  ASSERT_TRUE(write_session(session, folder / "c.ridge"));
  const auto text = run_program({"ridgepoint", "report", "c.ridge"}, folder.path().string());
  ASSERT_EQ(text.exit_code, 0) << text.err;
  for (const char* word : {"Ceilings measured on this device", "copy", "4.30 TB/s", "87.5 %",
                           "wgmma", "1.50 GHz", "90.0 %", "mma_sync", "650 W"}) {
    EXPECT_NE(text.out.find(word), std::string::npos) << word << "\n" << text.out;
  }
  const auto json =
      run_program({"ridgepoint", "report", "c.ridge", "-f", "json"}, folder.path().string());
  ASSERT_EQ(json.exit_code, 0) << json.err;
  const auto report = nlohmann::json::parse(json.out);
  bool found = false;
  for (const auto& ceiling : report["device"]["ceilings"]) {
    if (ceiling["name"] == "tensor_fp16") {
      found = true;
      EXPECT_EQ(ceiling["measured"], 0.9 * 4096 * 132 * 1.5e9);
      ASSERT_EQ(ceiling["measurements"].size(), 2U);
      EXPECT_EQ(ceiling["measurements"][0]["method"], "wgmma");
      EXPECT_TRUE(ceiling["measurements"][0]["power_w"].is_null());
      EXPECT_EQ(ceiling["measurements"][1]["power_w"], 650.0);
    } else if (ceiling["name"] == "fp32") {
      EXPECT_TRUE(ceiling["measured"].is_null());
      EXPECT_TRUE(ceiling["measurements"].empty());
    }
  }
  EXPECT_TRUE(found);
}

}  // namespace
}  // namespace ridgepoint
