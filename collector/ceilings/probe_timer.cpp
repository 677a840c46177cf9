#include "collector/ceilings/probe_timer.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <utility>
#include <vector>

#include "analyzer/analysis/latency.h"
#include "collector/cuda/cuda_error.h"
#include "collector/cuda/handles.h"

namespace ridgepoint::collector {
namespace {

using kernels::ceilings::BlockClock;
using kernels::ceilings::Probe;
using kernels::ceilings::ProbeDevice;
using kernels::ceilings::ProbeRun;
using kernels::ceilings::ProbeShape;

constexpr double seconds_per_ms = 1e-3;
// Doubled from one iteration until a launch takes as long as is needed to scale from there.
constexpr double calibration_s = 0.5e-3;
constexpr double warmup_s = 0.1;
constexpr int most_iterations = 1 << 28;

// What a probe runs with: its memory, a stream, and two events a repeat.
class Bench {
 public:
  static Result<Bench> create(const Probe& probe, const ProbeDevice& device, int repeats) {
    Bench bench(probe, probe.shape(device), repeats);
    const std::string what = bench.what_;
    if (bench.shape_.work_per_iteration <= 0) {
      return fail(ErrorDomain::device, what, "too little device memory is free");
    }
    Result<DeviceMemory> buffer =
        allocate_device(bench.shape_.buffer_bytes, "the buffer of a ceiling probe");
    Result<DeviceMemory> clocks =
        allocate_device(bench.records() * static_cast<std::size_t>(repeats) * sizeof(BlockClock),
                        "the clocks of a ceiling probe");
    Result<Stream> stream = create_stream();
    if (!buffer || !clocks || !stream) {
      return tl::make_unexpected(!buffer ? buffer.error()
                                         : (!clocks ? clocks.error() : stream.error()));
    }
    bench.buffer_ = std::move(*buffer);
    bench.clocks_ = std::move(*clocks);
    bench.stream_ = std::move(*stream);
    constexpr int some_bits = 0x5A;
    if (bench.buffer_) {
      if (const cudaError_t code = cudaMemsetAsync(bench.buffer_.get(), some_bits,
                                                   bench.shape_.buffer_bytes, bench.stream_.get());
          code != cudaSuccess) {
        return cuda_failure(code, what);
      }
    }
    return bench;
  }

  // Queues `repeats` launches and gives the seconds of each.
  Result<std::vector<double>> time(int iterations, int repeats) {
    std::vector<Event> events;
    for (int i = 0; i < 2 * repeats; ++i) {
      Result<Event> event = create_event();
      if (!event) {
        return tl::make_unexpected(event.error());
      }
      events.push_back(std::move(*event));
    }
    const auto at = [&](int i) { return events[static_cast<std::size_t>(i)].get(); };
    for (int i = 0; i < repeats; ++i) {
      BlockClock* clocks = static_cast<BlockClock*>(clocks_.get()) +
                           records() * static_cast<std::size_t>(i % repeats_);
      const Status queued =
          cuda_status(cudaEventRecord(at(2 * i), stream_.get()), what_)
              .and_then([&] {
                return cuda_status(
                    probe_->launch(shape_, {buffer_.get(), clocks, iterations, stream_.get()}),
                    what_);
              })
              .and_then([&] {
                return cuda_status(cudaEventRecord(at(2 * i + 1), stream_.get()), what_);
              });
      if (!queued) {
        return tl::make_unexpected(queued.error());
      }
    }
    if (Status done = cuda_status(cudaStreamSynchronize(stream_.get()), what_); !done) {
      return tl::make_unexpected(done.error());
    }
    std::vector<double> seconds;
    for (int i = 0; i < repeats; ++i) {
      float ms = 0;
      if (const cudaError_t code = cudaEventElapsedTime(&ms, at(2 * i), at(2 * i + 1));
          code != cudaSuccess) {
        return cuda_failure(code, what_);
      }
      seconds.push_back(static_cast<double>(ms) * seconds_per_ms);
    }
    return seconds;
  }

