// The JSON around a session: schema and version, bounded parsing. Shared by session files and
// journals.
#pragma once

#include <string>
#include <string_view>

#include "analyzer/core/error.h"
#include "analyzer/session/codec/scalar.h"
#include "analyzer/session/session.h"

namespace ridgepoint::codec {

// Parses one JSON value nested at most `session_nesting_limit` deep. `what` names the act in the
// error.
Result<Json> parse_json(std::string_view text, const std::string& what);
// Refuses another schema or another major version.
Status check_schema(const Json& document, std::string_view schema, const std::string& what);
// The sections of a document, unchecked: see session_fault().
Result<Session> session_from_json(const Json& document, const std::string& what);
// One line, `schema` and version first.
std::string session_document(const Session& session, std::string_view schema);

}  // namespace ridgepoint::codec
