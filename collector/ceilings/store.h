// Where measured ceilings are kept, so that later measurements on the same device can name them: a
// session a device, $XDG_CACHE_HOME/ridgepoint/ceilings/GPU-UUID.ridge, else below ~/.cache. The
// UUID tells two devices of one model apart; it stands in the file's name alone and never in a
// session that a user passes on.
#pragma once

#include <array>
#include <filesystem>
#include <string>
#include <vector>

#include "analyzer/core/error.h"
#include "analyzer/session/session.h"

namespace ridgepoint::collector {

// As in `nvidia-smi -L`: "GPU-01234567-89ab-...".
std::string device_uuid_text(const std::array<unsigned char, 16>& uuid);

// Empty when the environment names no such place (neither an absolute XDG_CACHE_HOME nor HOME).
std::filesystem::path ceilings_folder();

// Replaces what is there. Makes the folder, mode 0700.
Status store_ceilings(const Session& session, const std::filesystem::path& folder,
                      const std::string& uuid);

// Empty when none were measured, or when the file speaks of another device than this; fails on a
// file that is no session.
Result<std::vector<MeasuredCeiling>> stored_ceilings(const std::filesystem::path& folder,
                                                     const std::string& uuid,
                                                     const DeviceInfo& device);

}  // namespace ridgepoint::collector
