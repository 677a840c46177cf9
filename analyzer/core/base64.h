// Bytes as text (RFC 4648, with padding): machine code inside a JSON document.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace ridgepoint {

std::string base64_encode(std::string_view bytes);
// Empty for what is no base64: other characters, a wrong length, padding in the middle.
std::optional<std::string> base64_decode(std::string_view text);

}  // namespace ridgepoint
