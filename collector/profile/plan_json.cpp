#include "collector/profile/plan_json.h"

#include <algorithm>
#include <string>

namespace ridgepoint::collector {
namespace {

using Json = nlohmann::json;

// Far above what there is: 16 GPUs of a machine, 300 passes of all counters at once, names of 90
// letters.
constexpr std::size_t most_chips = 64;
constexpr std::size_t most_passes = 10000;
constexpr std::size_t most_counters = 10000;
constexpr std::size_t longest_name = 512;

// As a terminal shows it, letter by letter: no control characters, nothing beyond ASCII.
bool is_name(const std::string& text) {
  return !text.empty() && text.size() <= longest_name &&
         std::all_of(text.begin(), text.end(), [](char c) { return c >= ' ' && c <= '~'; });
}

std::optional<std::vector<std::string>> names(const Json& json) {
  if (!json.is_array() || json.size() > most_counters) {
    return std::nullopt;
  }
  std::vector<std::string> found;
  for (const Json& one : json) {
    if (!one.is_string() || !is_name(one.get_ref<const std::string&>())) {
      return std::nullopt;
    }
    found.push_back(one.get<std::string>());
  }
  return found;
}

std::optional<std::size_t> number(const Json& json, std::size_t least, std::size_t most) {
  // A negative number would be read as a huge one, a broken one cut.
  if (!json.is_number_unsigned() || json.get<std::uint64_t>() < least ||
      json.get<std::uint64_t>() > most) {
    return std::nullopt;
  }
  return json.get<std::size_t>();
}

std::optional<PassPlan> plan_of(const Json& json) {
  for (const char* part :
       {"chip", "counters", "refused", "too_wide", "passes", "one_pass_counters"}) {
    if (!json.is_object() || !json.contains(part)) {
      return std::nullopt;
    }
  }
  const Json& chip = json.at("chip");
  auto counters = names(json.at("counters"));
  auto refused = names(json.at("refused"));
  auto too_wide = names(json.at("too_wide"));
  const auto passes = number(json.at("passes"), 1, most_passes);
  const auto one_pass = number(json.at("one_pass_counters"), 0, most_counters);
  if (!chip.is_string() || !is_name(chip.get_ref<const std::string&>()) || !counters ||
      counters->empty() || !refused || !too_wide || !passes || !one_pass) {
    return std::nullopt;
  }
  return PassPlan{chip.get<std::string>(),
                  std::move(*counters),
                  std::move(*refused),
                  std::move(*too_wide),
                  *passes,
                  *one_pass};
}

}  // namespace

Json plans_to_json(const std::vector<PassPlan>& plans) {
  Json json = Json::array();
  for (const PassPlan& plan : plans) {
    json.push_back({{"chip", plan.chip},
                    {"counters", plan.counters},
                    {"refused", plan.refused},
                    {"too_wide", plan.too_wide},
                    {"passes", plan.passes},
                    {"one_pass_counters", plan.one_pass_counters}});
  }
  return json;
}

std::optional<std::vector<PassPlan>> plans_of_json(const Json& json) {
  if (!json.is_array() || json.empty() || json.size() > most_chips) {
    return std::nullopt;
  }
  std::vector<PassPlan> plans;
  for (const Json& one : json) {
    std::optional<PassPlan> plan = plan_of(one);
    if (!plan || std::any_of(plans.begin(), plans.end(),
                             [&](const PassPlan& other) { return other.chip == plan->chip; })) {
      return std::nullopt;
    }
    plans.push_back(std::move(*plan));
  }
  return plans;
}

}  // namespace ridgepoint::collector
