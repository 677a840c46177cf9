#include "analyzer/import/read_any.h"

#include <string>

#include "analyzer/core/file.h"
#include "analyzer/core/zstd.h"
#include "analyzer/import/import.h"
#include "analyzer/session/session_file.h"

namespace ridgepoint {
namespace {

bool is_session(std::string_view bytes) {
  const std::size_t start = bytes.find_first_not_of(" \t\r\n");
  return is_zstd(bytes) || (start != std::string_view::npos && bytes[start] == '{');
}

}  // namespace

Result<Session> read_any(const std::filesystem::path& path) {
  return read_file(path, session_size_limit_bytes).and_then([&](const std::string& bytes) {
    return is_session(bytes) ? parse_session(bytes, path.string())
                             : import_session(bytes, path.string());
  });
}

}  // namespace ridgepoint
