#include "analyzer/session/codec/json_writer.h"

#include <cmath>

namespace ridgepoint::codec {

void write_text(std::string& text, const std::string& value) {
  text += Json(value).dump(-1, ' ', false, Json::error_handler_t::replace);
}

void write_number(std::string& text, double value) {
  // Counters are whole numbers nearly always, and those are ten times as quick to write.
  constexpr double exact = 9007199254740992.0;  // 2^53
  if (!std::isfinite(value)) {
    text += "null";
  } else if (std::abs(value) < exact && std::trunc(value) == value && !std::signbit(value)) {
    write_number(text, static_cast<std::int64_t>(value));
  } else {
    char digits[32];
    const auto [end, status] = std::to_chars(digits, digits + sizeof digits, value);
    text.append(digits, end);
  }
}

}  // namespace ridgepoint::codec
