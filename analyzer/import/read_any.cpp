#include "analyzer/import/read_any.h"

#include <string>

#include "analyzer/core/file.h"
#include "analyzer/import/import.h"
#include "analyzer/session/session_file.h"

namespace ridgepoint {

Result<Session> read_any(const std::filesystem::path& path) {
  return read_file(path == "-" ? "/dev/stdin" : path, session_size_limit_bytes)
      .and_then([&](const std::string& bytes) {
        return is_session_content(bytes) ? parse_session(bytes, path.string())
                                         : import_session(bytes, path.string());
      });
}

}  // namespace ridgepoint
