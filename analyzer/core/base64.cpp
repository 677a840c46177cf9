#include "analyzer/core/base64.h"

#include <array>
#include <cstdint>

namespace ridgepoint {
namespace {

constexpr std::string_view digits =
    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
constexpr std::uint8_t no_digit = 64;

constexpr std::array<std::uint8_t, 256> values_of_digits() {
  std::array<std::uint8_t, 256> values = {};
  for (std::uint8_t& value : values) {
    value = no_digit;
  }
  for (std::size_t i = 0; i < digits.size(); ++i) {
    values[static_cast<unsigned char>(digits[i])] = static_cast<std::uint8_t>(i);
  }
  return values;
}
constexpr std::array<std::uint8_t, 256> values = values_of_digits();

}  // namespace

std::string base64_encode(std::string_view bytes) {
  std::string text;
  text.reserve((bytes.size() + 2) / 3 * 4);
  for (std::size_t at = 0; at < bytes.size(); at += 3) {
    const auto byte = [&](std::size_t i) -> std::uint32_t {
      return at + i < bytes.size() ? static_cast<unsigned char>(bytes[at + i]) : 0;
    };
    const std::uint32_t three = byte(0) << 16U | byte(1) << 8U | byte(2);
    text += digits[three >> 18U];
    text += digits[three >> 12U & 63U];
    text += at + 1 < bytes.size() ? digits[three >> 6U & 63U] : '=';
    text += at + 2 < bytes.size() ? digits[three & 63U] : '=';
  }
  return text;
}

std::optional<std::string> base64_decode(std::string_view text) {
  if (text.size() % 4 != 0) {
    return std::nullopt;
  }
  std::size_t padding = 0;
  while (padding < 2 && padding < text.size() && text[text.size() - 1 - padding] == '=') {
    ++padding;
  }
  std::string bytes;
  bytes.reserve(text.size() / 4 * 3);
  for (std::size_t at = 0; at < text.size(); at += 4) {
    std::uint32_t three = 0;
    for (std::size_t i = at; i < at + 4; ++i) {
      const bool padded = i >= text.size() - padding;
      const std::uint8_t value = padded ? 0 : values[static_cast<unsigned char>(text[i])];
      if (value == no_digit) {
        return std::nullopt;
      }
      three = three << 6U | value;
    }
    bytes += static_cast<char>(three >> 16U & 255U);
    bytes += static_cast<char>(three >> 8U & 255U);
    bytes += static_cast<char>(three & 255U);
  }
  bytes.resize(bytes.size() - padding);
  return bytes;
}

}  // namespace ridgepoint
