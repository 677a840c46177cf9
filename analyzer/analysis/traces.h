// Series over time, as reports draw them. Seconds, watts, hertz; NaN where nothing was measured.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace ridgepoint {

struct PowerPhaseTrace {
  std::string name;     // "latency", "energy", "program"
  std::string variant;  // the one that ran alone, or empty
  double start_s = 0;   // after the first sample of the trace
  double duration_s = 0;
  std::int64_t runs = 0;
  std::optional<double> power_w;   // by the energy counter where the phase is long enough for it
  std::optional<double> energy_j;  // of the whole phase
  std::optional<double> sm_clock_min_hz, sm_clock_mean_hz, sm_clock_max_hz;  // while busy
  std::optional<double> temperature_max_c;
  std::optional<double> power_capped_share;  // of the samples
  std::optional<double> slowed_share;
};

// One device over the run.
struct PowerTrace {
  std::uint32_t device = 0;
  std::vector<double> time_s;  // ascending, from 0
  std::vector<double> power_w;
  std::vector<double> sm_clock_hz;
  std::vector<double> memory_clock_hz;
  std::vector<double> temperature_c;
  std::vector<PowerPhaseTrace> phases;
};

struct PmChannel {
  std::string id;           // "hbm_read_share"
  std::string unit;         // "share"
  std::string description;  // what it counts
  std::vector<double> values;
};

// Activity within one run of a variant, or within one launch of a profiled program, from the first
// sample in which an SM was busy to the last.
struct PmTrace {
  std::string variant;   // empty for a launch
  std::string kernel;    // of a launch: the kernel's full name
  std::int64_t nth = 0;  // which of its launches on the device, from 1
  std::uint32_t device = 0;
  double interval_s = 0;
  bool cut_off = false;
  std::vector<double> time_s;  // middles of the samples, after the start of the first
  double duration_s = 0;
  std::vector<PmChannel> channels;
};

}  // namespace ridgepoint
