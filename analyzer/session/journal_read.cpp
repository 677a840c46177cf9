#include "analyzer/session/journal_read.h"

#include <fmt/format.h>

#include "analyzer/session/codec/document.h"
#include "analyzer/session/journal.h"

namespace ridgepoint {
namespace {

Result<Session> parse_line(std::string_view line, const std::string& what) {
  return codec::parse_json(line, what).and_then([&](const codec::Json& document) {
    return codec::check_schema(document, journal_schema, what).and_then([&] {
      return codec::session_from_json(document, what);
    });
  });
}

}  // namespace

bool is_journal(std::string_view bytes) {
  // Our own first bytes, exactly: a journal is never edited by hand.
  const std::string head = fmt::format("{{\"schema\":\"{}\"", journal_schema);
  return bytes.substr(0, head.size()) == head;
}

Result<Session> parse_journal(std::string_view bytes, const std::string& what) {
  Session whole;
  std::size_t parts = 0;
  bool torn = false;
  while (!bytes.empty()) {
    const std::size_t end = bytes.find('\n');
    if (end == std::string_view::npos) {
      torn = true;
      break;
    }
    Result<Session> part = parse_line(bytes.substr(0, end), what);
    if (!part) {
      if (parts == 0) {
        return tl::make_unexpected(part.error());
      }
      torn = true;
      break;
    }
    merge_session(whole, std::move(*part));
    ++parts;
    bytes.remove_prefix(end + 1);
  }
  whole.issues.push_back(
      {"journal.unsealed",
       fmt::format("The measuring run ended before it could finish this session. It holds the {} "
                   "part{} that were written{}.",
                   parts, parts == 1 ? "" : "s",
                   torn ? "; a last one was cut off and is left out" : "")});
  return whole;
}

}  // namespace ridgepoint
