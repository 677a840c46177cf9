#include "analyzer/core/file_owner.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <vector>

#include "analyzer/core/descriptor.h"

namespace ridgepoint {
namespace {

std::filesystem::path folder_of(const std::filesystem::path& path) {
  return path.has_parent_path() ? path.parent_path() : std::filesystem::path(".");
}

// Whoever owns a part of the path could exchange it between the making and this. So the folder is
// opened once, and what was made is only given away when it lies in that very folder, and under no
// other name.
bool lies_in(int folder, const std::filesystem::path& name, int made) {
  struct stat there {};
  struct stat ours {};
  return fstatat(folder, name.c_str(), &there, AT_SYMLINK_NOFOLLOW) == 0 &&
         fstat(made, &ours) == 0 && there.st_dev == ours.st_dev && there.st_ino == ours.st_ino &&
         (S_ISDIR(ours.st_mode) || (S_ISREG(ours.st_mode) && ours.st_nlink == 1));
}

}  // namespace

void give_to_folder_owner(int made, const std::filesystem::path& path) {
  if (geteuid() != 0) {
    return;
  }
  const Descriptor folder(open(folder_of(path).c_str(), O_PATH | O_DIRECTORY | O_CLOEXEC));
  struct stat status {};
  if (!folder || fstat(folder.get(), &status) != 0 || status.st_uid == 0 ||
      (status.st_mode & S_IWOTH) != 0 || !lies_in(folder.get(), path.filename(), made)) {
    return;
  }
  // A refusal (a network file system, a container without CAP_CHOWN) leaves it to root.
  [[maybe_unused]] const int refused = fchown(made, status.st_uid, status.st_gid);
}

bool make_folders(const std::filesystem::path& folder) {
  std::vector<std::filesystem::path> missing;
  std::error_code error;
  for (std::filesystem::path at = folder; !at.empty() && !std::filesystem::exists(at, error);
       at = at.parent_path()) {
    missing.push_back(at);
  }
  for (auto at = missing.rbegin(); at != missing.rend(); ++at) {
    const bool last = at + 1 == missing.rend();
    if (mkdir(at->c_str(), last ? 0700 : 0777) != 0 && errno != EEXIST) {
      return false;
    }
    const Descriptor made(open(at->c_str(), O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC));
    if (made) {
      give_to_folder_owner(made.get(), *at);
    }
  }
  return true;
}

}  // namespace ridgepoint
