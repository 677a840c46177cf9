#include "cli/target_options.h"

#include <charconv>
#include <cmath>
#include <string>

namespace ridgepoint::cli {
namespace {

// What is wrong with it, or nothing. Shares are 0..1 and times seconds, as in the JSON report.
std::string set_target(const std::string& text, TargetLimits& limits) {
  const std::size_t sign = text.find('=');
  double* limit = limit_of(limits, text.substr(0, sign));
  if (sign == std::string::npos || limit == nullptr) {
    return text + " is no target; known are ID=VALUE with the IDs " + target_ids();
  }
  const std::string id = text.substr(0, sign);
  const bool in_seconds = id == "p99_latency";
  double value = 0;
  const char* end = text.data() + text.size();
  const auto [stop, failure] = std::from_chars(text.data() + sign + 1, end, value);
  const double most = in_seconds ? 1e6 : 1;
  if (failure != std::errc() || stop != end || !std::isfinite(value) || value < 0 || value > most) {
    return text +
           (in_seconds ? " is no time in seconds, from 0 to 1e6" : " is no share, from 0 to 1");
  }
  *limit = value;
  return {};
}

}  // namespace

void add_target_option(CLI::App& command, TargetLimits& limits) {
  command
      .add_option_function<std::vector<std::string>>(
          "--target", [](const std::vector<std::string>& /*given*/) {},
          "Another goal (repeatable): p99_latency=0.005 in seconds, hbm_bandwidth_utilisation=0.7 "
          "as a share ...; docs/report-formats.md has all")
      ->check(CLI::Validator(
          [&limits](const std::string& text) { return set_target(text, limits); }, ""))
      ->allow_extra_args(false)
      ->type_name("ID=VALUE");
}

}  // namespace ridgepoint::cli
