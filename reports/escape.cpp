#include "reports/escape.h"

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
  // An underscore or bracket may not start emphasis or a link, '<' no HTML, '|' no new cell, a
  // backtick no code. "://" and "@" would become links on GitHub; an entity prevents it.
  static constexpr std::string_view specials = "\\`*_{}[]()#+!|~";
  std::string escaped;
  for (const char c : printable(text)) {
    if (c == '<') {
      escaped += "&lt;";
    } else if (c == '>') {
      escaped += "&gt;";
    } else if (c == '&') {
      escaped += "&amp;";
    } else if (c == '@') {
      escaped += "&#64;";
    } else if (c == ':') {
      escaped += "&#58;";
    } else {
      if (specials.find(c) != std::string_view::npos) {
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
