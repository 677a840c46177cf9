// Plans of passes that were made before, so that the next run of the same on this machine tells its
// own at once: making one wakes the driver and loads CUPTI, which takes half a second.
//
// One file, the plans made last in it; a damaged one is as good as none. What a plan depends on is
// its key (plan_key.h), so that a new driver, GPU, CUPTI or Ridgepoint makes a new one.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "collector/profile/pass_plan.h"

namespace ridgepoint::collector {

class PlanCache {
 public:
  // `file` need not exist; empty: nothing is kept. One that is no regular file is left alone.
  explicit PlanCache(std::filesystem::path file) : file_(std::move(file)) {}

  // Of each chip of the machine; empty when there are none. An empty key finds and keeps nothing;
  // others may hold any bytes.
  std::vector<PassPlan> find(const std::string& key) const;
  // Best effort: a plan that cannot be kept, or not before other processes have kept theirs, is
  // made again.
  void keep(const std::string& key, const std::vector<PassPlan>& plans) const;
  // They have proved wrong.
  void forget(const std::string& key) const;

 private:
  void change(const std::string& key, const std::vector<PassPlan>& plans) const;

  std::filesystem::path file_;
};

}  // namespace ridgepoint::collector
