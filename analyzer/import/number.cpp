#include "analyzer/import/number.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <string>

namespace ridgepoint::importing {
namespace {

// Longer than any double printed in full precision with separators.
constexpr std::size_t longest_number = 64;

bool is_digit(char c) {
  return c >= '0' && c <= '9';
}

bool equals_ignoring_case(std::string_view a, std::string_view lower) {
  return std::equal(a.begin(), a.end(), lower.begin(), lower.end(), [](char x, char y) {
    return (x >= 'A' && x <= 'Z' ? static_cast<char>(x + ('a' - 'A')) : x) == y;
  });
}

bool is_word_for_no_value(std::string_view text) {
  if (text.front() == '-' || text.front() == '+') {
    text.remove_prefix(1);
  }
  constexpr std::array<std::string_view, 7> words = {"",    "nan", "inf",      "infinity",
                                                     "n/a", "na",  "-nan(ind)"};
  return std::any_of(words.begin(), words.end(),
                     [&](std::string_view word) { return equals_ignoring_case(text, word); });
}

// Length of a group separator that is neither point nor comma: blank, apostrophe, no-break space
// (U+00A0), narrow no-break space (U+202F).
std::size_t other_separator(std::string_view text) {
  if (text[0] == ' ' || text[0] == '\'') {
    return 1;
  }
  if (text.substr(0, 2) == "\xC2\xA0") {
    return 2;
  }
  return text.substr(0, 3) == "\xE2\x80\xAF" ? 3 : 0;
}

// Writes the number as "C" has it into `plain`; false when the groups are not of three digits.
bool plain_digits(std::string_view text, NumberStyle style, std::string& plain) {
  const char group = style == NumberStyle::point ? ',' : '.';
  const char decimal = style == NumberStyle::point ? '.' : ',';
  std::size_t at = 0;
  if (text[at] == '-' || text[at] == '+') {
    plain += text[at] == '-' ? "-" : "";
    ++at;
  }
  std::size_t run = 0;  // digits since the last separator
  bool grouped = false;
  while (at < text.size()) {
    if (is_digit(text[at])) {
      plain += text[at++];
      ++run;
      continue;
    }
    const std::size_t length = text[at] == group ? 1 : other_separator(text.substr(at));
    if (length == 0) {
      break;
    }
    if (run == 0 || run > 3 || (grouped && run != 3)) {
      return false;
    }
    grouped = true;
    run = 0;
    at += length;
  }
  if (grouped && run != 3) {
    return false;
  }
  if (at < text.size() && text[at] == decimal) {
    plain += '.';
    ++at;
  }
  plain += text.substr(at);  // fraction and exponent; from_chars judges them
  return true;
}

}  // namespace

std::string_view trimmed(std::string_view text) {
  const std::size_t begin = text.find_first_not_of(" \t\r\n");
  if (begin == std::string_view::npos) {
    return {};
  }
  return text.substr(begin, text.find_last_not_of(" \t\r\n") + 1 - begin);
}

Cell parse_cell(std::string_view text, NumberStyle style) {
  text = trimmed(text.substr(0, text.find(" (")));
  if (text.empty()) {
    return {};
  }
  if (is_word_for_no_value(text)) {
    return {Cell::Kind::not_a_number, 0};
  }
  std::string plain;
  if (text.size() > longest_number || !plain_digits(text, style, plain)) {
    return {Cell::Kind::text, 0};
  }
  double value = 0;
  const char* const last = plain.data() + plain.size();
  const auto [end, status] = std::from_chars(plain.data(), last, value);
  if (status != std::errc() || end != last || !std::isfinite(value)) {
    return {Cell::Kind::text, 0};
  }
  return {Cell::Kind::number, value};
}

std::optional<NumberStyle> style_shown_by(std::string_view text) {
  text = trimmed(text);
  if (text.size() > longest_number || !std::all_of(text.begin(), text.end(), [](char c) {
        return is_digit(c) || c == ',' || c == '.' || c == '-';
      })) {
    return std::nullopt;
  }
  const std::size_t point = text.rfind('.');
  const std::size_t comma = text.rfind(',');
  const auto none = std::string_view::npos;
  if (point == none && comma == none) {
    return std::nullopt;
  }
  if (point != none && comma != none) {
    return point > comma ? NumberStyle::point : NumberStyle::comma;
  }
  const std::size_t at = point == none ? comma : point;
  const bool once = text.find(text[at]) == at;
  const bool like_a_group = text.size() - at - 1 == 3 && at <= 4;
  if (once && !like_a_group) {
    return text[at] == '.' ? NumberStyle::point : NumberStyle::comma;
  }
  if (!once) {  // a separator that repeats separates groups
    return text[at] == '.' ? NumberStyle::comma : NumberStyle::point;
  }
  return std::nullopt;
}

}  // namespace ridgepoint::importing
