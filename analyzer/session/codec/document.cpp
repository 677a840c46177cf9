#include "analyzer/session/codec/document.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>

#include "analyzer/core/text.h"
#include "analyzer/session/codec/json_reader.h"
#include "analyzer/session/codec/json_writer.h"
#include "analyzer/session/session_file.h"

namespace ridgepoint::codec {
namespace {

constexpr TextLimits text_limits = {session_nesting_limit, session_number_limit,
                                    session_value_limit, session_skeleton_limit_bytes};

// The library's text is "[json.exception.parse_error.101] parse error at line 1, column 5: what is
// wrong"; its place counts in the skeleton.
std::string syntax_fault(const Json::parse_error& fault, std::string_view text,
                         const LiftedText& lifted) {
  const std::string_view message = fault.what();
  const std::size_t colon = message.find(": ");
  const std::string_view what =
      colon == std::string_view::npos ? message : message.substr(colon + 2);
  const std::size_t at =
      std::min(lifted.original_offset(fault.byte > 0 ? fault.byte - 1 : 0), text.size());
  const std::string_view before = text.substr(0, at);
  const auto line = 1 + std::count(before.begin(), before.end(), '\n');
  const std::size_t line_start = before.rfind('\n') + 1;  // npos + 1 is 0
  return fmt::format("it is not valid JSON: line {}, column {}: {}", line, at - line_start + 1,
                     printable(what).substr(0, 300));
}

}  // namespace

NumberColumn* column_of(const Json& json, std::vector<NumberColumn>& columns) {
  if (!json.is_string()) {
    return nullptr;
  }
  const auto index = marked_column(json.get_ref<const std::string&>(), columns.size());
  return index ? &columns[*index] : nullptr;
}

Result<Document> parse_json(std::string_view text, const std::string& what) {
  std::string fault;
  LiftedText lifted = lift_number_columns(text, text_limits, fault);
  if (!fault.empty()) {
    return fail(ErrorDomain::input, what, fault);
  }
  try {
    Document document;
    document.json = Json::parse(lifted.skeleton);
    document.columns = std::move(lifted.columns);
    return document;
  } catch (const Json::parse_error& error) {
    return fail(ErrorDomain::input, what, syntax_fault(error, text, lifted));
  } catch (const Json::exception& error) {
    return fail(ErrorDomain::input, what,
                "it is not valid JSON: " + printable(error.what()).substr(0, 300));
  }
}

Status check_schema(Document& document, std::string_view schema, const std::string& what) {
  const auto text = [&](const char* name) -> std::string {
    const Json& json = document.json;
    const auto found = json.is_object() ? json.find(name) : json.end();
    const bool is_text =
        found != json.end() && found->is_string() && column_of(*found, document.columns) == nullptr;
    return is_text ? found->get<std::string>() : std::string();
  };
  const std::string found_schema = text("schema");
  if (found_schema != schema) {
    return fail(ErrorDomain::input, what,
                found_schema.empty() ? "it is JSON, but not a Ridgepoint session (no \"schema\")"
                                     : fmt::format("it is a \"{}\" file, not a Ridgepoint session",
                                                   printable(found_schema.substr(0, 100))));
  }
  const std::string version = text("version");
  int major = -1;
  const auto [end, status] =
      std::from_chars(version.data(), version.data() + version.size(), major);
  if (status != std::errc() || end == version.data() + version.size() || *end != '.') {
    return fail(
        ErrorDomain::input, what,
        fmt::format("it has no readable version (\"{}\")", printable(version.substr(0, 100))));
  }
  if (major != session_version_major) {
    return fail(ErrorDomain::input, what,
                fmt::format("its format is version {}, and this Ridgepoint reads version {}.x",
                            printable(version.substr(0, 100)), session_version_major),
                "open it with the Ridgepoint that wrote it, or a later one");
  }
  return {};
}

Result<Session> session_from_json(Document& document, const std::string& what) {
  Session session;
  Reading reading{document.columns, {}};
  JsonReader reader(document.json, "", reading);
  describe(reader, session);
  document.columns.clear();
  if (!reading.error.empty()) {
    return fail(ErrorDomain::input, what, printable(reading.error));
  }
  return session;
}

std::string session_document(const Session& session, std::string_view schema) {
  std::string text;
  ObjectWriter object(text);
  object("schema", std::string(schema));
  object("version", fmt::format("{}.{}", session_version_major, session_version_minor));
  describe(object, session);
  object.finish();
  return text;
}

}  // namespace ridgepoint::codec
