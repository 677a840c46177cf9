#include "analyzer/session/codec/document.h"

#include <fmt/format.h>

#include <charconv>

#include "analyzer/core/text.h"
#include "analyzer/session/codec/json_reader.h"
#include "analyzer/session/codec/json_writer.h"
#include "analyzer/session/session_file.h"

namespace ridgepoint::codec {
namespace {

// Looks at brackets only, before anything is built, so that a file of a million '[' costs nothing.
bool nested_too_deeply(std::string_view text) {
  int depth = 0;
  bool in_string = false;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    if (in_string) {
      if (c == '\\') {
        ++i;
      } else if (c == '"') {
        in_string = false;
      }
    } else if (c == '"') {
      in_string = true;
    } else if (c == '[' || c == '{') {
      if (++depth > session_nesting_limit) {
        return true;
      }
    } else if (c == ']' || c == '}') {
      --depth;
    }
  }
  return false;
}

}  // namespace

Result<Json> parse_json(std::string_view text, const std::string& what) {
  if (nested_too_deeply(text)) {
    return fail(ErrorDomain::input, what,
                fmt::format("its JSON is nested more than {} levels deep", session_nesting_limit));
  }
  try {
    return Json::parse(text);
  } catch (const Json::exception& fault) {
    // The library's text is "[json.exception.parse_error.101] parse error at line 1, column 5:
    // ...".
    const std::string_view message = fault.what();
    const std::size_t end = message.find("] ");
    return fail(ErrorDomain::input, what,
                "it is not valid JSON: " +
                    printable(end == std::string_view::npos ? message : message.substr(end + 2))
                        .substr(0, 300));
  }
}

Status check_schema(const Json& document, std::string_view schema, const std::string& what) {
  const auto text = [&](const char* name) -> std::string {
    const auto found = document.is_object() ? document.find(name) : document.end();
    return found != document.end() && found->is_string() ? found->get<std::string>()
                                                         : std::string();
  };
  const std::string found_schema = text("schema");
  if (found_schema != schema) {
    return fail(ErrorDomain::input, what,
                found_schema.empty()
                    ? "it is JSON, but not a Ridgepoint session (no \"schema\")"
                    : fmt::format("it is a \"{}\" file, not a Ridgepoint session", found_schema));
  }
  const std::string version = text("version");
  int major = -1;
  const auto [end, status] =
      std::from_chars(version.data(), version.data() + version.size(), major);
  if (status != std::errc() || end == version.data() + version.size() || *end != '.') {
    return fail(ErrorDomain::input, what,
                fmt::format("it has no readable version (\"{}\")", version));
  }
  if (major != session_version_major) {
    return fail(ErrorDomain::input, what,
                fmt::format("its format is version {}, and this Ridgepoint reads version {}.x",
                            version, session_version_major),
                "open it with the Ridgepoint that wrote it, or a later one");
  }
  return {};
}

Result<Session> session_from_json(const Json& document, const std::string& what) {
  Session session;
  std::string error;
  JsonReader reader(document, "", error);
  describe(reader, session);
  if (!error.empty()) {
    return fail(ErrorDomain::input, what, error);
  }
  return session;
}

std::string session_document(const Session& session, std::string_view schema) {
  Json document = Json::object();
  document["schema"] = schema;
  document["version"] = fmt::format("{}.{}", session_version_major, session_version_minor);
  document.update(to_json(session));
  // Kernel names come from other people's binaries: bytes that are not UTF-8 are replaced, not a
  // reason to lose a run.
  return document.dump(-1, ' ', false, Json::error_handler_t::replace);
}

}  // namespace ridgepoint::codec
