// PM sampling: hardware counters read at a fixed interval while work runs, whatever kernels it is
// made of. The GPU fills a buffer by itself; nothing is replayed and nothing is serialised.
//
// Life cycle: create() for a device -> start() work stop() -> take() -> close(), or the destructor.
// While a sampler is open no other profiler can have the device's counters.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "analyzer/core/error.h"
#include "analyzer/session/session.h"

namespace ridgepoint::collector {

struct CuptiApi;

struct PmSamplerOptions {
  int device = 0;
  std::string chip;                   // CUPTI's name
  std::vector<std::string> counters;  // that one pass can read
  std::int64_t interval_ns = 0;
  std::size_t most_samples = 0;  // of one start() to stop(); what comes later is lost
};

class PmSampler {
 public:
  static Result<PmSampler> create(const CuptiApi& api, const PmSamplerOptions& options);
  PmSampler(PmSampler&&) noexcept;
  PmSampler& operator=(PmSampler&&) noexcept;
  ~PmSampler();

  Status start();
  Status stop();  // the device must be idle
  // What was sampled; `variant` and `device` are left to the caller.
  Result<PmSeries> take();
  Status close();

 private:
  struct State;
  explicit PmSampler(std::unique_ptr<State> state);
  std::unique_ptr<State> state_;
};

}  // namespace ridgepoint::collector
