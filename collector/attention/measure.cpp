#include "collector/attention/measure.h"

#include <fmt/chrono.h>
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <ctime>
#include <optional>
#include <utility>

#include "analyzer/attention/flop.h"
#include "analyzer/session/journal.h"
#include "collector/attention/bench.h"
#include "collector/attention/phases.h"
#include "collector/attention/profiling_tools.h"
#include "collector/attention/session_parts.h"
#include "collector/ceilings/device_uuid.h"
#include "collector/ceilings/store.h"
#include "collector/cuda/device.h"
#include "collector/cupti/chip_name.h"
#include "collector/cupti/cupti_library.h"
#include "collector/nvml/power_monitor.h"
#include "collector/nvtx/scoped_range.h"

namespace ridgepoint::collector {

void report(const ProgressSink& progress, const char* phase, const std::string& text,
            std::int64_t done, std::int64_t total) {
  if (progress) {
    progress({phase, text, done, total});
  }
}

namespace {

constexpr std::chrono::milliseconds power_period{10};
// For each variant: an H200's energy counter moves every 100 ms, and ten steps are wanted.
constexpr double energy_seconds = 1.5;

Producer producer_of(const AttentionRunOptions& options) {
  Producer producer;
  producer.version = RIDGEPOINT_VERSION;
  producer.time_utc = fmt::format("{:%Y-%m-%dT%H:%M:%SZ}", fmt::gmtime(std::time(nullptr)));
  producer.command_line = options.command_line;
  producer.mode = "attention";
  std::array<char, 256> host{};
  if (options.record_host && gethostname(host.data(), host.size() - 1) == 0) {
    producer.host = host.data();
  }
  return producer;
}

// One measurement from start to end. The order of the phases is CUPTI's wish: PC sampling has to be
// switched on before kernel code is loaded and off before the range profiler starts; latency is
// timed when neither is open.
class AttentionMeasurement {
 public:
  AttentionMeasurement(const AttentionRunOptions& options, const ProgressSink& progress)
      : options_(options), progress_(progress) {
    workload_.shape = options.shape;
  }

  Result<AttentionOutcome> run() {
    for (Status (AttentionMeasurement::*phase)() :
         {&AttentionMeasurement::open_device, &AttentionMeasurement::open_profiling,
          &AttentionMeasurement::open_bench, &AttentionMeasurement::correctness,
          &AttentionMeasurement::stalls, &AttentionMeasurement::latency,
          &AttentionMeasurement::energy, &AttentionMeasurement::timeline,
          &AttentionMeasurement::over_time, &AttentionMeasurement::counters}) {
      if (Status done = (this->*phase)(); !done) {
        return tl::make_unexpected(done.error());
      }
    }
    report(progress_, "writing", options_.output.string());
    Result<Session> session = journal_->seal();
    if (!session) {
      return tl::make_unexpected(session.error());
    }
    return AttentionOutcome{std::move(*session), missing_.errors()};
  }

 private:
  // Problem, GPU and variants: everything that can be wrong with the request is found here.
  Status open_device() {
    Result<kernels::AttentionProblem> problem = problem_of(workload_.shape);
    if (!problem) {
      return tl::make_unexpected(problem.error());
    }
    problem_ = *problem;
    if (options_.warmup_runs < 0 || options_.latency_repeats < 1) {
      return fail(ErrorDomain::usage, "planning the repeats",
                  "there must be at least one repeat, and no negative number of warm-up runs");
    }
    if (Status selected = select_device(options_.device); !selected) {
      return selected;
    }
    Result<DeviceInfo> device = describe_device(options_.device);
    if (!device) {
      return tl::make_unexpected(device.error());
    }
    device_ = std::move(*device);
    take_stored_ceilings();
    Result<ChosenVariants> chosen =
        choose_variants(options_.variants, workload_.shape.direction, problem_,
                        10 * device_.compute_capability_major + device_.compute_capability_minor);
    if (!chosen) {
      return tl::make_unexpected(chosen.error());
    }
    chosen_ = std::move(chosen->variants);
    for (Issue& issue : chosen->skipped) {
      missing_.note(std::move(issue));
    }
    return {};
  }

