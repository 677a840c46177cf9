#include "reports/escape.h"

#include <cctype>

#include "analyzer/core/text.h"

namespace ridgepoint {

std::string escape_xml(std::string_view text) {
  std::string escaped;
  for (const char c : printable(text)) {
    switch (c) {
      case '&':
        escaped += "&amp;";
        break;
      case '<':
        escaped += "&lt;";
        break;
      case '>':
        escaped += "&gt;";
        break;
      case '"':
        escaped += "&quot;";
        break;
      case '\'':
        escaped += "&#39;";
        break;
      default:
        escaped += c;
    }
  }
  return escaped;
}

std::string escape_markdown(std::string_view text) {
  // A bracket may not start a link, '<' no HTML, '|' no new cell, a backtick no code, an underscore
  // no emphasis (within a word it never does), "://", "www." and '@' no link of GitHub's. At the
  // start of an item '#', '+', '-' and '=' would make it a heading or a list. Only what is needed
  // is escaped: people read the source as well.
  static constexpr std::string_view always = "\\`*[]|~";
  const std::string clean = printable(text);
  const auto is_word = [&](std::size_t at) {
    return at < clean.size() && (std::isalnum(static_cast<unsigned char>(clean[at])) != 0);
  };
  const auto follows = [&](std::size_t at, std::string_view what) {
    return std::string_view(clean).substr(at, what.size()) == what;
  };
  std::string escaped;
  for (std::size_t i = 0; i < clean.size(); ++i) {
    const char c = clean[i];
    const bool inner_underscore = c == '_' && i > 0 && is_word(i - 1) && is_word(i + 1);
    if (c == '<') {
      escaped += "&lt;";
    } else if (c == '>') {
      escaped += "&gt;";
    } else if (c == '&') {
      escaped += "&amp;";
    } else if (c == '@') {
      escaped += "&#64;";
    } else if (follows(i, "://")) {
      escaped += "&#58;";
    } else if (c == '.' && i >= 3 && follows(i - 3, "www")) {
      escaped += "&#46;";
    } else {
      const bool at_start = i == 0 && std::string_view("#+-=").find(c) != std::string_view::npos;
      if (always.find(c) != std::string_view::npos || at_start || (c == '_' && !inner_underscore)) {
        escaped += '\\';
      }
      escaped += c;
    }
  }
  return escaped;
}

std::string escape_csv(std::string_view text) {
  std::string field = printable(text);
  if (!field.empty() && std::string_view("=+-@").find(field[0]) != std::string_view::npos) {
    field.insert(0, 1, '\'');
  }
  if (field.find_first_of(",\";") == std::string::npos) {
    return field;
  }
  std::string quoted = "\"";
  for (const char c : field) {
    quoted += c;
    if (c == '"') {
      quoted += '"';
    }
  }
  return quoted + "\"";
}

}  // namespace ridgepoint
