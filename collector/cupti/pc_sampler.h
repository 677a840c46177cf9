// PC sampling: where the warps of each kernel are, and why they do not issue.
//
// Life cycle: create() right after the context exists and before any kernel's code is loaded (CUPTI
// maps samples to instructions only for code it saw being loaded; later it counts samples without
// their addresses) -> start() work stop() as often as wanted -> take() -> close(). Or, with
// Control::whole_context, samples are taken from create() on: collect() -> take() now and then,
// from any thread but one at a time, close(), which fetches the rest, -> take(). While a sampler is
// open the range profiler cannot be used on the context.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "analyzer/core/error.h"

struct CUctx_st;

namespace ridgepoint::collector {

struct CuptiApi;

struct PcRecord {
  std::string function;  // mangled, as the driver names it
  std::uint64_t cubin_crc = 0;
  std::uint64_t pc_offset = 0;
  std::uint32_t reason = 0;  // index into PcSamples::reasons
  std::uint64_t samples = 0;
  std::uint64_t samples_not_issued = 0;
};

struct PcSamples {
  std::vector<std::string> reasons;  // "long_scoreboard", in CUPTI's order
  std::vector<PcRecord> records;
  std::uint64_t total = 0;
  std::uint64_t dropped = 0;  // by the hardware
  std::uint64_t outside = 0;  // in kernels of the driver, which have no records
  bool hardware_buffer_full = false;
  std::uint64_t left_behind = 0;  // instructions that had no room when sampling was switched off
  std::uint32_t period_cycles = 0;
};

// CUPTI's name of a stall reason in two parts: "smsp__pcsamp_warps_issue_stalled_wait_not_issued"
// is the reason "wait", of samples taken while the scheduler issued nothing.
struct StallReasonName {
  std::string reason;
  bool not_issued = false;
};
// Empty for names of another kind: CUPTI lists two totals among the reasons
// ("smsp__pcsamp_sample_count"), which never hold samples of an instruction.
std::optional<StallReasonName> parse_stall_reason(const std::string& cupti_name);

class PcSampler {
 public:
  enum class Control { start_stop, whole_context };
  // One sample every 2^period_log2 cycles on each SM (5 to 31).
  static Result<PcSampler> create(const CuptiApi& api, CUctx_st* context, std::uint32_t period_log2,
                                  Control control = Control::start_stop);
  PcSampler(PcSampler&&) noexcept;
  PcSampler& operator=(PcSampler&&) noexcept;
  ~PcSampler();

  Status start();
  Status stop();  // the device must be idle; collects what was sampled
  // Fetches what CUPTI has decoded until now; waits for nothing. Also before code is unloaded,
  // whose addresses other code may get.
  Status collect();
  Result<PcSamples> take();
  Status close();

 private:
  struct State;
  explicit PcSampler(std::unique_ptr<State> state);
  std::unique_ptr<State> state_;
};

}  // namespace ridgepoint::collector
