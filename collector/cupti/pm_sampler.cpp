#include "collector/cupti/pm_sampler.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "collector/cupti/cupti_api.h"
#include "collector/cupti/cupti_error.h"
#include "collector/cupti/profiler_host.h"

namespace ridgepoint::collector {
namespace {

const std::string opening = "opening PM sampling";
const std::string reading = "reading the PM samples";
constexpr double seconds_per_ns = 1e-9;
// A record of the five counters takes some hundred bytes a sampled unit; what the GPU really needs
// is not told, and a buffer too small is seen as an overflow.
constexpr std::size_t buffer_bytes_a_sample = std::size_t{64} << 10;
constexpr std::size_t least_buffer_bytes = std::size_t{16} << 20;
constexpr std::size_t most_buffer_bytes = std::size_t{512} << 20;

bool has_pm_sampling(const CuptiApi& api) {
#define RIDGEPOINT_CUPTI_PRESENT(name) &&api.name != nullptr
  return true RIDGEPOINT_CUPTI_PM_FUNCTIONS(RIDGEPOINT_CUPTI_PRESENT);
#undef RIDGEPOINT_CUPTI_PRESENT
}

// Which raw counters this device has left for sampling.
Result<std::vector<std::uint8_t>> availability(const CuptiApi& api, int device) {
  RIDGEPOINT_CUPTI_PARAMS(CUpti_PmSampling_GetCounterAvailability, params);
  params.deviceIndex = static_cast<std::size_t>(device);
  if (const auto code = api.cuptiPmSamplingGetCounterAvailability(&params); code != CUPTI_SUCCESS) {
    return cupti_failure(api, code, opening);
  }
  std::vector<std::uint8_t> image(params.counterAvailabilityImageSize);
  params.pCounterAvailabilityImage = image.data();
  if (const auto code = api.cuptiPmSamplingGetCounterAvailability(&params); code != CUPTI_SUCCESS) {
    return cupti_failure(api, code, opening);
  }
  return image;
}

}  // namespace

struct PmSampler::State {
  State(const CuptiApi& functions, PmSamplerOptions wanted, std::vector<std::uint8_t> image,
        ProfilerHost profiler_host, CounterPlan counter_plan)
      : api(&functions),
        options(std::move(wanted)),
        available(std::move(image)),
        host(std::move(profiler_host)),
        plan(std::move(counter_plan)) {}
  State(const State&) = delete;
  State& operator=(const State&) = delete;
  ~State() { static_cast<void>(close()); }

  Status close() {
    if (object == nullptr) {
      return {};
    }
    RIDGEPOINT_CUPTI_PARAMS(CUpti_PmSampling_Disable, params);
    params.pPmSamplingObject = std::exchange(object, nullptr);
    return cupti_status(*api, api->cuptiPmSamplingDisable(&params), "closing PM sampling");
  }
  Status enable() {
    RIDGEPOINT_CUPTI_PARAMS(CUpti_PmSampling_Enable, params);
    params.deviceIndex = static_cast<std::size_t>(options.device);
    const auto code = api->cuptiPmSamplingEnable(&params);
    if (code == CUPTI_SUCCESS) {
      object = params.pPmSamplingObject;
    }
    return cupti_status(*api, code, opening);
  }
  Status configure() {
    RIDGEPOINT_CUPTI_PARAMS(CUpti_PmSampling_SetConfig, params);
    params.pPmSamplingObject = object;
    params.configSize = plan.config_image.size();
    params.pConfig = plan.config_image.data();
    params.hardwareBufferSize = std::clamp(options.most_samples * buffer_bytes_a_sample,
                                           least_buffer_bytes, most_buffer_bytes);
    params.samplingInterval = static_cast<std::uint64_t>(options.interval_ns);
    params.triggerMode = CUPTI_PM_SAMPLING_TRIGGER_MODE_GPU_TIME_INTERVAL;
    params.hwBufferAppendMode = CUPTI_PM_SAMPLING_HARDWARE_BUFFER_APPEND_MODE_KEEP_OLDEST;
    return cupti_status(*api, api->cuptiPmSamplingSetConfig(&params), opening);
  }
  Status size_counter_data() {
    std::vector<const char*> names = name_pointers(options.counters);
    RIDGEPOINT_CUPTI_PARAMS(CUpti_PmSampling_GetCounterDataSize, params);
    params.pPmSamplingObject = object;
    params.pMetricNames = names.data();
    params.numMetrics = names.size();
    params.maxSamples = static_cast<std::uint32_t>(options.most_samples);
    const auto code = api->cuptiPmSamplingGetCounterDataSize(&params);
    counter_data.assign(code == CUPTI_SUCCESS ? params.counterDataSize : 0, 0);
    return cupti_status(*api, code, opening);
  }
  Status empty_counter_data() {
    RIDGEPOINT_CUPTI_PARAMS(CUpti_PmSampling_CounterDataImage_Initialize, params);
    params.pPmSamplingObject = object;
    params.counterDataSize = counter_data.size();
    params.pCounterData = counter_data.data();
    return cupti_status(*api, api->cuptiPmSamplingCounterDataImageInitialize(&params), opening);
  }
  // The samples that were decoded, and whether some were lost.
  Result<std::size_t> decode(bool& lost) {
    RIDGEPOINT_CUPTI_PARAMS(CUpti_PmSampling_DecodeData, params);
    params.pPmSamplingObject = object;
    params.pCounterDataImage = counter_data.data();
    params.counterDataImageSize = counter_data.size();
    const auto code = api->cuptiPmSamplingDecodeData(&params);
    // An overflow is told by this code as well; what came before it is good.
    if (code != CUPTI_SUCCESS && code != CUPTI_ERROR_OUT_OF_MEMORY) {
      return cupti_failure(*api, code, reading);
    }
    lost = code == CUPTI_ERROR_OUT_OF_MEMORY || params.overflow != 0 ||
           params.decodeStopReason == CUPTI_PM_SAMPLING_DECODE_STOP_REASON_COUNTER_DATA_FULL;
    RIDGEPOINT_CUPTI_PARAMS(CUpti_PmSampling_GetCounterDataInfo, info);
    info.pCounterDataImage = counter_data.data();
    info.counterDataImageSize = counter_data.size();
    if (const auto told = api->cuptiPmSamplingGetCounterDataInfo(&info); told != CUPTI_SUCCESS) {
      return cupti_failure(*api, told, reading);
    }
    return info.numCompletedSamples;
  }
  Status add_sample(std::size_t index, std::uint64_t& origin_ns, PmSeries& series) {
    RIDGEPOINT_CUPTI_PARAMS(CUpti_PmSampling_CounterData_GetSampleInfo, params);
    params.pPmSamplingObject = object;
    params.pCounterDataImage = counter_data.data();
    params.counterDataImageSize = counter_data.size();
    params.sampleIndex = index;
    if (const auto code = api->cuptiPmSamplingCounterDataGetSampleInfo(&params);
        code != CUPTI_SUCCESS) {
      return cupti_status(*api, code, reading);
    }
    origin_ns = index == 0 ? params.startTimestamp : origin_ns;
    if (params.startTimestamp < origin_ns || params.endTimestamp < params.startTimestamp) {
      return fail(ErrorDomain::device, reading, "its time stamps run backwards");
    }
    Result<std::vector<double>> values = host.evaluate(counter_data, index, options.counters);
    if (!values) {
      return tl::make_unexpected(values.error());
    }
    const auto since = [&](std::uint64_t ns) {
      return static_cast<double>(ns - origin_ns) * seconds_per_ns;
    };
    series.start_s.push_back(since(params.startTimestamp));
    series.end_s.push_back(since(params.endTimestamp));
    for (std::size_t c = 0; c < values->size(); ++c) {
      series.columns[c].push_back((*values)[c]);
    }
    return {};
  }