  // What `ridgepoint ceilings` measured here earlier; a run without them is complete as well.
  void take_stored_ceilings() {
    Result<std::vector<MeasuredCeiling>> stored =
        device_uuid(options_.device).and_then([&](const std::string& uuid) {
          return stored_ceilings(ceilings_folder(), uuid, device_);
        });
    if (stored) {
      device_.measured_ceilings = std::move(*stored);
    } else {
      missing_.note({"ceilings.unreadable", format_error(stored.error())});
    }
  }

  Status open_profiling() {
    const bool wants_counters = options_.counter_profile != "none";
    Result<const CuptiApi*> api = load_cupti(cupti_candidates());
    if (!api) {
      if (wants_counters || options_.pc_sampling || options_.pm_interval_ns > 0) {
        missing_.add("cupti.unavailable", api.error());
      }
      return {};
    }
    api_ = *api;
    device_.cupti_version = cupti_version_text(*api_);
    const Result<std::string> chip = chip_name(*api_, options_.device);
    if (!chip) {
      missing_.add("cupti.unavailable", chip.error());
      api_ = nullptr;
      return {};
    }
    device_.chip = *chip;
    if (wants_counters) {
      Result<CounterTools> tools =
          prepare_counters(*api_, *chip, options_.counter_profile, missing_);
      if (!tools && tools.error().domain == ErrorDomain::usage) {
        return tl::make_unexpected(tools.error());
      }
      if (tools) {
        counter_tools_.emplace(std::move(*tools));
        report(progress_, "counters",
               fmt::format("{} counters need {} pass(es)", counter_tools_->plan.counters.size(),
                           counter_tools_->plan.passes));
      } else {
        missing_.add("counters.unavailable", tools.error());
      }
    }
    if (options_.pc_sampling) {
      sampling_ = plan_sampling(attention_flop(workload_.shape), device_);
      const Result<CUctx_st*> context = current_context();
      Result<PcSampler> sampler = context
                                      ? PcSampler::create(*api_, *context, sampling_.period_log2)
                                      : tl::make_unexpected(context.error());
      if (sampler) {
        sampler_.emplace(std::move(*sampler));
      } else {
        missing_.add("stalls.unavailable", sampler.error());
      }
    }
    return {};
  }

  Status open_bench() {
    const ScopedRange range("ridgepoint inputs");
    report(progress_, "inputs", "preparing the inputs");
    Result<AttentionBench> bench =
        AttentionBench::create(problem_, chosen_, device_, options_.seed);
    if (!bench) {
      return tl::make_unexpected(bench.error());
    }
    bench_.emplace(std::move(*bench));
    workload_.analytic_flop = attention_flop(workload_.shape);
    workload_.analytic_bytes = compulsory_bytes(workload_.shape);
    for (const MeasuredVariant& variant : chosen_) {
      VariantRun run;
      run.name = variant.name();
      run.description = variant.description();
      run.tiles = tile_infos(variant, problem_);
      run.workspace_bytes = static_cast<std::int64_t>(variant.workspace_bytes(problem_));
      run.products = variant.products();
      if (variant.backward() != nullptr) {
        run.saved_bytes = static_cast<std::int64_t>(variant.saved_bytes(problem_));
      }
      workload_.variants.push_back(std::move(run));
    }
    Result<Journal> journal = Journal::create(options_.output, {options_.force});
    if (!journal) {
      return tl::make_unexpected(journal.error());
    }
    journal_.emplace(std::move(*journal));
    Session part;
    part.producer = producer_of(options_);
    part.devices.push_back(device_);
    return append(std::move(part));
  }

