#include "reports/write_report.h"

#include <gtest/gtest.h>
#include <stdlib.h>
#include <sys/stat.h>

#include <filesystem>
#include <fstream>
#include <iterator>

#include "tests/support/golden.h"

namespace ridgepoint {
namespace {

namespace fs = std::filesystem;
using test_support::read_file;

class WriteReport : public ::testing::Test {
 protected:
  void SetUp() override {
    std::string folder = (fs::temp_directory_path() / "ridgepoint-write.XXXXXX").string();
    ASSERT_NE(::mkdtemp(folder.data()), nullptr);
    folder_ = folder;
  }
  void TearDown() override { fs::remove_all(folder_); }
  std::size_t files() const {
    return static_cast<std::size_t>(
        std::distance(fs::directory_iterator(folder_), fs::directory_iterator()));
  }
  fs::path folder_;
};

TEST_F(WriteReport, WritesTheWholeText) {
  ASSERT_TRUE(write_report("hello\n", folder_ / "r.txt"));
  EXPECT_EQ(read_file((folder_ / "r.txt").string()), "hello\n");
  EXPECT_EQ(files(), 1U);
}

TEST_F(WriteReport, DoesNotOverwriteWithoutForce) {
  ASSERT_TRUE(write_report("old", folder_ / "r.txt"));
  const Status again = write_report("new", folder_ / "r.txt");
  ASSERT_FALSE(again);
  EXPECT_EQ(again.error().domain, ErrorDomain::output);
  EXPECT_EQ(again.error().why, "it exists already");
  EXPECT_EQ(read_file((folder_ / "r.txt").string()), "old");
  EXPECT_EQ(files(), 1U);
}

TEST_F(WriteReport, ReplacesWithForce) {
  ASSERT_TRUE(write_report("old", folder_ / "r.txt"));
  ASSERT_TRUE(write_report("new", folder_ / "r.txt", true));
  EXPECT_EQ(read_file((folder_ / "r.txt").string()), "new");
  EXPECT_EQ(files(), 1U);
}

TEST_F(WriteReport, DoesNotFollowASymbolicLink) {
  std::ofstream(folder_ / "victim") << "precious";
  fs::create_symlink(folder_ / "victim", folder_ / "r.txt");
  EXPECT_FALSE(write_report("new", folder_ / "r.txt"));
  ASSERT_TRUE(write_report("new", folder_ / "r.txt", true));
  EXPECT_EQ(read_file((folder_ / "victim").string()), "precious");
  EXPECT_FALSE(fs::is_symlink(folder_ / "r.txt"));
}

TEST_F(WriteReport, TakesADanglingLinkForAnExistingFile) {
  fs::create_symlink(folder_ / "nowhere", folder_ / "r.txt");
  EXPECT_FALSE(write_report("new", folder_ / "r.txt"));
  EXPECT_FALSE(fs::exists(folder_ / "nowhere"));
}

TEST_F(WriteReport, SaysWhyAFolderCannotBeWritten) {
  const Status missing = write_report("x", folder_ / "no" / "r.txt");
  ASSERT_FALSE(missing);
  EXPECT_EQ(missing.error().why, "No such file or directory");
  EXPECT_FALSE(write_report("x", folder_, true));
}

TEST_F(WriteReport, FollowsTheUmask) {
  const mode_t before = ::umask(0027);
  const Status written = write_report("x", folder_ / "r.txt");
  ::umask(before);
  ASSERT_TRUE(written);
  EXPECT_EQ(fs::status(folder_ / "r.txt").permissions(),
            fs::perms::owner_read | fs::perms::owner_write | fs::perms::group_read);
}

}  // namespace
}  // namespace ridgepoint
