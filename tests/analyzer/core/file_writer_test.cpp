#include "analyzer/core/file_writer.h"

#include <gmock/gmock.h>
#include <sys/stat.h>

#include <filesystem>

#include "tests/support/temp_dir.h"

namespace ridgepoint {
namespace {

namespace fs = std::filesystem;

std::size_t files_in(const fs::path& folder) {
  return static_cast<std::size_t>(std::distance(fs::directory_iterator(folder), {}));
}

TEST(FileWriter, PutsTheFileInPlaceWhenItIsWhole) {
  const test::TempDir folder;
  const fs::path path = folder / "out";
  auto file = FileWriter::create(path, Overwrite::no);
  ASSERT_TRUE(file);
  ASSERT_TRUE(file->write("one "));
  ASSERT_TRUE(file->write("two"));
  EXPECT_FALSE(fs::exists(path));
  ASSERT_TRUE(file->commit());
  EXPECT_EQ(read_file(path, 100).value(), "one two");
  EXPECT_EQ(files_in(folder.path()), 1U);
  struct stat status {};
  ASSERT_EQ(stat(path.c_str(), &status), 0);
  EXPECT_EQ(status.st_mode & 0777U, 0600U);
}

TEST(FileWriter, LeavesNothingBehindWithoutCommit) {
  const test::TempDir folder;
  {
    auto file = FileWriter::create(folder / "out", Overwrite::no);
    ASSERT_TRUE(file);
    ASSERT_TRUE(file->write("half"));
    const FileWriter moved = std::move(*file);
  }
  EXPECT_EQ(files_in(folder.path()), 0U);
}

TEST(FileWriter, ReplacesNothingThatAppearedMeanwhile) {
  const test::TempDir folder;
  auto file = FileWriter::create(folder / "out", Overwrite::no);
  ASSERT_TRUE(file);
  ASSERT_TRUE(write_file(folder / "out", "theirs", Overwrite::no));
  const Status late = file->commit();
  ASSERT_FALSE(late);
  EXPECT_EQ(late.error().why, "it exists already");
  EXPECT_EQ(read_file(folder / "out", 100).value(), "theirs");
}

TEST(FileWriter, WritesIntoADeviceAndHasNoTemporaryFileThen) {
  auto file = FileWriter::create("/dev/null", Overwrite::no);
  ASSERT_TRUE(file);
  EXPECT_EQ(file->temporary_path(), "");
  EXPECT_TRUE(file->write("gone"));
  EXPECT_TRUE(file->commit());
}

}  // namespace
}  // namespace ridgepoint
