// Hardware counters over the time of chosen launches of the profiled program, each alone on its
// GPU.
//
// Life cycle: start() when the GPU is idle, right before a launch -> end() when its kernel has
// ended, or does not -> close() once nothing is to be sampled any more. One launch a GPU at a time.
// The sampler of a GPU stays open from its first launch to close(), and keeps the counters so long.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <map>
#include <mutex>
#include <optional>
#include <set>
#include <string>

#include "analyzer/core/error.h"
#include "collector/cupti/pm_sampler.h"

namespace ridgepoint::collector {

struct CuptiApi;
class Recorder;

class PmSampling {
 public:
  // `data`: the folder share/ridgepoint. What cannot be sampled becomes an issue of `recorder`.
  PmSampling(const CuptiApi& api, Recorder& recorder, std::int64_t interval_ns,
             std::filesystem::path data)
      : api_(api), recorder_(recorder), interval_ns_(interval_ns), data_(std::move(data)) {}

  struct Launch {
    std::uint32_t device = 0;  // CUDA's number
    std::uint64_t key = 0;     // launch_key.h
    std::int64_t nth = 0;      // of its kernel on the device, from 1
  };
  // Whether a launch would be sampled: not when one of its kernel and shape has been too short, or
  // waits for others, nor when the session has enough.
  bool wants(const Launch& launch);
  // False when nothing is sampled, and end() must not follow.
  bool start(const Launch& launch, const std::string& chip);
  enum class End { failed_launch, kernel_ended, kernel_runs_on };
  void end(const Launch& launch, const std::string& mangled, End how);
  void close();
  void add_closing_issues();

 private:
  struct Device {
    std::optional<PmSampler> sampler;
    bool refused = false;
    bool at_work = false;
    std::chrono::steady_clock::time_point since;
  };
  Status open(Device& device, std::uint32_t ordinal, const std::string& chip);
  void refuse(Device& device, const Error& error);

  const CuptiApi& api_;
  Recorder& recorder_;
  const std::int64_t interval_ns_;
  const std::filesystem::path data_;
  std::mutex mutex_;  // guards what follows
  std::map<std::uint32_t, Device> devices_;
  std::set<std::uint64_t> left_alone_;
  std::size_t series_ = 0;
  std::size_t too_short_ = 0;
  std::size_t beyond_ = 0;  // wanted once there was enough
};

}  // namespace ridgepoint::collector
