#include "analyzer/session/journal_read.h"

#include <fmt/format.h>

#include <algorithm>
#include <unordered_set>

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

// Each part is within the limits of a session; many of them together need not be. Counters count
// for every launch, since a counter that comes late is filled up for all before it.
std::string too_much_together(const Session& whole, const Session& part) {
  std::unordered_set<std::string_view> names(whole.counters.names.begin(),
                                             whole.counters.names.end());
  names.insert(part.counters.names.begin(), part.counters.names.end());
  if (names.size() * (whole.launches.size() + part.launches.size()) > session_number_limit) {
    return fmt::format("its parts together hold more than {} counter values", session_number_limit);
  }
  const auto beyond = [](const auto& a, const auto& b, std::size_t limit) {
    return a.size() + b.size() > limit;
  };
  if (beyond(whole.launches, part.launches, session_row_limit) ||
      beyond(whole.pc_samples, part.pc_samples, session_row_limit) ||
      beyond(whole.instructions, part.instructions, session_row_limit) ||
      beyond(whole.ranges, part.ranges, session_row_limit) ||
      beyond(whole.memory_operations, part.memory_operations, session_row_limit) ||
      beyond(whole.power, part.power, session_row_limit) ||
      beyond(whole.power_phases, part.power_phases, session_row_limit) ||
      beyond(whole.imported_rules, part.imported_rules, session_row_limit)) {
    return fmt::format("its parts together have more than {} rows in a table", session_row_limit);
  }
  if (beyond(whole.devices, part.devices, session_list_limit) ||
      beyond(whole.kernels, part.kernels, session_list_limit) ||
      beyond(whole.stall_reasons, part.stall_reasons, session_list_limit) ||
      beyond(whole.source_files, part.source_files, session_list_limit) ||
      beyond(whole.cubins, part.cubins, session_list_limit) ||
      beyond(whole.pm_series, part.pm_series, session_list_limit) ||
      beyond(whole.issues, part.issues, session_list_limit)) {
    return fmt::format("its parts together have more than {} entries in a list",
                       session_list_limit);
  }
  return {};
}

std::ptrdiff_t later_lines(std::string_view bytes) {
  return std::count(bytes.begin(), bytes.end(), '\n') +
         (!bytes.empty() && bytes.back() != '\n' ? 1 : 0);
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
  for (const std::string_view token :
       {std::string_view("{"), std::string_view("\"schema\""), std::string_view(":")}) {
    bytes.remove_prefix(std::min(bytes.find_first_not_of(" \t"), bytes.size()));
    if (bytes.substr(0, token.size()) != token) {
      return false;
    }
    bytes.remove_prefix(token.size());
  }
  bytes.remove_prefix(std::min(bytes.find_first_not_of(" \t"), bytes.size()));
  const std::string name = fmt::format("\"{}\"", journal_schema);
  return bytes.substr(0, name.size()) == name;
}

Result<Session> parse_journal(std::string_view bytes, const std::string& what) {
  Session whole;
  std::size_t parts = 0;
  bool torn = false;
  std::string damage;
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
      // Later parts count on the rows of this one, so that they cannot be read without it.
      const std::ptrdiff_t later = later_lines(bytes.substr(end + 1));
      damage = fmt::format("Line {} is damaged ({}): it and {} later line{} are left out.",
                           parts + 1, part.error().why, later, later == 1 ? "" : "s");
      break;
    }
    if (std::string fault = too_much_together(whole, *part); !fault.empty()) {
      return fail(ErrorDomain::input, what, fault);
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
  if (!damage.empty()) {
    whole.issues.push_back({"journal.damaged", std::move(damage)});
  }
  return whole;
}

}  // namespace ridgepoint
