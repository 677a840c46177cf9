#include "collector/cupti/range_profiler.h"

#include <fmt/format.h>

#include <charconv>
#include <utility>

#include "collector/cupti/cupti_api.h"
#include "collector/cupti/cupti_error.h"

namespace ridgepoint::collector {

Result<RangeProfiler> RangeProfiler::enable(const CuptiApi& api, CUctx_st* context,
                                            const ProfilerHost& host, const CounterPlan& plan,
                                            Replay replay) {
  RIDGEPOINT_CUPTI_PARAMS(CUpti_Profiler_Initialize, initialize);
  if (const auto code = api.cuptiProfilerInitialize(&initialize); code != CUPTI_SUCCESS) {
    return cupti_failure(api, code, "opening the GPU's counters");
  }
  RIDGEPOINT_CUPTI_PARAMS(CUpti_RangeProfiler_Enable, params);
  params.ctx = context;
  if (const auto code = api.cuptiRangeProfilerEnable(&params); code != CUPTI_SUCCESS) {
    return cupti_failure(api, code, "opening the GPU's counters");
  }
  return RangeProfiler(api, host, plan, replay, params.pRangeProfilerObject);
}

RangeProfiler::RangeProfiler(RangeProfiler&& other) noexcept
    : api_(other.api_),
      host_(other.host_),
      plan_(other.plan_),
      replay_(other.replay_),
      object_(std::exchange(other.object_, nullptr)),
      counter_data_(std::move(other.counter_data_)),
      all_passes_(other.all_passes_) {}

RangeProfiler::~RangeProfiler() {
  static_cast<void>(close());
}

Status RangeProfiler::close() {
  if (object_ == nullptr) {
    return {};
  }
  RIDGEPOINT_CUPTI_PARAMS(CUpti_RangeProfiler_Disable, params);
  params.pRangeProfilerObject = std::exchange(object_, nullptr);
  return cupti_status(*api_, api_->cuptiRangeProfilerDisable(&params),
                      "closing the GPU's counters");
}

void RangeProfiler::use(const ProfilerHost& host, const CounterPlan& plan, Replay replay) {
  host_ = &host;
  plan_ = &plan;
  replay_ = replay;
}

Status RangeProfiler::again() {
  all_passes_ = false;
  RIDGEPOINT_CUPTI_PARAMS(CUpti_RangeProfiler_CounterDataImage_Initialize, initialize);
  initialize.pRangeProfilerObject = object_;
  initialize.counterDataSize = counter_data_.size();
  initialize.pCounterData = counter_data_.data();
  return cupti_status(*api_, api_->cuptiRangeProfilerCounterDataImageInitialize(&initialize),
                      "preparing the counters");
}

Status RangeProfiler::begin(std::size_t max_ranges) {
  const std::string what = "preparing the counters";
  std::vector<const char*> names = name_pointers(plan_->counters);
  RIDGEPOINT_CUPTI_PARAMS(CUpti_RangeProfiler_GetCounterDataSize, size);
  size.pRangeProfilerObject = object_;
  size.pMetricNames = names.data();
  size.numMetrics = names.size();
  size.maxNumOfRanges = max_ranges;
  size.maxNumRangeTreeNodes = static_cast<std::uint32_t>(max_ranges);
  if (const auto code = api_->cuptiRangeProfilerGetCounterDataSize(&size); code != CUPTI_SUCCESS) {
    return cupti_failure(*api_, code, what);
  }
  counter_data_.resize(size.counterDataSize);
  if (Status empty = again(); !empty) {
    return empty;
  }
  RIDGEPOINT_CUPTI_PARAMS(CUpti_RangeProfiler_SetConfig, config);
  config.pRangeProfilerObject = object_;
  config.configSize = plan_->config_image.size();
  config.pConfig = plan_->config_image.data();
  config.counterDataImageSize = counter_data_.size();
  config.pCounterDataImage = counter_data_.data();
  config.range = replay_ == Replay::user_ranges ? CUPTI_UserRange : CUPTI_AutoRange;
  config.replayMode = replay_ == Replay::kernel ? CUPTI_KernelReplay : CUPTI_UserReplay;
  config.maxRangesPerPass = max_ranges;
  config.numNestingLevels = 1;
  config.minNestingLevel = 1;
  config.passIndex = 0;
  config.targetNestingLevel = 1;
  return cupti_status(*api_, api_->cuptiRangeProfilerSetConfig(&config), what);
}

Status RangeProfiler::start() {
  RIDGEPOINT_CUPTI_PARAMS(CUpti_RangeProfiler_Start, params);
  params.pRangeProfilerObject = object_;
  return cupti_status(*api_, api_->cuptiRangeProfilerStart(&params), "starting a counter pass");
}

Status RangeProfiler::push(std::size_t range) {
  const std::string name = std::to_string(range);
  RIDGEPOINT_CUPTI_PARAMS(CUpti_RangeProfiler_PushRange, params);
  params.pRangeProfilerObject = object_;
  params.pRangeName = name.c_str();
  return cupti_status(*api_, api_->cuptiRangeProfilerPushRange(&params), "beginning a range");
}

Status RangeProfiler::pop() {
  RIDGEPOINT_CUPTI_PARAMS(CUpti_RangeProfiler_PopRange, params);
  params.pRangeProfilerObject = object_;
  return cupti_status(*api_, api_->cuptiRangeProfilerPopRange(&params), "ending a range");
}

Result<bool> RangeProfiler::stop() {
  RIDGEPOINT_CUPTI_PARAMS(CUpti_RangeProfiler_Stop, params);
  params.pRangeProfilerObject = object_;
  if (const auto code = api_->cuptiRangeProfilerStop(&params); code != CUPTI_SUCCESS) {
    return cupti_failure(*api_, code, "ending a counter pass");
  }
  all_passes_ = params.isAllPassSubmitted != 0;
  return all_passes_;
}

// The number of ranges.
Result<std::size_t> RangeProfiler::decode() {
  const std::string what = "reading the counters";
  if (!all_passes_) {
    return fail(ErrorDomain::device, what, "not all counter passes were collected");
  }
  RIDGEPOINT_CUPTI_PARAMS(CUpti_RangeProfiler_DecodeData, decode);
  decode.pRangeProfilerObject = object_;
  if (const auto code = api_->cuptiRangeProfilerDecodeData(&decode); code != CUPTI_SUCCESS) {
    return cupti_failure(*api_, code, what);
  }
  if (decode.numOfRangeDropped != 0) {
    return fail(ErrorDomain::device, what,
                fmt::format("CUPTI dropped {} kernel(s): more were launched than announced",
                            decode.numOfRangeDropped));
  }
  RIDGEPOINT_CUPTI_PARAMS(CUpti_RangeProfiler_GetCounterDataInfo, info);
  info.pCounterDataImage = counter_data_.data();
  info.counterDataImageSize = counter_data_.size();
  if (const auto code = api_->cuptiRangeProfilerGetCounterDataInfo(&info); code != CUPTI_SUCCESS) {
    return cupti_failure(*api_, code, what);
  }
  return info.numTotalRanges;
}

// Where a range stands in the caller's order: ranges of launches come in theirs, pushed ones have
// their number as name.
Result<std::size_t> RangeProfiler::place_of(std::size_t range) const {
  if (replay_ != Replay::user_ranges) {
    return range;
  }
  const std::string what = "reading the counters";
  RIDGEPOINT_CUPTI_PARAMS(CUpti_RangeProfiler_CounterData_GetRangeInfo, info);
  info.pCounterDataImage = counter_data_.data();
  info.counterDataImageSize = counter_data_.size();
  info.rangeIndex = range;
  info.rangeDelimiter = "/";
  if (const auto code = api_->cuptiRangeProfilerCounterDataGetRangeInfo(&info);
      code != CUPTI_SUCCESS) {
    return cupti_failure(*api_, code, what);
  }
  const std::string name = info.rangeName == nullptr ? "" : info.rangeName;
  std::size_t place = 0;
  const auto [end, error] = std::from_chars(name.data(), name.data() + name.size(), place);
  if (error != std::errc() || end != name.data() + name.size()) {
    return fail(ErrorDomain::device, what, "CUPTI names a range that was not begun: " + name);
  }
  return place;
}

Result<RangeValues> RangeProfiler::finish() {
  const Result<std::size_t> count = decode();
  if (!count) {
    return tl::make_unexpected(count.error());
  }
  RangeValues values(*count);
  for (std::size_t range = 0; range < *count; ++range) {
    const Result<std::size_t> place = place_of(range);
    if (!place) {
      return tl::make_unexpected(place.error());
    }
    Result<std::vector<double>> row = host_->evaluate(counter_data_, range, plan_->counters);
    if (!row) {
      return tl::make_unexpected(row.error());
    }
    if (*place >= values.size() || !values[*place].empty()) {
      return fail(ErrorDomain::device, "reading the counters",
                  fmt::format("CUPTI gave range {} twice, or too many of them", *place));
    }
    values[*place] = std::move(*row);
  }
  return values;
}

Result<RangeValues> RangeProfiler::finish(const std::vector<std::size_t>& ranges) {
  const Result<std::size_t> count = decode();
  if (!count) {
    return tl::make_unexpected(count.error());
  }
  RangeValues values;
  for (const std::size_t range : ranges) {
    if (range >= *count) {
      return fail(ErrorDomain::device, "reading the counters",
                  fmt::format("CUPTI counted {} launches where more were made", *count));
    }
    Result<std::vector<double>> row = host_->evaluate(counter_data_, range, plan_->counters);
    if (!row) {
      return tl::make_unexpected(row.error());
    }
    values.push_back(std::move(*row));
  }
  return values;
}

}  // namespace ridgepoint::collector
