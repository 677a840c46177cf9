// What an imported recording lacks, as issues of the session.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include "analyzer/import/device.h"
#include "analyzer/import/recording.h"
#include "analyzer/session/session.h"

namespace ridgepoint::importing {

void note_chip(const ImportedDevice& device, const std::string& compute_capability,
               Session& session);
void note_oddities(const Oddities& odd, std::size_t identities, Session& session);
// The profiler's own warnings and errors among the lines before the table.
void note_profiler_messages(std::string_view preamble, Session& session);

}  // namespace ridgepoint::importing
