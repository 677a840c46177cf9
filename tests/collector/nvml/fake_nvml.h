// An NVML that needs no driver: two GPUs whose values a test sets. One at a time, since NVML's
// functions carry no user data.
#pragma once

#include <atomic>
#include <cstring>
#include <optional>
#include <string>
#include <vector>

#include "collector/nvml/nvml_api.h"

struct nvmlDevice_st {
  int index;
};

namespace ridgepoint::test {

class FakeNvml {
 public:
  FakeNvml() { current() = this; }
  ~FakeNvml() { current() = nullptr; }
  FakeNvml(const FakeNvml&) = delete;
  FakeNvml& operator=(const FakeNvml&) = delete;

  std::vector<std::string> bus_ids = {"00000000:19:00.0", "00000000:3B:00.0"};
  int start_code = collector::nvml_success;
  std::atomic<unsigned> milliwatt{500000};
  std::atomic<unsigned> sm_mhz{1980};
  std::atomic<unsigned long long> reasons{0};
  // The total grows by this with every question.
  std::atomic<unsigned long long> millijoule{1000};
  unsigned long long millijoule_a_read = 100;
  bool has_energy = true;
  bool has_instant_power = false;
  unsigned mig = 0;
  int virtualization = 0;
  // Confidential computing; an empty code: this NVML does not have the function.
  std::optional<int> settings_code;
  std::optional<int> state_code;
  unsigned confidential = 0;
  unsigned devtools = 0;
  unsigned multi_gpu = 0;

  std::atomic<int> starts{0};
  std::atomic<int> stops{0};
  std::atomic<int> reads{0};

  static FakeNvml*& current() {
    static FakeNvml* fake = nullptr;
    return fake;
  }
  static nvmlDevice_st* device(unsigned index) {
    static nvmlDevice_st devices[] = {{0}, {1}};
    return &devices[index];
  }

  collector::NvmlApi api() {
    collector::NvmlApi api;
    api.nvmlInit_v2 = [] {
      ++current()->starts;
      return current()->start_code;
    };
    api.nvmlShutdown = [] {
      ++current()->stops;
      return 0;
    };
    api.nvmlErrorString = [](int) { return "Driver Not Loaded"; };
    api.nvmlDeviceGetCount_v2 = [](unsigned* count) {
      *count = static_cast<unsigned>(current()->bus_ids.size());
      return 0;
    };
    api.nvmlDeviceGetHandleByIndex_v2 = [](unsigned index, collector::NvmlDevice* handle) {
      *handle = device(index);
      return 0;
    };
    api.nvmlDeviceGetPciInfo_v3 = [](collector::NvmlDevice handle, collector::NvmlPciInfo* pci) {
      const std::string& id = current()->bus_ids[static_cast<std::size_t>(handle->index)];
      std::strncpy(pci->bus_id, id.c_str(), sizeof(pci->bus_id) - 1);
      return 0;
    };
    api.nvmlDeviceGetClockInfo = [](collector::NvmlDevice, int clock, unsigned* mhz) {
      *mhz = clock == collector::nvml_clock_sm ? current()->sm_mhz.load() : 3201U;
      return 0;
    };
    api.nvmlDeviceGetPowerUsage = [](collector::NvmlDevice, unsigned* read) {
      ++current()->reads;
      *read = current()->milliwatt;
      return 0;
    };
    api.nvmlDeviceGetFieldValues = [](collector::NvmlDevice, int,
                                      collector::NvmlFieldValue* value) {
      value->status = current()->has_instant_power ? 0 : collector::nvml_not_supported;
      value->value_type = collector::nvml_value_unsigned_int;
      value->value.integer = 700000;
      return 0;
    };
    api.nvmlDeviceGetTotalEnergyConsumption = [](collector::NvmlDevice, unsigned long long* total) {
      *total = current()->millijoule += current()->millijoule_a_read;
      return current()->has_energy ? 0 : collector::nvml_not_supported;
    };
    api.nvmlDeviceGetTemperature = [](collector::NvmlDevice, int, unsigned* celsius) {
      *celsius = 45;
      return 0;
    };
    api.nvmlDeviceGetCurrentClocksThrottleReasons = [](collector::NvmlDevice,
                                                       unsigned long long* bits) {
      *bits = current()->reasons;
      return 0;
    };
    add_partitioning(api);
    add_confidential_computing(api);
    return api;
  }

 private:
  static void add_partitioning(collector::NvmlApi& api) {
    api.nvmlDeviceGetName = [](collector::NvmlDevice, char* name, unsigned bytes) {
      std::strncpy(name, "NVIDIA H200", bytes);
      return 0;
    };
    api.nvmlDeviceGetMigMode = [](collector::NvmlDevice device, unsigned* now, unsigned* pending) {
      *now = *pending = device->index == 1 ? current()->mig : 0;
      return 0;
    };
    api.nvmlDeviceGetVirtualizationMode = [](collector::NvmlDevice, int* mode) {
      *mode = current()->virtualization;
      return 0;
    };
  }

  void add_confidential_computing(collector::NvmlApi& api) const {
    if (settings_code) {
      api.nvmlSystemGetConfComputeSettings = [](collector::NvmlConfidentialSettings* settings) {
        constexpr int argument_version_mismatch = 25;  // NVML_ERROR_ARGUMENT_VERSION_MISMATCH
        if (settings->version != (20U | (1U << 24U))) {
          return argument_version_mismatch;
        }
        settings->feature = current()->confidential;
        settings->devtools = current()->devtools;
        settings->multi_gpu = current()->multi_gpu;
        return *current()->settings_code;
      };
    }
    if (state_code) {
      api.nvmlSystemGetConfComputeState = [](collector::NvmlConfidentialState* state) {
        state->feature = current()->confidential;
        state->devtools = current()->devtools;
        return *current()->state_code;
      };
    }
  }
};

}  // namespace ridgepoint::test
