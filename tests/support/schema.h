// Documents held against data/schemas/.
#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <valijson/adapters/nlohmann_json_adapter.hpp>
#include <valijson/schema.hpp>
#include <valijson/schema_parser.hpp>
#include <valijson/validation_results.hpp>
#include <valijson/validator.hpp>

#include "tests/support/golden.h"

namespace ridgepoint::test_support {

// Empty when the document follows data/schemas/NAME, else the violations.
inline std::string schema_violations(const nlohmann::json& document, const std::string& name) {
  using valijson::adapters::NlohmannJsonAdapter;
  const nlohmann::json schema_json =
      nlohmann::json::parse(read_file(RIDGEPOINT_SOURCE_DIR "/data/schemas/" + name));
  valijson::Schema schema;
  valijson::SchemaParser parser;
  parser.populateSchema(NlohmannJsonAdapter(schema_json), schema);
  valijson::Validator validator;
  valijson::ValidationResults results;
  if (validator.validate(schema, NlohmannJsonAdapter(document), &results)) {
    return "";
  }
  std::string text = "invalid: ";
  valijson::ValidationResults::Error error;
  while (results.popError(error)) {
    for (const std::string& step : error.context) {
      text += step;
    }
    text += ": " + error.description + "\n";
  }
  return text;
}

}  // namespace ridgepoint::test_support