  // Iterations that make a launch last `launch_s`.
  Result<int> calibrate(double launch_s) {
    // The first launch also loads the kernel, which can take longer than all that it does.
    if (Result<std::vector<double>> loaded = time(1, 1); !loaded) {
      return tl::make_unexpected(loaded.error());
    }
    for (int iterations = 1;; iterations *= 2) {
      const Result<std::vector<double>> seconds = time(iterations, 1);
      if (!seconds) {
        return tl::make_unexpected(seconds.error());
      }
      const double took = seconds->front();
      if (took >= calibration_s || iterations >= most_iterations) {
        const double wanted = std::ceil(iterations * launch_s / std::max(took, 1e-6));
        return static_cast<int>(std::clamp(wanted, 1.0, double{most_iterations}));
      }
    }
  }

  // The median over the last repeats: cycles of all blocks over their nanoseconds.
  Result<double> sm_clock_hz() const {
    std::vector<BlockClock> clocks(records() * static_cast<std::size_t>(repeats_));
    if (const cudaError_t code =
            cudaMemcpy(clocks.data(), clocks_.get(), clocks.size() * sizeof(BlockClock),
                       cudaMemcpyDeviceToHost);
        code != cudaSuccess) {
      return cuda_failure(code, what_);
    }
    std::vector<double> seen;
    for (auto launch = clocks.begin(); launch != clocks.end();
         launch += static_cast<std::ptrdiff_t>(records())) {
      double cycles = 0;
      double nanoseconds = 0;
      for (auto block = launch; block != launch + shape_.blocks; ++block) {
        cycles += static_cast<double>(block->cycles);
        nanoseconds += static_cast<double>(block->nanoseconds);
      }
      if (nanoseconds > 0) {
        seen.push_back(cycles / nanoseconds * 1e9);
      }
    }
    std::sort(seen.begin(), seen.end());
    return seen.empty() ? 0.0 : quantile(seen, 0.5);
  }

  const ProbeShape& shape() const { return shape_; }

 private:
  Bench(const Probe& probe, ProbeShape shape, int repeats)
      : probe_(&probe),
        shape_(shape),
        repeats_(repeats),
        what_(fmt::format("measuring the ceiling {} by {}", probe.ceiling, probe.method)) {}

  std::size_t records() const { return static_cast<std::size_t>(shape_.blocks) + 1; }

  const Probe* probe_;
  ProbeShape shape_;
  int repeats_;  // that the clocks have room for; more launches use them again
  std::string what_;
  DeviceMemory buffer_;
  DeviceMemory clocks_;
  Stream stream_;
};

}  // namespace

Result<MeasuredCeiling> time_probe(const Probe& probe, const ProbeDevice& device,
                                   const ProbeEffort& effort, const ProbeWatch& watch) {
  Result<Bench> bench = Bench::create(probe, device, effort.repeats);
  if (!bench) {
    return tl::make_unexpected(bench.error());
  }
  const Result<int> iterations = bench->calibrate(effort.launch_s);
  if (!iterations) {
    return tl::make_unexpected(iterations.error());
  }
  // The first round brings the device to the clock of this load, and touches memory that is new.
  const int warmup =
      std::max(effort.repeats / 3, static_cast<int>(std::ceil(warmup_s / effort.launch_s)));
  const std::string name = fmt::format("{}.{}", probe.ceiling, probe.method);
  Result<std::vector<double>> seconds =
      bench->time(*iterations, warmup).and_then([&](const std::vector<double>& /*warming_up*/) {
        if (watch.begin) {
          watch.begin(name);
        }
        Result<std::vector<double>> timed = bench->time(*iterations, effort.repeats);
        if (watch.end) {
          watch.end();
        }
        return timed;
      });
  if (!seconds) {
    return tl::make_unexpected(seconds.error());
  }
  const Result<double> clock = bench->sm_clock_hz();
  if (!clock) {
    return tl::make_unexpected(clock.error());
  }
  std::vector<double> rates;
  for (const double s : *seconds) {
    rates.push_back(bench->shape().work_per_iteration * *iterations / s);
  }
  std::sort(rates.begin(), rates.end());
  MeasuredCeiling ceiling;
  ceiling.name = name;
  ceiling.value = quantile(rates, 0.5);
  const auto [low, high] = median_ci95(rates);
  ceiling.ci95_half = std::max(ceiling.value - low, high - ceiling.value);
  ceiling.sm_clock_hz = *clock;
  return ceiling;
}

}  // namespace ridgepoint::collector
