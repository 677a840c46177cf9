#include "analyzer/core/data_path.h"

#include <algorithm>
#include <cstdlib>
#include <string>
#include <system_error>

namespace ridgepoint {

namespace fs = std::filesystem;

Result<fs::path> data_directory() {
  std::error_code ignored;
  std::string tried;
  const auto usable = [&](const fs::path& folder) {
    tried += (tried.empty() ? "" : ", ") + folder.string();
    return fs::is_directory(folder / "counters", ignored);
  };
  if (const char* chosen = std::getenv("RIDGEPOINT_DATA"); chosen != nullptr && *chosen != '\0') {
    if (usable(chosen)) {
      return fs::path(chosen);
    }
    return fail(ErrorDomain::input, "finding Ridgepoint's data files",
                "RIDGEPOINT_DATA names " + tried + ", which has no counters/ in it",
                "unset RIDGEPOINT_DATA or point it at share/ridgepoint");
  }
  const fs::path program = fs::read_symlink("/proc/self/exe", ignored);
  const fs::path beside =
      (program.parent_path().parent_path() / "share" / "ridgepoint").lexically_normal();
  if (!program.empty() && usable(beside)) {
    return beside;
  }
  return fail(ErrorDomain::input, "finding Ridgepoint's data files", "not in " + tried,
              "install Ridgepoint whole, or set RIDGEPOINT_DATA to its share/ridgepoint");
}

Result<std::vector<fs::path>> data_files(const fs::path& data, const std::string& name) {
  const fs::path folder = data / name;
  std::error_code failed;
  std::vector<fs::path> files;
  for (fs::directory_iterator at(folder, failed), end; !failed && at != end; at.increment(failed)) {
    if (at->path().extension() == ".json") {
      files.push_back(at->path());
    }
  }
  if (failed) {
    return fail(ErrorDomain::input, "reading " + folder.string(), failed.message(), {},
                failed.value());
  }
  std::sort(files.begin(), files.end());
  return files;
}

}  // namespace ridgepoint
