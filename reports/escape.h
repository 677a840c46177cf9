// Texts of a session come from outside. Each output language has its own way to be broken out of;
// these close it. All of them also replace control characters and invalid UTF-8 (printable()).
#pragma once

#include <string>
#include <string_view>

namespace ridgepoint {

// For element content and quoted attributes of HTML and XML.
std::string escape_xml(std::string_view text);
// For a paragraph, list item or table cell of CommonMark / GitHub Markdown.
std::string escape_markdown(std::string_view text);
// One CSV field after RFC 4180. A text that a spreadsheet would take for a formula (it starts with
// = + - @) gets a leading apostrophe, as OWASP's note on CSV injection advises.
std::string escape_csv(std::string_view text);

}  // namespace ridgepoint
