#include "collector/profile/launch_filter.h"

#include <fmt/format.h>

#include "analyzer/core/text.h"

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
  const Status compiled =
      compile(options.kernel, "--kernel", filter.kernel_)
          .and_then([&] { return compile(options.nvtx, "--nvtx", filter.nvtx_); })
          .and_then([&] { return compile(options.no_replay, "--no-replay", filter.no_replay_); });
  if (!compiled) {
    return tl::make_unexpected(compiled.error());
  }
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

bool LaunchFilter::range_matches(const std::string& domain, const std::string& name) const {
  return (options_.nvtx_domain.empty() || options_.nvtx_domain == domain) &&
         (!nvtx_ || nvtx_->found_in(name));
}

bool LaunchFilter::take() {
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
  add("no replay", options.no_replay);
  add("launch skip", options.launch_skip > 0 ? std::to_string(options.launch_skip) : "");
  add("launch count", options.launch_count >= 0 ? std::to_string(options.launch_count) : "");
  return texts;
}

}  // namespace ridgepoint::collector
