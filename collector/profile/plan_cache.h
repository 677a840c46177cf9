// Plans of passes that were made before, so that the next run of the same on this machine tells its
// own at once: making one wakes the driver and loads CUPTI, which takes half a second.
//
// One file, the plans made last in it; a damaged one is as good as none. What a plan depends on is
// its key, so that a new driver, GPU, CUPTI or Ridgepoint makes a new one.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "collector/profile/pass_plan.h"
#include "collector/profile/profile.h"

namespace ridgepoint::collector {

class PlanCache {
 public:
  // `file` need not exist; empty: nothing is kept.
  explicit PlanCache(std::filesystem::path file) : file_(std::move(file)) {}

  // Of each chip of the machine; empty when there are none. An empty key finds and keeps nothing.
  std::vector<PassPlan> find(const std::string& key) const;
  // Best effort: a plan that cannot be kept is made again.
  void keep(const std::string& key, const std::vector<PassPlan>& plans) const;

 private:
  std::filesystem::path file_;
};

// What the plans of a run depend on: Ridgepoint and its tables of counters in `data`, the first of
// the `cupti` libraries that is there, the version of the `driver`, the `gpus` (gpu_models.h),
// which of them the environment shows, and what is asked for. Empty where one of these is not
// known.
std::string plan_key(const ProfileOptions& options, const std::filesystem::path& data,
                     const std::vector<std::string>& cupti, const std::string& driver,
                     const std::string& gpus);

}  // namespace ridgepoint::collector
