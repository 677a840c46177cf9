#include "collector/inject/pm_sampling.h"

#include <fmt/format.h>

#include <utility>

#include "analyzer/core/text.h"
#include "collector/cupti/cupti_api.h"
#include "collector/cupti/pm_counters.h"
#include "collector/inject/recorder.h"

namespace ridgepoint::collector {
namespace {

// A kernel that is over sooner has no course to speak of.
constexpr int fewest_samples = 5;
// Of one launch: 164 ms at the default interval; the GPU's buffer has room for about as many.
constexpr std::size_t most_samples = 8192;
// Launches of a session: each is a chart in its reports.
constexpr std::size_t most_series = 32;

}  // namespace

bool PmSampling::wants(const Launch& launch) {
  const std::lock_guard<std::mutex> lock(mutex_);
  if (left_alone_.count(launch.key) != 0 || devices_[launch.device].refused) {
    return false;
  }
  beyond_ += series_ >= most_series ? 1 : 0;
  return series_ < most_series;
}

void PmSampling::refuse(Device& device, const Error& error) {
  device.refused = true;
  device.sampler.reset();
  recorder_.issue_once("pm_sampling.unavailable",
                       printable(error.what + ": " + error.why +
                                 (error.hint.empty() ? "" : " (" + error.hint + ")")));
}

Status PmSampling::open(Device& device, std::uint32_t ordinal, const std::string& chip) {
  if (device.sampler) {
    return {};
  }
  const Result<std::vector<std::string>> counters = pm_sampling_counters(chip, data_);
  if (!counters) {
    return tl::make_unexpected(counters.error());
  }
  PmSamplerOptions options;
  options.device = static_cast<int>(ordinal);
  options.chip = chip;
  options.counters = *counters;
  options.interval_ns = interval_ns_;
  options.most_samples = most_samples;
  Result<PmSampler> sampler = PmSampler::create(api_, options);
  if (!sampler) {
    return tl::make_unexpected(sampler.error());
  }
  device.sampler.emplace(std::move(*sampler));
  return {};
}

bool PmSampling::start(const Launch& launch, const std::string& chip) {
  const std::lock_guard<std::mutex> lock(mutex_);
  Device& device = devices_[launch.device];
  if (device.refused) {
    return false;
  }
  if (device.at_work) {
    recorder_.issue_once("pm_sampling.beside",
                         "Launches were not sampled because another context of the process had one "
                         "sampled on the same GPU.");
    return false;
  }
  const Status started =
      open(device, launch.device, chip).and_then([&] { return device.sampler->start(); });
  if (!started) {
    refuse(device, started.error());
    return false;
  }
  device.at_work = true;
  device.since = std::chrono::steady_clock::now();
  return true;
}

void PmSampling::end(const Launch& launch, const std::string& mangled, End how) {
  const auto now = std::chrono::steady_clock::now();
  const std::lock_guard<std::mutex> lock(mutex_);
  Device& device = devices_[launch.device];
  device.at_work = false;
  if (!device.sampler) {
    return;  // closed meanwhile
  }
  const Status stopped = device.sampler->stop();  // in any case
  if (how == End::kernel_runs_on) {
    left_alone_.insert(launch.key);
    recorder_.issue_once(
        "pm_sampling.waits",
        fmt::format("{} did not end within --replay-timeout and has no samples: it "
                    "may wait for a later launch.",
                    printable(demangle(mangled))));
    // Stopped beneath a kernel that runs, it may not start again.
    device.sampler.reset();
    return;
  }
  if (!stopped) {
    refuse(device, stopped.error());
    return;
  }
  if (how == End::failed_launch) {
    return;
  }
  // The time of the launch call is in it: a kernel that just fails this is kept.
  if (now - device.since < std::chrono::nanoseconds(fewest_samples * interval_ns_)) {
    left_alone_.insert(launch.key);
    ++too_short_;
    return;
  }
  Result<PmSeries> series = device.sampler->take();
  if (!series) {
    refuse(device, series.error());
    return;
  }
  series->nth = launch.nth;
  recorder_.over_time(launch.device, mangled, std::move(*series));
  ++series_;
}

void PmSampling::close() {
  const std::lock_guard<std::mutex> lock(mutex_);
  for (auto& [ordinal, device] : devices_) {
    device.sampler.reset();
    device.refused = true;  // nothing opens it again
  }
}

void PmSampling::add_closing_issues() {
  const std::lock_guard<std::mutex> lock(mutex_);
  const double interval_us = static_cast<double>(interval_ns_) * 1e-3;
  if (too_short_ != 0) {
    recorder_.issue("pm_sampling.too_short",
                    fmt::format("{} kernels, or shapes of one, were over within {} samples of {:g} "
                                "us and have none. --min-duration keeps them out, "
                                "--pm-sampling=US samples more often.",
                                too_short_, fewest_samples, interval_us));
  }
  if (beyond_ != 0) {
    recorder_.issue("pm_sampling.limit",
                    fmt::format("{} more launches were let through by the filters: a session keeps "
                                "the samples of {}.",
                                beyond_, most_series));
  }
}

}  // namespace ridgepoint::collector
