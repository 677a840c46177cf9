#include "analyzer/core/file.h"

#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <thread>

#include "analyzer/core/descriptor.h"
#include "tests/support/temp_dir.h"

namespace ridgepoint {
namespace {

namespace fs = std::filesystem;

TEST(WriteFile, IsReadableByItsOwnerOnly) {
  const test::TempDir folder;
  ASSERT_TRUE(write_file(folder / "out", "text", Overwrite::no));
  EXPECT_EQ(fs::status(folder / "out").permissions(),
            fs::perms::owner_read | fs::perms::owner_write);
  EXPECT_EQ(read_file(folder / "out", 100).value(), "text");
}

TEST(WriteFile, ReplacesOnlyWhenAsked) {
  const test::TempDir folder;
  ASSERT_TRUE(write_file(folder / "out", "old", Overwrite::no));
  const Status refused = write_file(folder / "out", "new", Overwrite::no);
  ASSERT_FALSE(refused);
  EXPECT_NE(refused.error().hint.find("--force"), std::string::npos);
  EXPECT_EQ(read_file(folder / "out", 100).value(), "old");
  ASSERT_TRUE(write_file(folder / "out", "new", Overwrite::yes));
  EXPECT_EQ(read_file(folder / "out", 100).value(), "new");
}

TEST(WriteFile, NeverWritesThroughASymbolicLink) {
  const test::TempDir folder;
  ASSERT_TRUE(write_file(folder / "precious", "precious", Overwrite::no));
  fs::create_symlink(folder / "precious", folder / "link");
  EXPECT_FALSE(write_file(folder / "link", "x", Overwrite::no));
  fs::create_symlink(folder / "nowhere", folder / "dangling");
  EXPECT_FALSE(write_file(folder / "dangling", "x", Overwrite::no));
  ASSERT_TRUE(write_file(folder / "link", "x", Overwrite::yes));
  EXPECT_EQ(read_file(folder / "precious", 100).value(), "precious");
  EXPECT_EQ(read_file(folder / "link", 100).value(), "x");
}

TEST(WriteFile, LeavesNothingBehindWhenItFails) {
  const test::TempDir folder;
  fs::create_directory(folder / "out");
  EXPECT_FALSE(write_file(folder / "out", "x", Overwrite::yes));
  EXPECT_FALSE(write_file(folder / "missing" / "out", "x", Overwrite::no));
  EXPECT_EQ(std::distance(fs::directory_iterator(folder.path()), fs::directory_iterator()), 1);
}

TEST(WriteFile, WritesIntoWhatIsNoRegularFileAndNeverReplacesIt) {
  const test::TempDir folder;
  ASSERT_EQ(mkfifo((folder / "pipe").c_str(), 0600), 0);
  std::string received;
  std::thread reader([&] {
    std::ifstream pipe(folder / "pipe");
    std::getline(pipe, received);
  });
  EXPECT_TRUE(write_file(folder / "pipe", "through the pipe\n", Overwrite::yes));
  reader.join();
  EXPECT_EQ(received, "through the pipe");
  EXPECT_TRUE(fs::is_fifo(folder / "pipe"));
  EXPECT_TRUE(write_file("/dev/null", "x", Overwrite::no));
}

TEST(WriteFile, ReportsFollowTheUmaskAndKeepTheModeOfWhatTheyReplace) {
  const test::TempDir folder;
  const mode_t before = umask(0022);
  ASSERT_TRUE(write_file(folder / "new", "x", Overwrite::no, Access::umask));
  umask(before);
  EXPECT_EQ(fs::status(folder / "new").permissions(), static_cast<fs::perms>(0644));
  fs::permissions(folder / "new", static_cast<fs::perms>(0640));
  ASSERT_TRUE(write_file(folder / "new", "y", Overwrite::yes, Access::umask));
  EXPECT_EQ(fs::status(folder / "new").permissions(), static_cast<fs::perms>(0640));
}

TEST(ReadFile, RefusesFoldersAndDevices) {
  const test::TempDir folder;
  EXPECT_EQ(read_file(folder.path(), 100).error().why, "it is a folder");
  EXPECT_EQ(read_file("/dev/zero", 100).error().why,
            "it is a terminal or another device, not a file");
  EXPECT_EQ(read_file(folder / "absent", 100).error().code, ENOENT);
}

TEST(ReadFile, RefusesMoreThanItsLimit) {
  const test::TempDir folder;
  ASSERT_TRUE(write_file(folder / "out", std::string(101, 'x'), Overwrite::no));
  EXPECT_FALSE(read_file(folder / "out", 100));
  EXPECT_TRUE(read_file(folder / "out", 101));
}

// What came through an unnamed pipe whose writer sends `bytes` and closes it.
Result<std::string> through_pipe(const std::string& bytes, std::uint64_t limit_bytes) {
  std::array<int, 2> ends = {};
  if (pipe(ends.data()) != 0) {
    return fail(ErrorDomain::internal, "making a pipe", std::strerror(errno));
  }
  const Descriptor output(ends[0]);
  std::thread writer([&, input = Descriptor(ends[1])] {
    const Status written = write_all(input.get(), bytes, "writing into the pipe");
    EXPECT_TRUE(written || bytes.size() > limit_bytes);
  });
  Result<std::string> read = read_file("/proc/self/fd/" + std::to_string(ends[0]), limit_bytes);
  // A reader that gave up leaves the pipe full: empty it, so that the writer can end.
  std::array<char, 65536> rest;
  while (::read(output.get(), rest.data(), rest.size()) > 0) {
  }
  writer.join();
  return read;
}

TEST(ReadFile, TakesAllThatComesThroughAPipe) {
  const std::string bytes(300001, 'x');
  EXPECT_EQ(through_pipe(bytes, 300001).value(), bytes);
  EXPECT_FALSE(through_pipe(bytes, 300000));
  EXPECT_EQ(through_pipe("", 100).error().why, "nothing came through the pipe");
}

TEST(ReadFile, DoesNotWaitForTheWriterOfANamedPipe) {
  const test::TempDir folder;
  ASSERT_EQ(mkfifo((folder / "pipe").c_str(), 0600), 0);
  EXPECT_EQ(read_file(folder / "pipe", 100).error().why, "nothing came through the pipe");
}

TEST(AppendFile, CreatesAndExtendsButNeverThroughALink) {
  const test::TempDir folder;
  ASSERT_TRUE(append_file(folder / "log", "one\n"));
  ASSERT_TRUE(append_file(folder / "log", "two\n"));
  EXPECT_EQ(read_file(folder / "log", 100).value(), "one\ntwo\n");
  fs::create_symlink(folder / "log", folder / "link");
  EXPECT_FALSE(append_file(folder / "link", "three\n"));
  EXPECT_FALSE(append_file(folder.path(), "three\n"));
  EXPECT_EQ(read_file(folder / "log", 100).value(), "one\ntwo\n");
}

}  // namespace
}  // namespace ridgepoint
