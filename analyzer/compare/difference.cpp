#include "analyzer/compare/difference.h"

#include <fmt/format.h>

#include <algorithm>
#include <type_traits>

namespace ridgepoint {
namespace {

// What one of the two does not know (empty, 0) is no difference; a flag is always known.
template <class T>
void note_change(std::string& text, const char* name, const T& base, const T& now) {
  const bool known = std::is_same_v<T, bool> || (base != T() && now != T());
  if (known && base != now) {
    text += fmt::format("{}{} {} -> {}", text.empty() ? "" : ", ", name, base, now);
  }
}

std::string hardware_difference(const DeviceInfo& base, const DeviceInfo& now) {
  std::string text;
  note_change(text, "device", base.name, now.name);
  note_change(text, "chip", base.chip, now.chip);
  note_change(text, "SMs", base.sm_count, now.sm_count);
  note_change(text, "memory bus bits", base.memory_bus_bits, now.memory_bus_bits);
  return text;
}

bool any_clock(const Analysis& analysis) {
  return std::any_of(analysis.kernels.begin(), analysis.kernels.end(),
                     [](const KernelAnalysis& kernel) { return kernel.sm_clock_hz.has_value(); });
}

// A run in which the device or the driver slowed itself down says so in its issues.
bool throttled(const Analysis& analysis) {
  return std::any_of(analysis.issues.begin(), analysis.issues.end(),
                     [](const Issue& issue) { return issue.code == "clocks.throttled"; });
}

void add_device(const Analysis& base, const Analysis& now, std::vector<Difference>& list) {
  if (base.devices.empty() || now.devices.empty()) {
    if (base.devices.size() != now.devices.size()) {
      list.push_back({"hardware.unknown", "only one of the sessions names its device",
                      Spoils::everything, "device unknown"});
    }
    return;
  }
  const DeviceInfo& before = base.devices.front();
  const DeviceInfo& after = now.devices.front();
  if (const std::string text = hardware_difference(before, after); !text.empty()) {
    list.push_back(
        {"hardware.device", "other hardware: " + text, Spoils::everything, "other hardware"});
  }
  const auto changed = [](const std::string& one, const std::string& other) {
    return !one.empty() && !other.empty() && one != other;
  };
  if (changed(before.driver_version, after.driver_version)) {
    list.push_back({"software.driver",
                    fmt::format("driver {} -> {}", before.driver_version, after.driver_version),
                    Spoils::nothing, ""});
  }
  if (changed(before.runtime_version, after.runtime_version)) {
    list.push_back(
        {"software.runtime",
         fmt::format("CUDA runtime {} -> {}", before.runtime_version, after.runtime_version),
         Spoils::nothing, ""});
  }
}

void add_policy(const Policy& base, const Policy& now, std::vector<Difference>& list) {
  if (base.cache_control != now.cache_control) {
    list.push_back({"policy.cache_control",
                    fmt::format("caches held something else before each pass: {} -> {}",
                                base.cache_control.empty() ? "not stated" : base.cache_control,
                                now.cache_control.empty() ? "not stated" : now.cache_control),
                    Spoils::counters, "other cache state or replay"});
  }
  if (base.replay_mode != now.replay_mode) {
    list.push_back({"policy.replay_mode",
                    fmt::format("replay mode {} -> {}", base.replay_mode, now.replay_mode),
                    Spoils::counters, "other cache state or replay"});
  }
}

// What only `of` has to say about itself; what both say is no difference.
void add_issues(const Analysis& other, const Analysis& of, const char* side,
                std::vector<Difference>& list) {
  for (const Issue& issue : of.issues) {
    const bool both = std::any_of(other.issues.begin(), other.issues.end(),
                                  [&](const Issue& one) { return one.code == issue.code; });
    if (!both && issue.code != "clocks.throttled") {
      list.push_back(
          {issue.code, fmt::format("only in {}: {}", side, issue.text), Spoils::nothing, ""});
    }
  }
}

}  // namespace

bool spoils_time(const Difference& difference, TimedBy by) {
  return difference.spoils == Spoils::everything || difference.spoils == Spoils::timing ||
         (difference.spoils == Spoils::counters && by == TimedBy::launches);
}

std::string workload_difference(const std::optional<AttentionShape>& base,
                                const std::optional<AttentionShape>& now) {
  if (!base || !now) {
    return base.has_value() == now.has_value() ? "" : "only one of them runs attention";
  }
  std::string text;
  note_change(text, "batch", base->batch, now->batch);
  note_change(text, "heads", base->heads, now->heads);
  if (base->kv_heads != base->heads || now->kv_heads != now->heads) {
    note_change(text, "KV heads", base->kv_heads, now->kv_heads);
  }
  if (base->seqlen_q == base->seqlen_k && now->seqlen_q == now->seqlen_k) {
    note_change(text, "N", base->seqlen_q, now->seqlen_q);
  } else {
    note_change(text, "Nq", base->seqlen_q, now->seqlen_q);
    note_change(text, "Nk", base->seqlen_k, now->seqlen_k);
  }
  note_change(text, "d", base->head_dim, now->head_dim);
  note_change(text, "type", base->dtype, now->dtype);
  note_change(text, "causal", base->causal, now->causal);
  note_change(text, "direction", base->direction, now->direction);
  return text;
}

bool clocks_apart(const KernelAnalysis& base, const KernelAnalysis& now, double tolerance) {
  if (!base.sm_clock_hz || !now.sm_clock_hz) {
    return false;
  }
  const auto [slow, fast] = std::minmax(*base.sm_clock_hz, *now.sm_clock_hz);
  return fast > slow * (1 + tolerance);
}

bool clocks_apart(const Analysis& base, const VariantAnalysis& base_variant, const Analysis& now,
                  const VariantAnalysis& now_variant, const Matching& kernels, double tolerance) {
  return std::any_of(kernels.pairs.begin(), kernels.pairs.end(), [&](const MatchedPair& pair) {
    const auto holds = [](const VariantAnalysis& variant, std::size_t kernel) {
      return std::find(variant.kernels.begin(), variant.kernels.end(), kernel) !=
             variant.kernels.end();
    };
    return holds(base_variant, pair.base) && holds(now_variant, pair.now) &&
           clocks_apart(base.kernels[pair.base], now.kernels[pair.now], tolerance);
  });
}

std::vector<Difference> find_differences(const Analysis& base, const Analysis& now) {
  std::vector<Difference> list;
  add_device(base, now, list);
  if (const std::string text = workload_difference(base.attention, now.attention); !text.empty()) {
    list.push_back(
        {"workload.shape", "another problem: " + text, Spoils::everything, "another problem"});
  }
  if (throttled(base) || throttled(now)) {
    list.push_back({"clocks.throttled",
                    fmt::format("the device slowed itself down during the {} run",
                                throttled(base) ? "first" : "second"),
                    Spoils::timing, "throttled clocks"});
  }
  if (!any_clock(base) || !any_clock(now)) {
    list.push_back({"clocks.unknown",
                    "the SM clock was not measured in both runs: a change of time may be a change "
                    "of clock",
                    Spoils::nothing, ""});
  }
  add_policy(base.policy, now.policy, list);
  add_issues(base, now, "new", list);
  add_issues(now, base, "base", list);
  if (base.source != now.source &&
      (base.source == Source::imported || now.source == Source::imported ||
       base.source == Source::predicted || now.source == Source::predicted)) {
    list.push_back({"source.kind", fmt::format("{} against {}", key(base.source), key(now.source)),
                    Spoils::nothing, ""});
  }
  return list;
}

}  // namespace ridgepoint
