// The JSON around a session: schema and version, bounded parsing. Shared by session files and
// journals.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "analyzer/core/error.h"
#include "analyzer/session/codec/number_columns.h"
#include "analyzer/session/codec/scalar.h"
#include "analyzer/session/session.h"

namespace ridgepoint::codec {

// A parsed text: its lists of numbers stand beside the JSON, which holds a mark for each.
struct Document {
  Json json;
  std::vector<NumberColumn> columns;
};

// The column whose mark `json` is, or null.
NumberColumn* column_of(const Json& json, std::vector<NumberColumn>& columns);

// Parses one JSON value within the limits of session_file.h. `what` names the act in the error.
Result<Document> parse_json(std::string_view text, const std::string& what);
// Refuses another schema or another major version.
Status check_schema(Document& document, std::string_view schema, const std::string& what);
// The sections of a document, unchecked: see session_fault(). Empties the document's columns.
Result<Session> session_from_json(Document& document, const std::string& what);
// One line, `schema` and version first.
std::string session_document(const Session& session, std::string_view schema);

}  // namespace ridgepoint::codec
