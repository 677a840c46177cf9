// The journal as the profiled process writes it. Unlike analyzer/session/journal.h it keeps nothing
// in memory: the launcher reads and seals it.
#pragma once

#include <sys/types.h>

#include <filesystem>

#include "analyzer/core/descriptor.h"
#include "analyzer/core/error.h"
#include "analyzer/session/session.h"

namespace ridgepoint::collector {

// An empty file of this name, if that can be.
void leave_failure(const std::filesystem::path& path);

class JournalFile {
 public:
  // Created exclusively, mode 0600, and locked while this process lives.
  static Result<JournalFile> create(const std::filesystem::path& path);
  // One line; empty parts are not written. Fails for good after the first failure.
  Status append(const Session& part);

 private:
  JournalFile(Descriptor file, std::filesystem::path path, dev_t device, ino_t inode)
      : file_(std::move(file)), path_(std::move(path)), device_(device), inode_(inode) {}

  Descriptor file_;
  std::filesystem::path path_;
  dev_t device_;
  ino_t inode_;
};

}  // namespace ridgepoint::collector
