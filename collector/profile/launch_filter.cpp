#include "collector/profile/launch_filter.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "analyzer/core/text.h"
#include "collector/profile/launch_key.h"

namespace ridgepoint::collector {

Result<LaunchFilter> LaunchFilter::create(const FilterOptions& options) {
  LaunchFilter filter;
  filter.options_ = options;
  const auto compile = [](const std::string& pattern, const char* option,
                          std::optional<RegularExpression>& target) -> Status {
    if (pattern.empty()) {
      return {};
    }
    return RegularExpression::compile(pattern, option).map([&](RegularExpression&& compiled) {
      target.emplace(std::move(compiled));
    });
  };
  Status compiled = compile(options.kernel, "--kernel", filter.kernel_).and_then([&] {
    return compile(options.no_replay, "--no-replay", filter.no_replay_);
  });
  if (compiled && !(options.nvtx.empty() && options.nvtx_domain.empty())) {
    compiled = NvtxPattern::parse(options.nvtx, options.nvtx_domain).map([&](NvtxPattern&& nvtx) {
      filter.nvtx_.emplace(std::move(nvtx));
    });
  }
  if (compiled && !options.nth.empty()) {
    compiled = NumberSet::parse(options.nth, "--nth").map([&](NumberSet&& nth) {
      filter.nth_.emplace(std::move(nth));
    });
  }
  if (compiled && !nvtx_scope_of(options.nvtx_scope)) {
    compiled = fail(ErrorDomain::usage, "reading --nvtx-scope '" + options.nvtx_scope + "'",
                    "it is none of auto, thread, process");
  }
  if (!compiled) {
    return tl::make_unexpected(compiled.error());
  }
  filter.kernels_.insert(options.timed_kernels.begin(), options.timed_kernels.end());
  filter.launches_.insert(options.timed_launches.begin(), options.timed_launches.end());
  return filter;
}

bool LaunchFilter::kernel_matches(const std::string& demangled) const {
  return !kernel_ || kernel_->found_in(demangled) ||
         kernel_->found_in(short_kernel_name(demangled));
}

bool LaunchFilter::may_replay(const std::string& demangled) const {
  return !no_replay_ ||
         !(no_replay_->found_in(demangled) || no_replay_->found_in(short_kernel_name(demangled)));
}

bool LaunchFilter::device_matches(std::uint32_t ordinal) const {
  return options_.devices.empty() || std::find(options_.devices.begin(), options_.devices.end(),
                                               ordinal) != options_.devices.end();
}

bool LaunchFilter::timing_matches(std::uint64_t kernel_key, const Dim3& grid,
                                  const Dim3& block) const {
  if (!options_.timed) {
    return true;
  }
  return (options_.top <= 0 || kernels_.count(kernel_key) != 0) &&
         (options_.min_duration_s <= 0 ||
          launches_.count(launch_key(kernel_key, grid, block)) != 0);
}

bool LaunchFilter::take(const std::string& mangled, std::uint32_t ordinal) {
  if (nth_ && !nth_->has(++launched_[{mangled, ordinal}])) {
    return false;
  }
  const std::int64_t index = seen_++ - options_.launch_skip;
  return index >= 0 && (options_.launch_count < 0 || index < options_.launch_count);
}

bool LaunchFilter::exhausted() const {
  return options_.launch_count >= 0 && seen_ >= options_.launch_skip + options_.launch_count;
}

std::vector<std::string> filter_texts(const FilterOptions& options) {
  std::vector<std::string> texts;
  const auto add = [&](const char* name, const std::string& value) {
    if (!value.empty()) {
      texts.push_back(fmt::format("{}: {}", name, value));
    }
  };
  add("kernel", options.kernel);
  add("NVTX range", options.nvtx);
  add("NVTX domain", options.nvtx_domain);
  add("NVTX scope", options.nvtx_scope == default_nvtx_scope ? "" : options.nvtx_scope);
  add("device", fmt::format("{}", fmt::join(options.devices, ", ")));
  add("top kernels by time", options.top > 0 ? std::to_string(options.top) : "");
  add("minimum duration",
      options.min_duration_s > 0 ? fmt::format("{:g} us", options.min_duration_s * 1e6) : "");
  add("nth launch of a kernel", options.nth);
  add("no replay", options.no_replay);
  add("launch skip", options.launch_skip > 0 ? std::to_string(options.launch_skip) : "");
  add("launch count", options.launch_count >= 0 ? std::to_string(options.launch_count) : "");
  return texts;
}

}  // namespace ridgepoint::collector
