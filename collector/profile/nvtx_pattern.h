// Which NVTX ranges a user means: `--nvtx "train@step/backward"`.
//
//   [DOMAIN@]OUTER/.../INNER   each part a regular expression that is searched in a range's name
//
// A launch is meant when the ranges it stands in, outermost first, hold one for each part in this
// order; others may lie between. DOMAIN is exact, and ranges of other domains are not looked at;
// nothing before the @ means the domain without a name, no @ any domain. "\/" and "\@" stand for
// the characters themselves; a slash at the end is left out.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "analyzer/core/error.h"
#include "analyzer/core/regular_expression.h"

namespace ridgepoint::collector {

class NvtxPattern {
 public:
  // `domain` as given by --nvtx-domain, empty when it was not. With an empty text every range of
  // the domain is meant.
  static Result<NvtxPattern> parse(const std::string& text, const std::string& domain);

  // Bit i: a range of this name can be part i.
  std::uint32_t parts_of(const std::string& domain, const std::string& name) const;
  unsigned parts() const { return static_cast<unsigned>(parts_.size()); }

 private:
  std::optional<std::string> domain_;
  std::vector<RegularExpression> parts_;
};

// How many parts are found after one more range, going inwards.
constexpr unsigned next_part(unsigned found, std::uint32_t range_parts) {
  return found + (found < 32U && (range_parts >> found & 1U) != 0 ? 1U : 0U);
}

}  // namespace ridgepoint::collector
