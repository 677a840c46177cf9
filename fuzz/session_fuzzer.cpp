// Any bytes as a session file, a journal or their compressed form: an error or a consistent session
// that reads the same after it was written.
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <string_view>

#include "analyzer/core/error.h"
#include "analyzer/session/check.h"
#include "analyzer/session/session_file.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view bytes(reinterpret_cast<const char*>(data), size);
  const auto session = ridgepoint::parse_session(bytes, "fuzz");
  if (!session) {
    return 0;
  }
  const std::string fault = session_fault(*session);
  const std::string written = session_to_json(*session);
  const auto again = ridgepoint::parse_session(written, "fuzz");
  if (!fault.empty() || !again || session_to_json(*again) != written) {
    std::fprintf(stderr, "%s %s\n", fault.c_str(),
                 again ? "it changes when written" : format_error(again.error()).c_str());
    std::abort();
  }
  return 0;
}
