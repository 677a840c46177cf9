// `ridgepoint merge`: several sessions of one run as one, none of them counted twice.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>

#include "analyzer/session/session_file.h"
#include "tests/support/program.h"
#include "tests/support/recordings.h"
#include "tests/support/sample_session.h"
#include "tests/support/temp_dir.h"

namespace ridgepoint {
namespace {

using test::run_program;
using ::testing::HasSubstr;

class Merge : public ::testing::Test {
 protected:
  // A process' session: the invented launches as those of a program.
  std::string session_of_a_process(const char* name) const {
    Session session = testing::sample_session();
    session.producer.mode = "profile";
    session.attention.reset();
    const std::string path = (folder_ / name).string();
    EXPECT_TRUE(write_session(session, path));
    return path;
  }
  std::string output() const { return (folder_ / "all.ridge").string(); }

  test::TempDir folder_;
};

TEST_F(Merge, HoldsTheLaunchesOfAll) {
  const std::string one = session_of_a_process("0.ridge");
  const std::string two = session_of_a_process("1.ridge");
  const auto result = run_program({"ridgepoint", "merge", one, two, "-o", output()});
  ASSERT_EQ(result.exit_code, 0) << result.err;
  const auto joined = read_session(output());
  ASSERT_TRUE(joined) << format_error(joined.error());
  EXPECT_EQ(joined->launches.size(), 2 * testing::sample_session().launches.size());
}

// The two processes of the recordings ran on one GPU.
TEST_F(Merge, TellsAGpuThatProcessesSharedOnce) {
  ASSERT_EQ(
      run_program({"ridgepoint", "merge",
                   test_support::recording_path("profile-three-kernels-rank-0"),
                   test_support::recording_path("profile-three-kernels-rank-1"), "-o", output()})
          .exit_code,
      0);
  const auto report = run_program({"ridgepoint", "report", output()});
  EXPECT_THAT(report.out, ::testing::Not(HasSubstr("device 1")));
  const auto at = report.out.find("NVIDIA H200 (GH100");
  ASSERT_NE(at, std::string::npos);
  EXPECT_EQ(report.out.find("NVIDIA H200 (GH100", at + 1), std::string::npos);
}

TEST_F(Merge, RefusesAFileThatIsNamedTwiceHoweverItIsSpelt) {
  const std::string one = session_of_a_process("0.ridge");
  const std::string again = (folder_ / "." / "0.ridge").string();
  const auto result = run_program({"ridgepoint", "merge", one, again, "-o", output()});
  EXPECT_EQ(result.exit_code, 3);
  EXPECT_THAT(result.err, HasSubstr("it is named twice"));
  EXPECT_FALSE(std::filesystem::exists(output()));
}

TEST_F(Merge, NeverReplacesWhatItReads) {
  const std::string one = session_of_a_process("0.ridge");
  const std::string two = session_of_a_process("1.ridge");
  const auto before = std::filesystem::last_write_time(one);
  const auto result = run_program({"ridgepoint", "merge", one, two, "-o", one, "--force"});
  EXPECT_EQ(result.exit_code, 3);
  EXPECT_EQ(std::filesystem::last_write_time(one), before);
}

}  // namespace
}  // namespace ridgepoint
