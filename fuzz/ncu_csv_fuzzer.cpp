// Any bytes as an export of Nsight Compute: an error or a consistent session that can be saved and
// opened again.
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <string_view>

#include "analyzer/core/error.h"
#include "analyzer/import/import.h"
#include "analyzer/import/tables.h"
#include "analyzer/session/check.h"
#include "analyzer/session/session_file.h"

namespace {

const ridgepoint::importing::Tables& tables() {
  static const auto loaded = ridgepoint::importing::load_tables();
  if (!loaded) {
    std::fprintf(stderr, "%s\n", format_error(loaded.error()).c_str());
    std::abort();
  }
  return *loaded;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view bytes(reinterpret_cast<const char*>(data), size);
  const auto session = ridgepoint::import_session(bytes, "fuzz.csv", tables());
  if (!session) {
    if (session.error().domain != ridgepoint::ErrorDomain::input) {
      std::fprintf(stderr, "%s\n", format_error(session.error()).c_str());
      std::abort();
    }
    return 0;
  }
  if (const std::string fault = session_fault(*session); !fault.empty()) {
    std::fprintf(stderr, "%s\n", fault.c_str());
    std::abort();
  }
  // Writing and reading again takes several times as long as the import: every eighth input, and
  // always the same ones.
  if (std::hash<std::string_view>()(bytes) % 8 != 0) {
    return 0;
  }
  const auto again = ridgepoint::parse_session(session_to_json(*session), "fuzz");
  if (!again || again->launches.size() != session->launches.size()) {
    std::fprintf(stderr, "%s\n", again ? "launches differ" : format_error(again.error()).c_str());
    std::abort();
  }
  return 0;
}
