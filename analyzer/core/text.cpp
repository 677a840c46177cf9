#include "analyzer/core/text.h"

#include <cxxabi.h>
#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <cstdint>
#include <cstdlib>
#include <memory>

namespace ridgepoint {
namespace {

// Length of the valid UTF-8 sequence at `at`, 0 when there is none (Unicode 15, table 3-7: no
// overlong forms, no surrogates, nothing above U+10FFFF).
std::size_t utf8_length(std::string_view text, std::size_t at) {
  const auto byte = [&](std::size_t i) -> unsigned {
    return at + i < text.size() ? static_cast<unsigned char>(text[at + i]) : 0U;
  };
  const auto continues = [&](std::size_t i) { return (byte(i) & 0xC0U) == 0x80U; };
  const unsigned first = byte(0);
  if (first < 0x80U) {
    return 1;
  }
  if (first >= 0xC2U && first <= 0xDFU) {
    return continues(1) ? 2 : 0;
  }
  if (first >= 0xE0U && first <= 0xEFU) {
    const bool overlong = first == 0xE0U && byte(1) < 0xA0U;
    const bool surrogate = first == 0xEDU && byte(1) > 0x9FU;
    return continues(1) && continues(2) && !overlong && !surrogate ? 3 : 0;
  }
  if (first >= 0xF0U && first <= 0xF4U) {
    const bool overlong = first == 0xF0U && byte(1) < 0x90U;
    const bool beyond = first == 0xF4U && byte(1) > 0x8FU;
    return continues(1) && continues(2) && continues(3) && !overlong && !beyond ? 4 : 0;
  }
  return 0;
}

bool is_control(std::string_view sequence) {
  const auto first = static_cast<unsigned char>(sequence[0]);
  if (sequence.size() == 1) {
    return first < 0x20U || first == 0x7FU;
  }
  // U+0080 to U+009F, the C1 controls, among them CSI.
  if (sequence.size() == 2 && first == 0xC2U && static_cast<unsigned char>(sequence[1]) < 0xA0U) {
    return true;
  }
  // U+202A to U+202E and U+2066 to U+2069 turn the direction of all that follows, and so can show
  // one name as another.
  return (sequence >= "\u202A" && sequence <= "\u202E") ||
         (sequence >= "\u2066" && sequence <= "\u2069");
}

}  // namespace

std::string printable(std::string_view text) {
  std::string clean;
  clean.reserve(text.size());
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t length = utf8_length(text, at);
    if (length == 0 || is_control(text.substr(at, length))) {
      clean += '?';
      at += length == 0 ? 1 : length;
    } else {
      clean.append(text.substr(at, length));
      at += length;
    }
  }
  return clean;
}

std::string memory_size_text(std::int64_t bytes) {
  constexpr std::int64_t kibibyte = 1024;
  constexpr std::int64_t mebibyte = 1024 * kibibyte;
  if (bytes < kibibyte) {
    return std::to_string(bytes) + (bytes == 1 ? " byte" : " bytes");
  }
  const std::int64_t unit = bytes < mebibyte ? kibibyte : mebibyte;
  std::string digits =
      fmt::format("{:.2f}", static_cast<double>(bytes) / static_cast<double>(unit));
  while (digits.back() == '0') {
    digits.pop_back();
  }
  if (digits.back() == '.') {
    digits.pop_back();
  }
  return digits + (unit == kibibyte ? " KiB" : " MiB");
}

std::string as_words(const std::string& key) {
  std::string words = printable(key);
  std::replace(words.begin(), words.end(), '_', ' ');
  if (!words.empty()) {
    words[0] = static_cast<char>(std::toupper(static_cast<unsigned char>(words[0])));
  }
  return words;
}

std::string lower_case(std::string text) {
  std::transform(text.begin(), text.end(), text.begin(),
                 [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  return text;
}

bool nests_deeper_than(std::string_view json, int levels) {
  int depth = 0;
  bool in_text = false;
  for (std::size_t i = 0; i < json.size(); ++i) {
    const char c = json[i];
    if (in_text) {
      i += c == '\\' ? 1 : 0;
      in_text = c != '"';
    } else if (c == '"') {
      in_text = true;
    } else if (c == '[' || c == '{') {
      if (++depth > levels) {
        return true;
      }
    } else if (c == ']' || c == '}') {
      --depth;
    }
  }
  return false;
}

std::string short_kernel_name(std::string_view demangled) {
  // The name ends where the outermost argument list begins; the last top-level "::" or blank before
  // it starts it.
  int depth = 0;
  std::size_t begin = 0;
  std::size_t end = demangled.size();
  constexpr std::string_view anonymous = "(anonymous namespace)";
  for (std::size_t i = 0; i < demangled.size(); ++i) {
    const char c = demangled[i];
    if (depth == 0 && demangled.substr(i, anonymous.size()) == anonymous) {
      i += anonymous.size() - 1;
      continue;
    }
    if (c == '<' || c == '[' || c == '{') {
      if (depth == 0 && c == '<' && i > begin) {
        end = i;
      }
      ++depth;
    } else if (c == '>' || c == ']' || c == '}') {
      --depth;
    } else if (depth == 0 && c == '(') {
      end = end == demangled.size() ? i : end;
      break;
    } else if (depth == 0 && (c == ' ' || c == ':')) {
      begin = i + 1;
      end = demangled.size();
    }
  }
  const std::string_view name = demangled.substr(begin, end > begin ? end - begin : 0);
  return std::string(name.empty() ? demangled : name);
}

std::string demangle(const std::string& mangled) {
  if (mangled.compare(0, 2, "_Z") != 0) {
    return mangled;
  }
  int status = 0;
  const std::unique_ptr<char, decltype(&std::free)> name(
      abi::__cxa_demangle(mangled.c_str(), nullptr, nullptr, &status), &std::free);
  return status == 0 && name ? std::string(name.get()) : mangled;
}

}  // namespace ridgepoint
