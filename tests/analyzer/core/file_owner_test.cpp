#include "analyzer/core/file_owner.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <filesystem>

#include "analyzer/core/file.h"
#include "tests/support/temp_dir.h"

namespace ridgepoint {
namespace {

namespace fs = std::filesystem;

constexpr uid_t user = 12345;
constexpr gid_t group = 54321;

struct stat status_of(const fs::path& path) {
  struct stat status {};
  EXPECT_EQ(lstat(path.c_str(), &status), 0) << path;
  return status;
}

class FilesOfRoot : public ::testing::Test {
 protected:
  void SetUp() override {
    if (geteuid() != 0 || chown(folder.path().c_str(), user, group) != 0) {
      GTEST_SKIP() << "only root can make files in the folder of another user";
    }
  }
  test::TempDir folder;
};

TEST_F(FilesOfRoot, BelongToTheOwnerOfTheirFolder) {
  ASSERT_TRUE(write_file(folder / "session", "x", Overwrite::no));
  ASSERT_TRUE(write_file(folder / "report", "x", Overwrite::no, Access::umask));
  ASSERT_TRUE(append_file(folder / "summary", "x"));
  ASSERT_TRUE(make_folders(folder / "cache/ridgepoint/ceilings"));
  for (const char* name :
       {"session", "report", "summary", "cache", "cache/ridgepoint", "cache/ridgepoint/ceilings"}) {
    EXPECT_EQ(status_of(folder / name).st_uid, user) << name;
    EXPECT_EQ(status_of(folder / name).st_gid, group) << name;
  }
  EXPECT_EQ(status_of(folder / "session").st_mode & 0777U, 0600U);
  EXPECT_EQ(status_of(folder / "cache/ridgepoint/ceilings").st_mode & 0777U, 0700U);
  ASSERT_TRUE(write_file(folder / "session", "y", Overwrite::yes));
  EXPECT_EQ(status_of(folder / "session").st_uid, user) << "replaced";
}

TEST_F(FilesOfRoot, StayRootsInAFolderThatAnybodyMayWriteTo) {
  fs::permissions(folder.path(), fs::perms::all);
  ASSERT_TRUE(write_file(folder / "session", "x", Overwrite::no));
  EXPECT_EQ(status_of(folder / "session").st_uid, 0U);
}

TEST_F(FilesOfRoot, ThatWereThereBeforeKeepTheirOwner) {
  ASSERT_TRUE(write_file(folder / "log", "x", Overwrite::no));
  ASSERT_EQ(chown((folder / "log").c_str(), 0, 0), 0);
  ASSERT_TRUE(append_file(folder / "log", "y"));
  EXPECT_EQ(status_of(folder / "log").st_uid, 0U);
}

// What its owner swaps in while root writes: another file of root's must not become theirs.
TEST_F(FilesOfRoot, AreGivenAwayOnlyFromTheFolderTheyLieIn) {
  const test::TempDir roots;
  ASSERT_TRUE(write_file(roots / "precious", "x", Overwrite::no));
  fs::create_hard_link(roots / "precious", folder / "linked");
  fs::create_symlink(roots / "precious", folder / "link");
  for (const char* name : {"linked", "link", "absent"}) {
    const int precious = open((roots / "precious").c_str(), O_RDONLY | O_CLOEXEC);
    ASSERT_GE(precious, 0);
    give_to_folder_owner(precious, folder / name);
    close(precious);
    EXPECT_EQ(status_of(roots / "precious").st_uid, 0U) << name;
  }
}

}  // namespace
}  // namespace ridgepoint