  const CuptiApi* api;
  PmSamplerOptions options;
  // CUPTI goes on reading both images after the calls that take them.
  std::vector<std::uint8_t> available;
  ProfilerHost host;
  CounterPlan plan;
  CUpti_PmSampling_Object* object = nullptr;
  std::vector<std::uint8_t> counter_data;
};

PmSampler::PmSampler(std::unique_ptr<State> state) : state_(std::move(state)) {}
PmSampler::PmSampler(PmSampler&&) noexcept = default;
PmSampler& PmSampler::operator=(PmSampler&&) noexcept = default;
PmSampler::~PmSampler() = default;

Result<PmSampler> PmSampler::create(const CuptiApi& api, const PmSamplerOptions& options) {
  if (!has_pm_sampling(api)) {
    return fail(ErrorDomain::device, opening, "this CUPTI has no PM sampling",
                "it came with CUDA 12.6: set RIDGEPOINT_CUPTI to a later libcupti.so");
  }
  RIDGEPOINT_CUPTI_PARAMS(CUpti_Profiler_Initialize, initialize);
  if (const auto code = api.cuptiProfilerInitialize(&initialize); code != CUPTI_SUCCESS) {
    return cupti_failure(api, code, opening);
  }
  Result<std::vector<std::uint8_t>> available = availability(api, options.device);
  if (!available) {
    return tl::make_unexpected(available.error());
  }
  Result<ProfilerHost> host = ProfilerHost::create_for_pm_sampling(api, options.chip, *available);
  if (!host) {
    return tl::make_unexpected(host.error());
  }
  Result<CounterPlan> plan = host->plan(options.counters);
  if (!plan) {
    return tl::make_unexpected(plan.error());
  }
  if (plan->passes != 1) {
    return fail(ErrorDomain::device, opening,
                fmt::format("its counters need {} passes, and a run is one", plan->passes));
  }
  auto state = std::make_unique<State>(api, options, std::move(*available), std::move(*host),
                                       std::move(*plan));
  Status ready = state->enable().and_then([&] { return state->configure(); }).and_then([&] {
    return state->size_counter_data();
  });
  if (!ready) {
    return tl::make_unexpected(ready.error());
  }
  return PmSampler(std::move(state));
}

Status PmSampler::start() {
  return state_->empty_counter_data().and_then([&] {
    RIDGEPOINT_CUPTI_PARAMS(CUpti_PmSampling_Start, params);
    params.pPmSamplingObject = state_->object;
    return cupti_status(*state_->api, state_->api->cuptiPmSamplingStart(&params),
                        "starting PM sampling");
  });
}

Status PmSampler::stop() {
  RIDGEPOINT_CUPTI_PARAMS(CUpti_PmSampling_Stop, params);
  params.pPmSamplingObject = state_->object;
  return cupti_status(*state_->api, state_->api->cuptiPmSamplingStop(&params),
                      "ending PM sampling");
}

Result<PmSeries> PmSampler::take() {
  PmSeries series;
  const Result<std::size_t> samples = state_->decode(series.cut_off);
  if (!samples) {
    return tl::make_unexpected(samples.error());
  }
  series.interval_s = static_cast<double>(state_->options.interval_ns) * seconds_per_ns;
  series.names = state_->options.counters;
  series.columns.resize(series.names.size());
  std::uint64_t origin_ns = 0;
  for (std::size_t i = 0; i < *samples; ++i) {
    if (Status added = state_->add_sample(i, origin_ns, series); !added) {
      return tl::make_unexpected(added.error());
    }
  }
  return series;
}

Status PmSampler::close() {
  return state_->close();
}

}  // namespace ridgepoint::collector
