#include "analyzer/compare/cause.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>

#include "analyzer/compare/change_text.h"
#include "analyzer/core/grouped_digits.h"

namespace ridgepoint {
namespace {

// Smaller moves of counters are repeatability, not cause.
constexpr double same_within = 0.01;
constexpr std::size_t most_causes = 3;

struct Factor {
  const char* variant_id;  // null: kernels only
  const char* kernel_id;
  const char* label;
  bool up_is_slower;
  bool named_when_same;
  bool from_counters;  // another replay or cache state changes it
  bool adds_up;        // over the launches of a kernel: compared for one launch
};

constexpr Factor factors[] = {
    {"hbm_bytes.measured", "hbm_bytes", "HBM bytes", true, true, true, true},
    {"l2_bytes.measured", "l2_bytes", "L2 bytes", true, false, true, true},
    {"smem_bytes.measured", "smem_bytes", "shared-memory bytes", true, false, true, true},
    {"flops.counted", "flops", "FLOP", true, true, false, true},
    {nullptr, "sm_clock_hz", "SM clock", false, false, false, false},
    {nullptr, "occupancy.achieved", "achieved occupancy", false, false, true, false},
    {nullptr, "memory_stall_ratio", "memory stall ratio", true, false, true, false},
};

// "up 80.0 %", "down 3.1 %": as the tables beside it count.
std::string moved(double factor) {
  return (factor > 1 ? "up " : "down ") + change_size(factor - 1);
}

std::string headline(const SubjectChange& s) {
  if (!s.time_factor) {
    return "time not measured on both sides";
  }
  const double share = *s.time_factor - 1;
  switch (s.outcome) {
    case Outcome::faster:
    case Outcome::slower:
      return time_change(share);
    case Outcome::unchanged:
      return "no change that counts (" + signed_change(share) + ")";
    case Outcome::untested:
      return time_change(share) + ", not tested (" + s.why_not + ")";
    case Outcome::not_comparable:
      return time_change(share) + ", but not comparable (" + s.why_not + ")";
  }
  return {};
}

}  // namespace

std::string cause_sentence(const SubjectChange& subject) {
  struct Moved {
    std::string text;
    double size;
  };
  const bool slower = subject.time_factor.value_or(1) > 1;
  std::vector<Moved> explains;
  std::vector<std::string> same;
  bool counted = false;
  const Change* launches = subject.change("launches");
  const double launch_factor = launches != nullptr ? launches->factor().value_or(1) : 1;
  for (const Factor& one : factors) {
    const Change* change = subject.change(one.kernel_id);
    if (change == nullptr && one.variant_id != nullptr) {
      change = subject.change(one.variant_id);
    }
    const auto whole = change != nullptr ? change->factor() : std::nullopt;
    if (!whole || (one.from_counters && !subject.counters_comparable)) {
      continue;
    }
    counted = true;
    const double factor = one.adds_up ? *whole / launch_factor : *whole;
    const double size = std::abs(std::log(factor));
    if (size < same_within) {
      if (one.named_when_same) {
        same.push_back(fmt::format("same {}", one.label));
      }
    } else if ((factor > 1) == (one.up_is_slower == slower)) {
      explains.push_back({fmt::format("{} {}", one.label, moved(factor)), size});
    }
  }
  std::stable_sort(explains.begin(), explains.end(),
                   [](const Moved& a, const Moved& b) { return a.size > b.size; });
  std::vector<std::string> parts;
  const bool changed = subject.outcome == Outcome::faster || subject.outcome == Outcome::slower ||
                       subject.outcome == Outcome::untested;
  if (changed) {
    for (std::size_t i = 0; i < std::min(most_causes, explains.size()); ++i) {
      parts.push_back(explains[i].text);
    }
    if (parts.empty() && counted && subject.outcome != Outcome::untested) {
      parts.emplace_back("nothing that was counted explains it");
    }
    parts.insert(parts.end(), same.begin(), same.end());
  }
  // The times are of one launch: how many there are is worth telling, and no cause.
  std::string launches_differ;
  if (launches != nullptr && launch_factor != 1) {
    launches_differ = fmt::format("; {} launches instead of {}",
                                  grouped_digits(fmt::format("{:.0f}", *launches->now)),
                                  grouped_digits(fmt::format("{:.0f}", *launches->base)));
  }
  std::string text = headline(subject);
  if (!parts.empty()) {
    text += fmt::format(": {}", fmt::join(parts, ", "));
  } else if (changed && !counted) {
    text += "; no counters to explain it";
  }
  return text + launches_differ;
}

}  // namespace ridgepoint
