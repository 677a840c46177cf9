// Which launches are measured with counters.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <unordered_set>
#include <utility>
#include <vector>

#include "analyzer/core/error.h"
#include "analyzer/core/regular_expression.h"
#include "analyzer/session/session.h"
#include "collector/profile/number_set.h"
#include "collector/profile/nvtx_pattern.h"
#include "collector/profile/settings.h"

namespace ridgepoint::collector {

class LaunchFilter {
 public:
  static Result<LaunchFilter> create(const FilterOptions& options);

  // The demangled name is matched as a whole, and so is its base name: "^gemm$" finds
  // "void ns::gemm<float>(float*)".
  bool kernel_matches(const std::string& demangled) const;
  bool may_replay(const std::string& demangled) const;
  bool device_matches(std::uint32_t ordinal) const;
  // Null when launches are measured in whatever range they stand.
  const NvtxPattern* ranges() const { return nvtx_ ? &*nvtx_ : nullptr; }
  // What a first run has chosen by time; true when there was none.
  bool timing_matches(std::uint64_t kernel_key, const Dim3& grid, const Dim3& block) const;

  // Counts a launch that all of the above let through; true when it is to be measured.
  bool take(const std::string& mangled, std::uint32_t ordinal);
  // No launch will be taken any more.
  bool exhausted() const;
  std::int64_t seen() const { return seen_; }

 private:
  FilterOptions options_;
  std::optional<RegularExpression> kernel_;
  std::optional<NvtxPattern> nvtx_;
  std::optional<RegularExpression> no_replay_;
  std::optional<NumberSet> nth_;
  std::unordered_set<std::uint64_t> kernels_;
  std::unordered_set<std::uint64_t> launches_;
  std::map<std::pair<std::string, std::uint32_t>, std::int64_t> launched_;  // for nth_
  std::int64_t seen_ = 0;
};

// For the session's policy: "kernel: gemm", "launch count: 10".
std::vector<std::string> filter_texts(const FilterOptions& options);

}  // namespace ridgepoint::collector
