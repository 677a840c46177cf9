// A file in the making, for output that is too large to hold, or that another library writes.
//
// Life cycle: create() makes an exclusive temporary file (mode 0600) beside `path` -> write() any
// number of times -> commit() flushes it to the disk and renames it into place. Destroyed before
// commit, it leaves nothing behind. So a crash leaves the old file or the new one, never half of
// either.
//
// What is no regular file (a pipe, /dev/stdout, /dev/null) is written into and never replaced;
// temporary_path() is empty then.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>

#include "analyzer/core/descriptor.h"
#include "analyzer/core/error.h"
#include "analyzer/core/file.h"

namespace ridgepoint {

class FileWriter {
 public:
  // With Overwrite::no an existing `path`, a symbolic link included, is an error, here and again at
  // commit; with Overwrite::yes a link is replaced, not followed.
  static Result<FileWriter> create(const std::filesystem::path& path, Overwrite overwrite,
                                   Access access = Access::owner);
  FileWriter(FileWriter&& other) noexcept;
  FileWriter& operator=(FileWriter&&) = delete;
  FileWriter(const FileWriter&) = delete;
  FileWriter& operator=(const FileWriter&) = delete;
  ~FileWriter();

  Status write(std::string_view bytes);
  Status commit();
  // Where the bytes lie until commit(), for libraries that open a file by name.
  const std::string& temporary_path() const { return temporary_; }

 private:
  FileWriter(std::filesystem::path path, Overwrite overwrite);
  Status failed() const;

  std::filesystem::path path_;
  Overwrite overwrite_;
  std::string what_;
  std::string temporary_;
  Descriptor file_;
};

}  // namespace ridgepoint
