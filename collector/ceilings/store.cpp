#include "collector/ceilings/store.h"

#include <fmt/format.h>

#include <cerrno>
#include <system_error>

#include "analyzer/core/cache_folder.h"
#include "analyzer/core/file_owner.h"
#include "analyzer/session/session_file.h"

namespace ridgepoint::collector {
namespace {

namespace fs = std::filesystem;

fs::path file_of(const fs::path& folder, const std::string& uuid) {
  return folder / (uuid + ".ridge");
}

}  // namespace

std::string device_uuid_text(const std::array<unsigned char, 16>& uuid) {
  std::string text = "GPU";
  for (std::size_t i = 0; i < uuid.size(); ++i) {
    const bool group = i == 0 || i == 4 || i == 6 || i == 8 || i == 10;
    text += fmt::format("{}{:02x}", group ? "-" : "", static_cast<unsigned>(uuid[i]));
  }
  return text;
}

fs::path ceilings_folder() {
  const fs::path cache = cache_folder();
  return cache.empty() ? cache : cache / "ceilings";
}

Status store_ceilings(const Session& session, const fs::path& folder, const std::string& uuid) {
  const std::string what = "keeping the ceilings of this device";
  if (folder.empty()) {
    return fail(ErrorDomain::output, what, "neither XDG_CACHE_HOME nor HOME names a folder",
                "set HOME, or keep them with -o FILE");
  }
  if (!make_folders(folder)) {
    const int code = errno;
    return fail(ErrorDomain::output, what,
                folder.string() + ": " + std::generic_category().message(code), {}, code);
  }
  std::error_code error;
  const fs::file_status present = fs::status(file_of(folder, uuid), error);
  if (fs::exists(present) && !fs::is_regular_file(present)) {  // a pipe would be waited for
    return fail(ErrorDomain::output, what, file_of(folder, uuid).string() + " is no regular file",
                "remove it, or keep them with -o FILE");
  }
  return write_session(session, file_of(folder, uuid), {true});
}

Result<std::vector<MeasuredCeiling>> stored_ceilings(const fs::path& folder,
                                                     const std::string& uuid,
                                                     const DeviceInfo& device) {
  std::error_code error;
  if (folder.empty() || !fs::is_regular_file(file_of(folder, uuid), error)) {
    return std::vector<MeasuredCeiling>();
  }
  Result<Session> session = read_session(file_of(folder, uuid));
  if (!session) {
    return tl::make_unexpected(session.error());
  }
  if (session->devices.size() != 1 || session->devices[0].name != device.name ||
      session->devices[0].sm_count != device.sm_count) {
    return std::vector<MeasuredCeiling>();
  }
  return std::move(session->devices[0].measured_ceilings);
}

}  // namespace ridgepoint::collector
