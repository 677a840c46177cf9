#include "collector/ceilings/measure.h"

#include <cuda_runtime_api.h>
#include <fmt/chrono.h>
#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <ctime>
#include <optional>
#include <utility>

#include "collector/ceilings/device_uuid.h"
#include "collector/ceilings/probe_timer.h"
#include "collector/cuda/cuda_error.h"
#include "collector/cuda/device.h"
#include "collector/cupti/chip_name.h"
#include "collector/cupti/cupti_library.h"
#include "collector/nvml/power_monitor.h"
#include "kernels/ceilings/probes.h"

namespace ridgepoint::collector {
namespace {

using kernels::ceilings::Probe;
using kernels::ceilings::ProbeDevice;

constexpr ProbeEffort thorough = {10e-3, 31};
constexpr ProbeEffort quick = {2e-3, 11};

Producer producer_of(const CeilingRunOptions& options) {
  Producer producer;
  producer.version = RIDGEPOINT_VERSION;
  producer.time_utc = fmt::format("{:%Y-%m-%dT%H:%M:%SZ}", fmt::gmtime(std::time(nullptr)));
  producer.command_line = options.command_line;
  producer.mode = "ceilings";
  return producer;
}

// CUPTI's name of the chip, by which its description is found; without it the compute capability
// does.
std::string chip_or_empty(int device, std::string& cupti_version) {
  const Result<const CuptiApi*> api = load_cupti(cupti_candidates());
  if (!api) {
    return {};
  }
  cupti_version = cupti_version_text(**api);
  return chip_name(**api, device).value_or(std::string());
}

// A mean of fewer than 20 samples says little of what ran: --quick gives no power.
constexpr std::chrono::milliseconds power_period{10};
constexpr std::int64_t shortest_power_ns = 200'000'000;

Result<PowerMonitor> watch_power(const DeviceInfo& device) {
  PowerMonitorOptions options;
  options.period = power_period;
  options.pci_bus_id = device.pci_bus_id;
  return Nvml::open().and_then(
      [&](Nvml&& nvml) { return PowerMonitor::start(std::move(nvml), options); });
}

void set_power(std::vector<MeasuredCeiling>& ceilings, const std::vector<WatchedGpu>& watched) {
  for (const WatchedGpu& gpu : watched) {
    for (const PowerPhase& phase : gpu.phases) {
      const auto found =
          std::find_if(ceilings.begin(), ceilings.end(),
                       [&](const MeasuredCeiling& one) { return one.name == phase.name; });
      if (found != ceilings.end() && phase.end_ns - phase.start_ns >= shortest_power_ns) {
        found->power_w = phase.power_mean_w;
      }
    }
  }
}

Issue not_measured_issue(const Probe& probe, const std::string& why) {
  return {"ceilings.not_measured",
          fmt::format("{} by {} was not measured: {}", probe.ceiling, probe.method, why)};
}

}  // namespace

Result<CeilingOutcome> measure_ceilings(const CeilingRunOptions& options,
                                        const CeilingProgress& progress) {
  if (Status selected = select_device(options.device); !selected) {
    return tl::make_unexpected(selected.error());
  }
  Result<DeviceInfo> device = describe_device(options.device);
  if (!device) {
    return tl::make_unexpected(device.error());
  }
  device->chip = chip_or_empty(options.device, device->cupti_version);
  Result<std::string> uuid = device_uuid(options.device);
  if (!uuid) {
    return tl::make_unexpected(uuid.error());
  }
  std::size_t free_bytes = 0;
  std::size_t total_bytes = 0;
  if (const cudaError_t code = cudaMemGetInfo(&free_bytes, &total_bytes); code != cudaSuccess) {
    return cuda_failure(code, "asking for the free device memory");
  }
  const ProbeDevice probed = {static_cast<int>(device->sm_count), free_bytes,
                              static_cast<std::size_t>(device->l2_bytes)};
  const int capability = 10 * device->compute_capability_major + device->compute_capability_minor;
  const ProbeEffort& effort = options.quick ? quick : thorough;

  Result<PowerMonitor> monitor = watch_power(*device);
  ProbeWatch watch;
  if (monitor) {
    watch.begin = [&](const std::string& name) { monitor->begin(name); };
    watch.end = [&] { monitor->end(); };
  }

  CeilingOutcome outcome;
  if (!monitor) {
    outcome.session.issues.push_back({"power.unavailable", format_error(monitor.error())});
  }
  outcome.uuid = std::move(*uuid);
  const auto& probes = kernels::ceilings::probes();
  for (std::size_t i = 0; i < probes.size(); ++i) {
    const Probe& probe = *probes[i];
    if (progress) {
      progress(fmt::format("{} by {}", probe.ceiling, probe.method), i, probes.size());
    }
    if (!runs_on(probe, capability)) {
      outcome.session.issues.push_back(not_measured_issue(
          probe, fmt::format("this build has no such instruction for compute capability {}.{}",
                             device->compute_capability_major, device->compute_capability_minor)));
      continue;
    }
    Result<MeasuredCeiling> measured = time_probe(probe, probed, effort, watch);
    if (!measured) {
      // A fault on the device, other than too little memory, spoils whatever would follow.
      if (cudaPeekAtLastError() != cudaSuccess && cudaDeviceSynchronize() != cudaSuccess) {
        return tl::make_unexpected(measured.error());
      }
      outcome.session.issues.push_back(not_measured_issue(probe, measured.error().why));
      continue;
    }
    device->measured_ceilings.push_back(std::move(*measured));
  }
  if (monitor) {
    set_power(device->measured_ceilings, monitor->stop());
  }
  if (device->measured_ceilings.empty()) {
    return fail(ErrorDomain::device, "measuring ceilings",
                "no micro-benchmark runs on " + device->name, "compute capability 8.0 is needed");
  }
  outcome.session.producer = producer_of(options);
  outcome.session.policy.counter_profile = "none";
  outcome.session.policy.replay_mode = "none";
  outcome.session.policy.clock_control = "none";
  outcome.session.policy.latency_repeats = effort.repeats;
  outcome.session.devices.push_back(std::move(*device));
  return outcome;
}

}  // namespace ridgepoint::collector