  Status correctness() {
    const ScopedRange range("ridgepoint correctness");
    std::vector<Issue> issues;
    Result<std::vector<Correctness>> results =
        check_correctness(*bench_, options_.seed, issues, progress_);
    if (!results) {
      return tl::make_unexpected(results.error());
    }
    for (Issue& issue : issues) {
      missing_.note(std::move(issue));
    }
    for (std::size_t v = 0; v < results->size(); ++v) {
      workload_.variants[v].correctness = std::move((*results)[v]);
    }
    return append({});
  }

  Status stalls() {
    if (!sampler_) {
      return {};
    }
    const ScopedRange range("ridgepoint stalls");
    Result<PcSamples> samples = sample_stalls(*bench_, *sampler_, sampling_.repeats, progress_);
    if (samples) {
      samples_ = std::move(*samples);
    } else {
      missing_.add("stalls.unavailable", samples.error());
    }
    if (Status closed = sampler_->close(); !closed) {
      missing_.add("stalls.unavailable", closed.error());
    }
    sampler_.reset();
    // A launch that failed while sampled may have left the context unusable; then stop here.
    return bench_->synchronise("sampling the variants");
  }

  Status latency() {
    const ScopedRange range("ridgepoint latency");
    if (Status warm = warm_up(*bench_, options_.warmup_runs); !warm) {
      return warm;
    }
    watch_power();
    if (monitor_) {
      monitor_->begin("latency");
    }
    Result<std::vector<std::vector<double>>> latency_s =
        measure_latency(*bench_, options_.latency_repeats, progress_);
    if (!latency_s) {
      return tl::make_unexpected(latency_s.error());
    }
    if (monitor_) {
      monitor_->end();
    }
    for (std::size_t v = 0; v < latency_s->size(); ++v) {
      workload_.variants[v].latency_s = std::move((*latency_s)[v]);
    }
    return append({});
  }

  // Nothing else of the run needs NVML: without it there is one note, and no failure.
  void watch_power() {
    if (!options_.power) {
      return;
    }
    PowerMonitorOptions watch;
    watch.period = power_period;
    watch.pci_bus_id = device_.pci_bus_id;
    Result<PowerMonitor> monitor = Nvml::open().and_then(
        [&](Nvml&& nvml) { return PowerMonitor::start(std::move(nvml), watch); });
    if (monitor) {
      monitor_.emplace(std::move(*monitor));
    } else {
      missing_.note({"power.unavailable", format_error(monitor.error())});
    }
  }

  std::vector<double> typical_latency_s() const {
    std::vector<double> typical_s;
    for (const VariantRun& run : workload_.variants) {
      std::vector<double> sorted = run.latency_s;
      std::sort(sorted.begin(), sorted.end());
      typical_s.push_back(sorted.at(sorted.size() / 2));
    }
    return typical_s;
  }

  Status energy() {
    if (!monitor_) {
      return {};
    }
    const ScopedRange range("ridgepoint energy");
    Status spent = spend_energy(*bench_, typical_latency_s(), energy_seconds, *monitor_, progress_);
    Session part;
    add_power(monitor_->stop(), device_.pci_bus_id, 0, part);
    monitor_.reset();
    watched_ = !part.power.empty();
    Status appended = append(std::move(part));
    return spent ? appended : spent;
  }

  Status timeline() {
    if (api_ == nullptr) {
      return {};
    }
    const ScopedRange range("ridgepoint timeline");
    Result<std::vector<VariantTimeline>> timelines = record_timeline(*api_, *bench_);
    if (!timelines) {
      missing_.add("timeline.unavailable", timelines.error());
      return {};
    }
    timelines_ = std::move(*timelines);
    return append(tables_.kernels_and_samples(chosen_, timelines_, samples_));
  }

  Status over_time() {
    if (options_.pm_interval_ns == 0 || api_ == nullptr) {
      return {};
    }
    const ScopedRange range("ridgepoint PM sampling");
    const PmSamplingPlan plan{device_.chip, options_.device, options_.pm_interval_ns,
                              typical_latency_s()};
    Result<std::vector<PmSeries>> series = sample_over_time(*bench_, *api_, plan, progress_);
    if (!series) {
      missing_.add("pm_sampling.unavailable", series.error());
      return bench_->synchronise("sampling the variants over time");
    }
    Session part;
    part.pm_series = std::move(*series);
    return append(std::move(part));
  }

