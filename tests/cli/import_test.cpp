// `ridgepoint import`: an export of Nsight Compute becomes a session that says where it comes from.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "analyzer/session/session_file.h"
#include "tests/support/program.h"
#include "tests/support/recordings.h"
#include "tests/support/temp_dir.h"

namespace ridgepoint {
namespace {

using test::run_program;
using testing::HasSubstr;

const std::string samples = std::string(RIDGEPOINT_SOURCE_DIR) + "/tests/data/nsight-compute/";

TEST(ImportCommand, ReportsOfTheSessionAndOfTheExportAreTheSame) {
  const test::TempDir folder;
  const std::string csv = samples + "three-kernels-cache-none.raw.csv";
  const std::string session = (folder / "run.ridge").string();
  const auto result = run_program({"ridgepoint", "import", csv, "-o", session});
  ASSERT_EQ(result.exit_code, 0) << result.err;
  const auto of_session = run_program({"ridgepoint", "report", session});
  EXPECT_EQ(of_session.exit_code, 0);
  EXPECT_THAT(of_session.out, HasSubstr("imported"));
  EXPECT_EQ(of_session.out, run_program({"ridgepoint", "report", csv}).out);
}

TEST(ImportCommand, RefusesWhatIsASessionAlreadyAndWhatExists) {
  const test::TempDir folder;
  const std::string session = test_support::recording_path(test_support::wide_recording);
  EXPECT_EQ(
      run_program({"ridgepoint", "import", session, "-o", (folder / "x.ridge").string()}).exit_code,
      4);
  const std::string csv = samples + "three-kernels-cache-none.raw.csv";
  const std::string taken = (folder / "run.ridge").string();
  EXPECT_EQ(run_program({"ridgepoint", "import", csv, "-o", taken}).exit_code, 0);
  EXPECT_EQ(run_program({"ridgepoint", "import", csv, "-o", taken}).exit_code, 3);
  EXPECT_EQ(run_program({"ridgepoint", "import", csv, "-o", taken, "--force"}).exit_code, 0);
}

}  // namespace
}  // namespace ridgepoint
