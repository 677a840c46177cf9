#include "collector/nvml/power_reader.h"

#include <algorithm>
#include <array>
#include <string_view>
#include <utility>

#include "analyzer/core/text.h"
#include "collector/nvml/nvml_library.h"

namespace ridgepoint::collector {
namespace {

constexpr double watt_per_milliwatt = 1e-3;
constexpr double joule_per_millijoule = 1e-3;
constexpr double hz_per_mhz = 1e6;

double power_w(const NvmlApi& nvml, NvmlDevice device) {
  if (nvml.nvmlDeviceGetFieldValues != nullptr) {
    NvmlFieldValue value = {};
    value.field_id = nvml_field_power_instant;
    if (nvml.nvmlDeviceGetFieldValues(device, 1, &value) == nvml_success &&
        value.status == nvml_success && value.value_type == nvml_value_unsigned_int) {
      return value.value.integer * watt_per_milliwatt;
    }
  }
  unsigned milliwatt = 0;
  return nvml.nvmlDeviceGetPowerUsage != nullptr &&
                 nvml.nvmlDeviceGetPowerUsage(device, &milliwatt) == nvml_success
             ? milliwatt * watt_per_milliwatt
             : not_measured;
}

std::optional<double> clock_hz(const NvmlApi& nvml, NvmlDevice device, int clock) {
  unsigned mhz = 0;
  return nvml.nvmlDeviceGetClockInfo != nullptr &&
                 nvml.nvmlDeviceGetClockInfo(device, clock, &mhz) == nvml_success
             ? std::optional<double>(mhz * hz_per_mhz)
             : std::nullopt;
}

// "0:19:00.0", lower case: the domain without its leading zeros.
std::string plain_bus_id(std::string_view id) {
  std::string plain(id.substr(std::min(id.find_first_not_of('0'), id.size())));
  if (!plain.empty() && plain.front() == ':') {
    plain.insert(0, "0");
  }
  return lower_case(std::move(plain));
}

}  // namespace

bool same_pci_bus_id(const std::string& one, const std::string& other) {
  return !one.empty() && plain_bus_id(one) == plain_bus_id(other);
}

std::vector<NvmlGpu> nvml_gpus(const NvmlApi& nvml) {
  std::vector<NvmlGpu> gpus;
  if (nvml.nvmlDeviceGetPciInfo_v3 == nullptr) {
    return gpus;
  }
  for (const NvmlDevice handle : nvml_devices(nvml).value_or(std::vector<NvmlDevice>())) {
    NvmlPciInfo pci = {};
    if (handle != nullptr && nvml.nvmlDeviceGetPciInfo_v3(handle, &pci) == nvml_success) {
      pci.bus_id[sizeof(pci.bus_id) - 1] = '\0';
      gpus.push_back({handle, pci.bus_id});
    }
  }
  return gpus;
}

PowerSample read_power(const NvmlApi& nvml, NvmlDevice device) {
  PowerSample sample;
  sample.power_w = power_w(nvml, device);
  unsigned long long millijoule = 0;
  if (nvml.nvmlDeviceGetTotalEnergyConsumption != nullptr &&
      nvml.nvmlDeviceGetTotalEnergyConsumption(device, &millijoule) == nvml_success) {
    sample.energy_j = static_cast<double>(millijoule) * joule_per_millijoule;
  }
  sample.sm_clock_hz = clock_hz(nvml, device, nvml_clock_sm);
  sample.memory_clock_hz = clock_hz(nvml, device, nvml_clock_mem);
  unsigned celsius = 0;
  if (nvml.nvmlDeviceGetTemperature != nullptr &&
      nvml.nvmlDeviceGetTemperature(device, nvml_temperature_gpu, &celsius) == nvml_success) {
    sample.temperature_c = celsius;
  }
  unsigned long long reasons = 0;
  if (nvml.nvmlDeviceGetCurrentClocksThrottleReasons != nullptr &&
      nvml.nvmlDeviceGetCurrentClocksThrottleReasons(device, &reasons) == nvml_success) {
    sample.clock_reasons = static_cast<std::int64_t>(reasons);
  }
  return sample;
}

}  // namespace ridgepoint::collector
