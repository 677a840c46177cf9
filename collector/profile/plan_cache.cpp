#include "collector/profile/plan_cache.h"

#include <chrono>
#include <nlohmann/json.hpp>
#include <system_error>

#include "analyzer/core/byte_text.h"
#include "analyzer/core/file.h"
#include "analyzer/core/file_lock.h"
#include "analyzer/core/file_owner.h"
#include "analyzer/core/json_text.h"
#include "collector/profile/plan_json.h"

namespace ridgepoint::collector {
namespace {

namespace fs = std::filesystem;
using Json = nlohmann::json;

constexpr std::size_t most_runs = 16;
constexpr std::uint64_t largest_file_bytes = 1U << 20U;
constexpr int nesting_limit = 8;
// Others hold the file while they write some kilobytes; the program waits to be started.
constexpr std::chrono::milliseconds patience{1000};

// {"runs": [{"key": ..., "plans": [...]}, ...]}, the last made first.
Json read_runs(const fs::path& file) {
  const Result<Json> document =
      read_regular_file(file, largest_file_bytes).and_then([](std::string text) {
        return parse_json(text, "reading kept plans", nesting_limit);
      });
  const bool sound = document && document->is_object() && document->contains("runs") &&
                     document->at("runs").is_array();
  return sound ? document->at("runs") : Json::array();
}

// As the file has it.
bool is_of(const Json& run, const std::string& key_text) {
  return run.is_object() && run.contains("key") && run.at("key") == key_text;
}

std::optional<std::vector<PassPlan>> plans_in(const Json& run) {
  return run.is_object() && run.contains("plans") ? plans_of_json(run.at("plans")) : std::nullopt;
}

std::string text_of(const Json& runs) {
  return Json{{"runs", runs}}.dump(1);
}

// Nobody's text is to be found again in a device, nor in a folder or a pipe that has its name.
bool may_be_written(const fs::path& file) {
  std::error_code error;
  const fs::file_status status = fs::status(file, error);
  return status.type() == fs::file_type::not_found || fs::is_regular_file(status);
}

}  // namespace

std::vector<PassPlan> PlanCache::find(const std::string& key) const {
  if (key.empty() || file_.empty()) {
    return {};
  }
  const std::string key_text = bytes_as_text(key);
  for (const Json& run : read_runs(file_)) {
    if (is_of(run, key_text)) {
      return plans_in(run).value_or(std::vector<PassPlan>());
    }
  }
  return {};
}

void PlanCache::change(const std::string& key, const std::vector<PassPlan>& plans) const {
  if (key.empty() || file_.empty() || !make_folders(file_.parent_path()) ||
      !may_be_written(file_)) {
    return;
  }
  const FileLock lock(file_.string() + ".lock", patience);
  if (!lock) {
    return;
  }
  const std::string key_text = bytes_as_text(key);
  Json runs = Json::array();
  if (!plans.empty()) {
    runs.push_back({{"key", key_text}, {"plans", plans_to_json(plans)}});
    // What would not be read again (a name of the user's own with an odd letter) is not kept.
    if (!plans_in(runs[0]) || text_of(runs).size() > largest_file_bytes) {
      return;
    }
  }
  for (const Json& run : read_runs(file_)) {
    if (!is_of(run, key_text) && plans_in(run) && runs.size() < most_runs) {
      runs.push_back(run);
    }
  }
  std::string text = text_of(runs);
  while (text.size() > largest_file_bytes) {
    runs.erase(runs.size() - 1);  // the oldest
    text = text_of(runs);
  }
  static_cast<void>(write_file(file_, text, Overwrite::yes));
}

void PlanCache::keep(const std::string& key, const std::vector<PassPlan>& plans) const {
  if (!plans.empty()) {
    change(key, plans);
  }
}

void PlanCache::forget(const std::string& key) const {
  if (!find(key).empty()) {
    change(key, {});
  }
}

}  // namespace ridgepoint::collector
