#include "collector/profile/nvtx_pattern.h"

#include <string_view>
#include <utility>

namespace ridgepoint::collector {
namespace {

constexpr std::size_t most_parts = 16;

// Cuts at each `separator` that no backslash precedes, and takes the backslash from those it does;
// other backslashes belong to the regular expression.
std::vector<std::string> cut(std::string_view text, char separator, bool once) {
  std::vector<std::string> parts(1);
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] == '\\' && i + 1 < text.size()) {
      if (text[i + 1] != separator) {
        parts.back() += text[i];
      }
      parts.back() += text[++i];
    } else if (text[i] == separator && !(once && parts.size() == 2)) {
      parts.emplace_back();
    } else {
      parts.back() += text[i];
    }
  }
  return parts;
}

}  // namespace

Result<NvtxPattern> NvtxPattern::parse(const std::string& text, const std::string& domain) {
  const std::string what = "reading --nvtx '" + text + "'";
  NvtxPattern pattern;
  std::vector<std::string> sides = cut(text, '@', true);
  if (sides.size() == 2) {
    if (!domain.empty()) {
      return fail(ErrorDomain::usage, what, "--nvtx-domain names a domain as well", "name it once");
    }
    pattern.domain_ = std::move(sides[0]);
  } else if (!domain.empty()) {
    pattern.domain_ = domain;
  }
  std::vector<std::string> parts = cut(sides.back(), '/', false);
  if (parts.size() > 1 && parts.back().empty()) {
    parts.pop_back();
  }
  if (parts.size() > most_parts) {
    return fail(ErrorDomain::usage, what, "it has more than 16 parts");
  }
  for (const std::string& part : parts) {
    if (part.empty() && parts.size() > 1) {
      return fail(ErrorDomain::usage, what, "a part between two slashes is empty",
                  "OUTER/INNER; .* stands for any range");
    }
    Result<RegularExpression> compiled =
        RegularExpression::compile(part.empty() ? ".*" : part, "--nvtx");
    if (!compiled) {
      return tl::make_unexpected(compiled.error());
    }
    pattern.parts_.push_back(std::move(*compiled));
  }
  return pattern;
}

std::uint32_t NvtxPattern::parts_of(const std::string& domain, const std::string& name) const {
  if (domain_ && *domain_ != domain) {
    return 0;
  }
  std::uint32_t bits = 0;
  for (std::size_t i = 0; i < parts_.size(); ++i) {
    bits |= parts_[i].found_in(name) ? 1U << i : 0U;
  }
  return bits;
}

}  // namespace ridgepoint::collector
