// One process at a time reads a file, changes it and puts the new one in its place.
#pragma once

#include <chrono>
#include <filesystem>

#include "analyzer/core/descriptor.h"

namespace ridgepoint {

// Locks the file of that name, which is made when absent and stays: not the changing file itself,
// whose name is another file's after each change. False where another process has kept it for all
// of `patience`, or there can be no such file; true, with nothing locked, on file systems that have
// no locks.
class FileLock {
 public:
  FileLock(const std::filesystem::path& path, std::chrono::milliseconds patience);
  explicit operator bool() const { return may_go_on_; }

 private:
  Descriptor file_;  // closing it ends the lock
  bool may_go_on_ = false;
};

}  // namespace ridgepoint
