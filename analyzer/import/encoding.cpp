#include "analyzer/import/encoding.h"

#include <cstdint>

namespace ridgepoint::importing {
namespace {

constexpr std::uint32_t replacement = 0xFFFD;

void append_utf8(std::string& text, std::uint32_t point) {
  const auto add = [&](std::uint32_t byte) { text += static_cast<char>(byte); };
  if (point < 0x80U) {
    add(point);
  } else if (point < 0x800U) {
    add(0xC0U | (point >> 6U));
    add(0x80U | (point & 0x3FU));
  } else if (point < 0x10000U) {
    add(0xE0U | (point >> 12U));
    add(0x80U | ((point >> 6U) & 0x3FU));
    add(0x80U | (point & 0x3FU));
  } else {
    add(0xF0U | (point >> 18U));
    add(0x80U | ((point >> 12U) & 0x3FU));
    add(0x80U | ((point >> 6U) & 0x3FU));
    add(0x80U | (point & 0x3FU));
  }
}

// Surrogate pairs as in the Unicode standard, section 3.9, table 3-5.
std::string from_utf16(std::string_view bytes, bool big_endian) {
  const auto unit = [&](std::size_t at) -> std::uint32_t {
    const auto first = static_cast<unsigned char>(bytes[at]);
    const auto second = static_cast<unsigned char>(bytes[at + 1]);
    return big_endian ? (std::uint32_t{first} << 8U) | second
                      : (std::uint32_t{second} << 8U) | first;
  };
  std::string text;
  text.reserve(bytes.size() / 2);
  for (std::size_t at = 0; at + 1 < bytes.size(); at += 2) {
    std::uint32_t point = unit(at);
    if (point >= 0xD800U && point <= 0xDBFFU && at + 3 < bytes.size() &&
        (unit(at + 2) & 0xFC00U) == 0xDC00U) {
      point = 0x10000U + ((point - 0xD800U) << 10U) + (unit(at + 2) - 0xDC00U);
      at += 2;
    } else if (point >= 0xD800U && point <= 0xDFFFU) {
      point = replacement;
    }
    append_utf8(text, point);
  }
  return text;
}

}  // namespace

std::string_view utf8_text(std::string_view bytes, std::string& storage) {
  const auto begins = [&](std::string_view mark) { return bytes.substr(0, mark.size()) == mark; };
  if (begins("\xEF\xBB\xBF")) {
    return bytes.substr(3);
  }
  if (begins("\xFF\xFE") || begins("\xFE\xFF")) {
    storage = from_utf16(bytes.substr(2), bytes[0] == '\xFE');
    return storage;
  }
  return bytes;
}

}  // namespace ridgepoint::importing
