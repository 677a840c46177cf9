#include "analyzer/core/byte_text.h"

namespace ridgepoint {
namespace {

constexpr unsigned first_of_two = 0x80;  // the least byte that takes two

}  // namespace

std::string bytes_as_text(std::string_view bytes) {
  std::string text;
  text.reserve(bytes.size());
  for (const char c : bytes) {
    const auto byte = static_cast<unsigned char>(c);
    if (byte < first_of_two) {
      text += c;
    } else {
      text += static_cast<char>(0xC0U | (byte >> 6U));
      text += static_cast<char>(0x80U | (byte & 0x3FU));
    }
  }
  return text;
}

std::optional<std::string> bytes_of_text(std::string_view text) {
  std::string bytes;
  bytes.reserve(text.size());
  for (std::size_t i = 0; i < text.size(); ++i) {
    const auto lead = static_cast<unsigned char>(text[i]);
    if (lead < first_of_two) {
      bytes += text[i];
      continue;
    }
    const unsigned next = i + 1 < text.size() ? static_cast<unsigned char>(text[++i]) : 0U;
    if ((lead != 0xC2 && lead != 0xC3) || (next & 0xC0U) != 0x80U) {
      return std::nullopt;
    }
    bytes += static_cast<char>(((lead & 0x03U) << 6U) | (next & 0x3FU));
  }
  return bytes;
}

}  // namespace ridgepoint
