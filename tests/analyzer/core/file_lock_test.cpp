#include "analyzer/core/file_lock.h"

#include <gtest/gtest.h>
#include <sys/stat.h>

#include <optional>

#include "tests/support/temp_dir.h"

namespace ridgepoint {
namespace {

using namespace std::chrono_literals;

TEST(FileLock, IsOnesAloneUntilItEnds) {
  const test::TempDir folder;
  std::optional<FileLock> first(std::in_place, folder / "lock", 0ms);
  ASSERT_TRUE(*first);
  EXPECT_FALSE(FileLock(folder / "lock", 5ms));
  first.reset();
  EXPECT_TRUE(FileLock(folder / "lock", 0ms));
}

TEST(FileLock, WhatIsNoFileIsNeitherWaitedForNorLocked) {
  const test::TempDir folder;
  ASSERT_EQ(mkfifo((folder / "pipe").c_str(), 0600), 0);
  EXPECT_FALSE(FileLock(folder / "pipe", 0ms));
  EXPECT_FALSE(FileLock(folder.path(), 0ms));
  EXPECT_FALSE(FileLock(folder / "no folder" / "lock", 0ms));
}

}  // namespace
}  // namespace ridgepoint
