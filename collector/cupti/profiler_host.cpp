#include "collector/cupti/profiler_host.h"

#include <utility>

#include "collector/cupti/cupti_api.h"
#include "collector/cupti/cupti_error.h"

namespace ridgepoint::collector {

std::vector<const char*> name_pointers(const std::vector<std::string>& names) {
  std::vector<const char*> pointers;
  pointers.reserve(names.size());
  for (const std::string& name : names) {
    pointers.push_back(name.c_str());
  }
  return pointers;
}

Result<std::vector<std::string>> supported_chips(const CuptiApi& api) {
  RIDGEPOINT_CUPTI_PARAMS(CUpti_Profiler_Host_GetSupportedChips, params);
  if (const auto code = api.cuptiProfilerHostGetSupportedChips(&params); code != CUPTI_SUCCESS) {
    return cupti_failure(api, code, "listing the chips that CUPTI knows");
  }
  return std::vector<std::string>(params.ppChipNames, params.ppChipNames + params.numChips);
}

Result<std::vector<std::string>> refused_counters(const CuptiApi& api, const std::string& chip,
                                                  const std::vector<std::string>& counters) {
  std::vector<std::string> refused;
  for (const std::string& counter : counters) {
    // Another host for each: one that has refused a name refuses every name that follows (13.0).
    Result<ProfilerHost> probe = ProfilerHost::create(api, chip);
    if (!probe) {
      return tl::make_unexpected(probe.error());
    }
    if (!probe->add({counter})) {
      refused.push_back(counter);
    }
  }
  return refused;
}

Result<ProfilerHost> ProfilerHost::create(const CuptiApi& api, const std::string& chip) {
  RIDGEPOINT_CUPTI_PARAMS(CUpti_Profiler_Host_Initialize, params);
  params.profilerType = CUPTI_PROFILER_TYPE_RANGE_PROFILER;
  params.pChipName = chip.c_str();
  if (const auto code = api.cuptiProfilerHostInitialize(&params); code != CUPTI_SUCCESS) {
    return cupti_failure(api, code, "preparing the counters of chip " + chip);
  }
  return ProfilerHost(api, params.pHostObject);
}

Result<ProfilerHost> ProfilerHost::create_for_pm_sampling(
    const CuptiApi& api, const std::string& chip, const std::vector<std::uint8_t>& availability) {
  RIDGEPOINT_CUPTI_PARAMS(CUpti_Profiler_Host_Initialize, params);
  params.profilerType = CUPTI_PROFILER_TYPE_PM_SAMPLING;
  params.pChipName = chip.c_str();
  params.pCounterAvailabilityImage = availability.empty() ? nullptr : availability.data();
  if (const auto code = api.cuptiProfilerHostInitialize(&params); code != CUPTI_SUCCESS) {
    return cupti_failure(api, code, "preparing PM sampling on chip " + chip);
  }
  return ProfilerHost(api, params.pHostObject);
}

ProfilerHost::ProfilerHost(ProfilerHost&& other) noexcept
    : api_(other.api_), object_(std::exchange(other.object_, nullptr)) {}

ProfilerHost& ProfilerHost::operator=(ProfilerHost&& other) noexcept {
  std::swap(api_, other.api_);
  std::swap(object_, other.object_);
  return *this;
}

ProfilerHost::~ProfilerHost() {
  static_cast<void>(close());
}

Status ProfilerHost::close() {
  if (object_ == nullptr) {
    return {};
  }
  RIDGEPOINT_CUPTI_PARAMS(CUpti_Profiler_Host_Deinitialize, params);
  params.pHostObject = std::exchange(object_, nullptr);
  return cupti_status(*api_, api_->cuptiProfilerHostDeinitialize(&params),
                      "closing CUPTI's host side");
}

Status ProfilerHost::add(const std::vector<std::string>& counters) {
  std::vector<const char*> names = name_pointers(counters);
  RIDGEPOINT_CUPTI_PARAMS(CUpti_Profiler_Host_ConfigAddMetrics, params);
  params.pHostObject = object_;
  params.ppMetricNames = names.data();
  params.numMetrics = names.size();
  return cupti_status(*api_, api_->cuptiProfilerHostConfigAddMetrics(&params),
                      "choosing the counters");
}

Result<CounterPlan> ProfilerHost::plan(const std::vector<std::string>& counters) {
  if (Status added = add(counters); !added) {
    return tl::make_unexpected(added.error());
  }
  CounterPlan plan;
  plan.counters = counters;
  RIDGEPOINT_CUPTI_PARAMS(CUpti_Profiler_Host_GetConfigImageSize, size);
  size.pHostObject = object_;
  if (const auto code = api_->cuptiProfilerHostGetConfigImageSize(&size); code != CUPTI_SUCCESS) {
    return cupti_failure(*api_, code, "planning the counter passes");
  }
  plan.config_image.resize(size.configImageSize);
  RIDGEPOINT_CUPTI_PARAMS(CUpti_Profiler_Host_GetConfigImage, image);
  image.pHostObject = object_;
  image.configImageSize = plan.config_image.size();
  image.pConfigImage = plan.config_image.data();
  if (const auto code = api_->cuptiProfilerHostGetConfigImage(&image); code != CUPTI_SUCCESS) {
    return cupti_failure(*api_, code, "planning the counter passes");
  }
  RIDGEPOINT_CUPTI_PARAMS(CUpti_Profiler_Host_GetNumOfPasses, passes);
  passes.configImageSize = plan.config_image.size();
  passes.pConfigImage = plan.config_image.data();
  if (const auto code = api_->cuptiProfilerHostGetNumOfPasses(&passes); code != CUPTI_SUCCESS) {
    return cupti_failure(*api_, code, "counting the counter passes");
  }
  plan.passes = passes.numOfPasses;
  return plan;
}

Result<std::vector<double>> ProfilerHost::evaluate(const std::vector<std::uint8_t>& counter_data,
                                                   std::size_t range,
                                                   const std::vector<std::string>& counters) const {
  std::vector<const char*> names = name_pointers(counters);
  std::vector<double> values(counters.size());
  RIDGEPOINT_CUPTI_PARAMS(CUpti_Profiler_Host_EvaluateToGpuValues, params);
  params.pHostObject = object_;
  params.pCounterDataImage = counter_data.data();
  params.counterDataImageSize = counter_data.size();
  params.rangeIndex = range;
  params.ppMetricNames = names.data();
  params.numMetrics = names.size();
  params.pMetricValues = values.data();
  if (const auto code = api_->cuptiProfilerHostEvaluateToGpuValues(&params);
      code != CUPTI_SUCCESS) {
    return cupti_failure(*api_, code, "evaluating the counters of one kernel");
  }
  return values;
}

}  // namespace ridgepoint::collector
