#include "analyzer/import/import.h"

#include <fmt/format.h>

#include "analyzer/import/assemble.h"
#include "analyzer/import/encoding.h"
#include "analyzer/import/header.h"
#include "analyzer/import/no_table.h"
#include "analyzer/import/notes.h"
#include "analyzer/import/readers.h"
#include "analyzer/import/tables.h"
#include "analyzer/session/check.h"

namespace ridgepoint {
namespace {

Status read_layout(const importing::Source& source, const importing::Tables& tables,
                   importing::Recording& recording) {
  switch (source.header.layout) {
    case importing::Layout::details:
      return importing::read_details(source, tables, recording);
    case importing::Layout::transposed:
      return importing::read_transposed(source, recording);
    case importing::Layout::raw:
      break;
  }
  return importing::read_raw(source, recording);
}

}  // namespace

Result<Session> import_session(std::string_view bytes, const std::string& name) {
  return importing::load_tables().and_then(
      [&](const importing::Tables& tables) { return import_session(bytes, name, tables); });
}

Result<Session> import_session(std::string_view bytes, const std::string& name,
                               const importing::Tables& tables) {
  const std::string what = "importing " + name;
  if (bytes.size() > import_size_limit_bytes) {
    return fail(ErrorDomain::input, what,
                fmt::format("it is larger than {} MiB", import_size_limit_bytes >> 20U),
                "export fewer launches: ncu --import FILE.ncu-rep --page raw --csv --print-units "
                "base --launch-count N");
  }
  if (auto error = importing::binary_report(bytes, name, what)) {
    return tl::make_unexpected(std::move(*error));
  }
  std::string converted;
  const std::string_view text = importing::utf8_text(bytes, converted);
  const auto header = importing::find_header(text);
  if (!header) {
    return tl::make_unexpected(importing::no_launches(text, false, what));
  }
  const importing::NumberStyle style = importing::number_style(text, *header);
  importing::Recording recording;
  return read_layout({text, *header, style, what}, tables, recording)
      .and_then([&]() -> Result<Session> {
        if (recording.launches.empty()) {
          return tl::make_unexpected(importing::no_launches(text, true, what));
        }
        Session session = assemble(std::move(recording), header->layout, style, tables);
        importing::note_profiler_messages(text.substr(0, header->offset), session);
        if (std::string fault = session_fault(session); !fault.empty()) {
          return fail(ErrorDomain::internal, what, "the importer contradicts itself: " + fault);
        }
        return session;
      });
}

}  // namespace ridgepoint
