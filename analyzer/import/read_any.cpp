#include "analyzer/import/read_any.h"

#include <string>

#include "analyzer/core/file.h"
#include "analyzer/import/import.h"
#include "analyzer/session/session_file.h"

namespace ridgepoint {

Result<Session> read_any(const std::filesystem::path& path) {
  const bool from_stdin = path == "-";
  Result<std::string> bytes = read_file(from_stdin ? "/dev/stdin" : path, session_size_limit_bytes);
  if (!bytes) {
    Error error = bytes.error();
    if (from_stdin) {
      error.what = "reading standard input";
      error.hint =
          "pipe a session or an export into it, as in `zstdcat run.csv.zst | ridgepoint "
          "report -`, or name a file";
    }
    return tl::make_unexpected(std::move(error));
  }
  const std::string name = from_stdin ? "standard input" : path.string();
  return is_session_content(*bytes) ? parse_session(*bytes, name) : import_session(*bytes, name);
}

}  // namespace ridgepoint
