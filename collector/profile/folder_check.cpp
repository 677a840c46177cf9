#include "collector/profile/folder_check.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <string>
#include <system_error>

#include "analyzer/core/descriptor.h"
#include "collector/profile/output_name.h"

namespace ridgepoint::collector {
namespace {

// More than the smallest session takes, and than what a file system holds back for small files.
constexpr std::size_t enough_bytes = 8192;

}  // namespace

Status check_folder(const std::filesystem::path& output) {
  const std::string what = "writing " + output.string();
  std::filesystem::path trial = output;
  trial += "." + new_run_id() + ".trial";
  Descriptor file(
      open(trial.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, S_IRUSR | S_IWUSR));
  if (!file) {
    return fail(ErrorDomain::output, what, std::generic_category().message(errno),
                "choose a folder that you may write to", errno);
  }
  Status written = write_all(file.get(), std::string(enough_bytes, ' '), what);
  if (file.close() != 0 && written) {  // where some network file systems say it first
    written = fail(ErrorDomain::output, what, std::generic_category().message(errno), "", errno);
  }
  unlink(trial.c_str());
  return written;
}

}  // namespace ridgepoint::collector
