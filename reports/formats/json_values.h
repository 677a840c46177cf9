// Optionals as JSON: what was not measured is null.
#pragma once

#include <cmath>
#include <cstdint>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>

namespace ridgepoint {

// A whole number is written as one: bytes and counts read as 540672, not as 540672.0.
inline nlohmann::ordered_json json_number(const std::optional<double>& value) {
  if (!value || !std::isfinite(*value)) {
    return nullptr;
  }
  constexpr double exact = 9007199254740992;  // 2^53
  const bool whole = *value == std::floor(*value) && std::abs(*value) <= exact;
  return whole ? nlohmann::ordered_json(static_cast<std::int64_t>(*value))
               : nlohmann::ordered_json(*value);
}
inline nlohmann::ordered_json json_text(const std::string& value) {
  return value.empty() ? nlohmann::ordered_json(nullptr) : nlohmann::ordered_json(value);
}
// Invalid UTF-8 in a name becomes U+FFFD; throwing would lose the whole report.
inline std::string json_document(const nlohmann::ordered_json& json) {
  return json.dump(2, ' ', false, nlohmann::ordered_json::error_handler_t::replace) + "\n";
}

}  // namespace ridgepoint
