// The GPU, CUPTI, the variants and the journal of an attention measurement.
#include <fmt/chrono.h>
#include <fmt/format.h>
#include <unistd.h>

#include <array>
#include <ctime>
#include <utility>

#include "analyzer/attention/flop.h"
#include "collector/attention/measurement.h"
#include "collector/ceilings/device_uuid.h"
#include "collector/ceilings/store.h"
#include "collector/cuda/device.h"
#include "collector/cupti/chip_name.h"
#include "collector/cupti/cupti_library.h"
#include "collector/nvtx/scoped_range.h"

namespace ridgepoint::collector {
namespace {

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

}  // namespace

// Problem, GPU and variants: everything that can be wrong with the request is found here.
Status AttentionMeasurement::open_device() {
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
void AttentionMeasurement::take_stored_ceilings() {
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

Status AttentionMeasurement::open_profiling() {
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
  if (Status opened = wants_counters ? open_counters() : Status(); !opened) {
    return opened;
  }
  if (options_.pc_sampling) {
    open_sampler();
  }
  return {};
}

// Fails only for counters that nobody knows; those that are refused are noted.
Status AttentionMeasurement::open_counters() {
  Result<CounterTools> tools =
      prepare_counters(*api_, device_.chip, options_.counter_profile, missing_);
  if (!tools && tools.error().domain == ErrorDomain::usage) {
    return tl::make_unexpected(tools.error());
  }
  if (!tools) {
    missing_.add("counters.unavailable", tools.error());
    return {};
  }
  counter_tools_.emplace(std::move(*tools));
  report(progress_, "counters",
         fmt::format("{} counters need {} pass(es)", counter_tools_->plan.counters.size(),
                     counter_tools_->plan.passes));
  return {};
}

void AttentionMeasurement::open_sampler() {
  sampling_ = plan_sampling(attention_flop(workload_.shape), device_);
  const Result<CUctx_st*> context = current_context();
  Result<PcSampler> sampler = context ? PcSampler::create(*api_, *context, sampling_.period_log2)
                                      : tl::make_unexpected(context.error());
  if (sampler) {
    sampler_.emplace(std::move(*sampler));
  } else {
    missing_.add("stalls.unavailable", sampler.error());
  }
}

Status AttentionMeasurement::open_bench() {
  const ScopedRange range("ridgepoint inputs");
  report(progress_, "inputs", "preparing the inputs");
  Result<AttentionBench> bench = AttentionBench::create(problem_, chosen_, device_, options_.seed);
  if (!bench) {
    return tl::make_unexpected(bench.error());
  }
  bench_.emplace(std::move(*bench));
  describe_variants();
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

void AttentionMeasurement::describe_variants() {
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
}

}  // namespace ridgepoint::collector
