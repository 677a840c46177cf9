// Bytes of any kind in formats that hold only UTF-8: paths, arguments and variables of a Unix
// system may be no text at all, and must come out of a JSON file as they went in.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace ridgepoint {

// Each byte as the character of its number, U+0000 to U+00FF: ASCII stays, the rest takes two
// bytes.
std::string bytes_as_text(std::string_view bytes);

// Empty where the text is not of bytes_as_text().
std::optional<std::string> bytes_of_text(std::string_view text);

}  // namespace ridgepoint
