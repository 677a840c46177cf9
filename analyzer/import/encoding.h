// The text of an export as UTF-8: PowerShell's redirection writes UTF-16, editors add a byte order
// mark.
#pragma once

#include <string>
#include <string_view>

namespace ridgepoint::importing {

// `bytes` without a byte order mark; UTF-16 with one is converted into `storage`, which the result
// then refers to. Unpaired surrogates become U+FFFD.
std::string_view utf8_text(std::string_view bytes, std::string& storage);

}  // namespace ridgepoint::importing
