// Which launches are measured with counters.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "analyzer/core/error.h"
#include "collector/profile/regular_expression.h"
#include "collector/profile/settings.h"

namespace ridgepoint::collector {

class LaunchFilter {
 public:
  static Result<LaunchFilter> create(const FilterOptions& options);

  // The demangled name is matched as a whole, and so is its base name: "^gemm$" finds
  // "void ns::gemm<float>(float*)".
  bool kernel_matches(const std::string& demangled) const;
  bool may_replay(const std::string& demangled) const;
  bool range_matches(const std::string& domain, const std::string& name) const;
  bool needs_range() const { return nvtx_.has_value() || !options_.nvtx_domain.empty(); }

  // Counts a launch that kernel and range let through; true when it is to be measured.
  bool take();
  // No launch will be taken any more.
  bool exhausted() const;
  std::int64_t seen() const { return seen_; }

 private:
  FilterOptions options_;
  std::optional<RegularExpression> kernel_;
  std::optional<RegularExpression> nvtx_;
  std::optional<RegularExpression> no_replay_;
  std::int64_t seen_ = 0;
};

// For the session's policy: "kernel: gemm", "launch count: 10".
std::vector<std::string> filter_texts(const FilterOptions& options);

}  // namespace ridgepoint::collector
