#include "analyzer/rules/stall_rule.h"

#include <fmt/format.h>

#include <algorithm>

#include "analyzer/analysis/source_place.h"
#include "analyzer/stalls/stall_names.h"

namespace ridgepoint {
namespace {

constexpr double enough_issue = 0.80;

// " Most of it at +0x1d0, FADD R12, R12, R16 (step.py:6): 69.0 % of the kernel's samples."
std::string hottest(const KernelAnalysis& kernel, const std::string& reason) {
  const auto spot = std::find_if(kernel.hot_spots.begin(), kernel.hot_spots.end(),
                                 [&](const HotSpot& one) { return one.reason == reason; });
  if (spot == kernel.hot_spots.end()) {
    return {};
  }
  std::string place = fmt::format("+{:#x}", spot->pc_offset);
  if (!spot->sass.empty()) {
    place += ", " + spot->sass;
  }
  if (const std::string source = source_place(*spot); !source.empty()) {
    place += " (" + source + ")";
  }
  return fmt::format(" Most of it at {}: {} of the kernel's samples.", place, percent(spot->share));
}

}  // namespace

std::optional<Diagnosis> stall_diagnosis(const KernelAnalysis& kernel, const StallShare& stall,
                                         const StallText& text) {
  const auto issue = kernel.quantity("issue_active_share");
  if (stall.share < leading_stall_share || (issue && *issue >= enough_issue)) {
    return std::nullopt;
  }
  Diagnosis d;
  d.title = text.title;
  d.explanation = text.explanation + hottest(kernel, stall.reason);
  d.evidence = {
      {"stalled on " + stall_words(stall.reason), stall.share, "share", leading_stall_share}};
  if (issue) {
    d.evidence.push_back({"issue slots used", *issue, "share", enough_issue});
  }
  d.action = text.action;
  if (const auto room = room_below_roofs(kernel)) {
    d.estimated_gain = bounded_gain(stall.share, *room);
    d.gain_formula = "min(share of this stall, 1 - highest utilisation)";
    d.severity = severity_of_gain(*d.estimated_gain);
  } else {
    // Samples without counters: at a roof warps wait as well and nothing is to be gained, so no
    // gain is named. How loud it is follows the share of the run spent in these waits.
    d.severity = severity_of_gain(stall.share * kernel.time_share.value_or(0));
  }
  return d;
}

std::optional<Diagnosis> leading_stall(const KernelAnalysis& kernel, const StallRule& rule) {
  const auto stall = std::find_if(kernel.stalls.begin(), kernel.stalls.end(),
                                  [&](const StallShare& one) { return one.reason == rule.reason; });
  if (stall == kernel.stalls.end()) {
    return std::nullopt;
  }
  return stall_diagnosis(kernel, *stall,
                         {fmt::format("{}: warps {} {} of the time", kernel.short_name, rule.what,
                                      percent(stall->share)),
                          rule.why, rule.action});
}

}  // namespace ridgepoint
