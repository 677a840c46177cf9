// CUPTI's host side: which chips it knows, which counters a chip has, how many passes a set of them
// needs, and the evaluation of what was collected. Works without a GPU and without a driver.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "analyzer/core/error.h"

struct CUpti_Profiler_Host_Object;

namespace ridgepoint::collector {

struct CuptiApi;

Result<std::vector<std::string>> supported_chips(const CuptiApi& api);

// The counters of the list that the chip does not have (asked one by one, since CUPTI refuses a
// whole list without saying which of its names it does not know).
Result<std::vector<std::string>> refused_counters(const CuptiApi& api, const std::string& chip,
                                                  const std::vector<std::string>& counters);

// A set of counters made ready for collection.
struct CounterPlan {
  std::vector<std::string> counters;
  std::vector<std::uint8_t> config_image;
  std::size_t passes = 0;
};

// Life cycle: create() for a chip -> plan() once -> evaluate() as often as wanted -> close(), or
// the destructor, which stays silent.
class ProfilerHost {
 public:
  static Result<ProfilerHost> create(const CuptiApi& api, const std::string& chip);
  // For counters read at an interval instead of by kernel: other names, and other rollups of them.
  // `availability` is the device's image of counters that are free, empty when there is no device.
  static Result<ProfilerHost> create_for_pm_sampling(const CuptiApi& api, const std::string& chip,
                                                     const std::vector<std::uint8_t>& availability);
  ProfilerHost(ProfilerHost&& other) noexcept;
  ProfilerHost& operator=(ProfilerHost&& other) noexcept;
  ProfilerHost(const ProfilerHost&) = delete;
  ProfilerHost& operator=(const ProfilerHost&) = delete;
  ~ProfilerHost();

  // Fails when CUPTI knows one of the names not, or not for this chip.
  Status add(const std::vector<std::string>& counters);
  // The image and passes of `counters` and of all that were added before.
  Result<CounterPlan> plan(const std::vector<std::string>& counters);
  // The counters' values in one range of a decoded counter data image, in the order of `counters`.
  Result<std::vector<double>> evaluate(const std::vector<std::uint8_t>& counter_data,
                                       std::size_t range,
                                       const std::vector<std::string>& counters) const;
  Status close();

 private:
  ProfilerHost(const CuptiApi& api, CUpti_Profiler_Host_Object* object)
      : api_(&api), object_(object) {}

  const CuptiApi* api_;
  CUpti_Profiler_Host_Object* object_;
};

// Counter names in the form CUPTI's functions take; they point into `names`.
std::vector<const char*> name_pointers(const std::vector<std::string>& names);

}  // namespace ridgepoint::collector
