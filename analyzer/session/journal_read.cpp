#include "analyzer/session/journal_read.h"

#include <fmt/format.h>

#include <algorithm>

#include "analyzer/session/codec/document.h"
#include "analyzer/session/journal.h"

namespace ridgepoint {
namespace {

Result<Session> parse_line(std::string_view line, const std::string& what) {
  return codec::parse_json(line, what).and_then([&](codec::Document document) {
    return codec::check_schema(document, journal_schema, what).and_then([&] {
      return codec::session_from_json(document, what);
    });
  });
}

// A range that was open when the process ended lasts until the last thing that was seen.
void end_open_ranges(Session& session) {
  std::int64_t last_ns = 0;
  for (const Launch& launch : session.launches) {
    last_ns = std::max(last_ns, launch.end_ns);
  }
  for (const MemoryOperation& operation : session.memory_operations) {
    last_ns = std::max(last_ns, operation.end_ns);
  }
  for (const NvtxRange& range : session.ranges) {
    last_ns = std::max({last_ns, range.start_ns, range.end_ns});
  }
  for (NvtxRange& range : session.ranges) {
    if (range.end_ns < range.start_ns) {
      range.end_ns = last_ns;
    }
  }
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
  end_open_ranges(whole);
  whole.issues.push_back(
      {"journal.unsealed",
       fmt::format("The measuring run ended before it could finish this session. It holds the {} "
                   "part{} that were written{}.",
                   parts, parts == 1 ? "" : "s",
                   torn ? "; a last one was cut off and is left out" : "")});
  return whole;
}

}  // namespace ridgepoint
