#include "collector/profile/plan_cache.h"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <sys/stat.h>

#include <cstdlib>
#include <nlohmann/json.hpp>
#include <utility>

#include "analyzer/core/data_path.h"
#include "analyzer/core/file.h"
#include "analyzer/core/file_owner.h"
#include "analyzer/core/json_text.h"

namespace ridgepoint::collector {
namespace {

namespace fs = std::filesystem;
using Json = nlohmann::json;

constexpr std::size_t most_plans = 16;
constexpr std::uint64_t largest_file_bytes = 1U << 20U;
constexpr int nesting_limit = 8;

Json to_json(const PassPlan& plan) {
  return {{"chip", plan.chip},       {"counters", plan.counters},
          {"refused", plan.refused}, {"too_wide", plan.too_wide},
          {"passes", plan.passes},   {"one_pass_counters", plan.one_pass_counters}};
}

PassPlan plan_of(const Json& json) {
  PassPlan plan;
  json.at("chip").get_to(plan.chip);
  json.at("counters").get_to(plan.counters);
  json.at("refused").get_to(plan.refused);
  json.at("too_wide").get_to(plan.too_wide);
  json.at("passes").get_to(plan.passes);
  json.at("one_pass_counters").get_to(plan.one_pass_counters);
  return plan;
}

// {"runs": [{"key": ..., "plans": [...]}, ...]}, the last made first.
Json read_runs(const fs::path& file) {
  const Result<Json> document = read_file(file, largest_file_bytes).and_then([](std::string text) {
    return parse_json(text, "reading kept plans", nesting_limit);
  });
  const bool sound = document && document->is_object() && document->contains("runs") &&
                     document->at("runs").is_array();
  return sound ? document->at("runs") : Json::array();
}

bool is_of(const Json& run, const std::string& key) {
  return run.is_object() && run.contains("key") && run.at("key") == key;
}

// Size and time of change: another file, or another version of it. Empty: there is none.
std::string identity(const fs::path& file) {
  struct stat status = {};
  if (::stat(file.c_str(), &status) != 0 || !S_ISREG(status.st_mode)) {
    return {};
  }
  return fmt::format("{} {} {}.{:09}", file.string(), status.st_size, status.st_mtim.tv_sec,
                     status.st_mtim.tv_nsec);
}

std::string cupti_identity(const std::vector<std::string>& candidates) {
  for (const std::string& candidate : candidates) {
    if (const std::string found = identity(candidate); !found.empty()) {
      return found;
    }
  }
  return {};
}

std::string variable(const char* name) {
  const char* value = std::getenv(name);
  return fmt::format("{} {}\n", name, value == nullptr ? "(unset)" : value);
}

}  // namespace

std::vector<PassPlan> PlanCache::find(const std::string& key) const {
  std::vector<PassPlan> plans;
  if (key.empty() || file_.empty()) {
    return plans;
  }
  for (const Json& run : read_runs(file_)) {
    if (!is_of(run, key)) {
      continue;
    }
    try {
      for (const Json& plan : run.at("plans")) {
        plans.push_back(plan_of(plan));
      }
    } catch (const Json::exception&) {
      plans.clear();
    }
    break;
  }
  return plans;
}

void PlanCache::keep(const std::string& key, const std::vector<PassPlan>& plans) const {
  if (key.empty() || file_.empty() || plans.empty() || !make_folders(file_.parent_path())) {
    return;
  }
  Json runs = Json::array({{{"key", key}, {"plans", Json::array()}}});
  for (const PassPlan& plan : plans) {
    runs[0]["plans"].push_back(to_json(plan));
  }
  for (const Json& run : read_runs(file_)) {
    if (!is_of(run, key) && runs.size() < most_plans) {
      runs.push_back(run);
    }
  }
  const std::string text =
      Json{{"runs", std::move(runs)}}.dump(1, ' ', false, nlohmann::json::error_handler_t::replace);
  static_cast<void>(write_file(file_, text, Overwrite::yes));
}

std::string plan_key(const ProfileOptions& options, const fs::path& data,
                     const std::vector<std::string>& cupti, const std::string& driver,
                     const std::string& gpus) {
  std::string tables;
  for (const fs::path& table : data_files(data, "counters").value_or(std::vector<fs::path>())) {
    tables += identity(table) + "\n";
  }
  const std::string library = cupti_identity(cupti);
  if (tables.empty() || library.empty() || driver.empty() || gpus.empty()) {
    return {};
  }
  return fmt::format("ridgepoint {}\n{}{}\ndriver {}\n{}{}{}{} {} {}\n", RIDGEPOINT_VERSION, tables,
                     library, driver, gpus, variable("CUDA_VISIBLE_DEVICES"),
                     variable("CUDA_DEVICE_ORDER"), options.replay, options.counter_profile,
                     fmt::join(options.counters, ","));
}

}  // namespace ridgepoint::collector