  Status counters() {
    const ScopedRange range("ridgepoint counters");
    std::optional<RangeProfiler> profiler;
    if (counter_tools_ && !timelines_.empty()) {
      const Result<CUctx_st*> context = current_context();
      Result<RangeProfiler> enabled =
          context ? RangeProfiler::enable(*api_, *context, counter_tools_->host,
                                          counter_tools_->plan, Replay::user)
                  : tl::make_unexpected(context.error());
      if (enabled) {
        profiler.emplace(std::move(*enabled));
      } else {
        missing_.add("counters.unavailable", enabled.error());
      }
    }
    for (std::size_t v = 0; v < timelines_.size(); ++v) {
      RangeValues values;
      if (profiler) {
        Result<RangeValues> measured =
            measure_counters(*bench_, chosen_[v], *profiler, timelines_[v].launches.size(),
                             counter_tools_->plan.passes, progress_);
        if (measured) {
          values = std::move(*measured);
          counted_ = true;
        } else {
          missing_.add("counters.unavailable", measured.error());
          if (Status usable = bench_->synchronise("counting the variants"); !usable) {
            return usable;
          }
        }
      }
      const std::vector<std::string> none;
      Session part =
          tables_.launches(timelines_[v], v, counter_tools_ ? counter_tools_->plan.counters : none,
                           values, workload_.variants[v].launches);
      if (Status appended = append(std::move(part)); !appended) {
        return appended;
      }
    }
    if (profiler) {
      if (Status closed = profiler->close(); !closed) {
        missing_.add("counters.unavailable", closed.error());
      }
    }
    return append({});
  }

  Policy policy() const {
    Policy policy;
    policy.counter_profile = options_.counter_profile;
    policy.replay_mode = counted_ ? "user" : "none";
    if (counted_) {
      policy.passes = static_cast<std::int64_t>(counter_tools_->plan.passes);
      policy.cache_control = fmt::format(
          "before each counter pass L2 was filled with clean lines of another buffer (by reading "
          "{} bytes); between the kernels of one variant it was left as it was",
          bench_->eviction_bytes());
    }
    policy.clock_control = "none";
    policy.warmup_runs = options_.warmup_runs;
    policy.latency_repeats = options_.latency_repeats;
    if (watched_) {
      policy.power_sampling_period_s = std::chrono::duration<double>(power_period).count();
    }
    policy.pc_sampling_period_cycles = samples_.records.empty() ? 0 : samples_.period_cycles;
    return policy;
  }

  // Every part brings the state of the single-valued sections and the issues since the last one.
  Status append(Session part) {
    part.policy = policy();
    part.attention = workload_;
    for (Issue& issue : missing_.take_issues()) {
      part.issues.push_back(std::move(issue));
    }
    return journal_->append(part);
  }

  const AttentionRunOptions& options_;
  const ProgressSink& progress_;
  kernels::AttentionProblem problem_;
  DeviceInfo device_;
  std::vector<MeasuredVariant> chosen_;
  Missing missing_;
  const CuptiApi* api_ = nullptr;
  std::optional<CounterTools> counter_tools_;
  std::optional<AttentionBench> bench_;
  SamplingPlan sampling_;
  std::optional<PcSampler> sampler_;
  std::optional<PowerMonitor> monitor_;
  bool watched_ = false;
  std::optional<Journal> journal_;
  AttentionWorkload workload_;
  PcSamples samples_;
  std::vector<VariantTimeline> timelines_;
  SessionTables tables_;
  bool counted_ = false;
};

}  // namespace

Result<AttentionOutcome> measure_attention(const AttentionRunOptions& options,
                                           const ProgressSink& progress) {
  return AttentionMeasurement(options, progress).run();
}

}  // namespace ridgepoint::collector
