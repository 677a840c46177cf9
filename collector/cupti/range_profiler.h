// Hardware counters of what is launched between start() and stop(): of each kernel, or of all that
// lies between a push() and its pop().
//
// Life cycle:
//   RangeProfiler::enable() on a context
//     begin()                       a counter data image for at most `max_ranges` launches
//       start() work stop() ...     once a pass, until stop() says that all passes were collected;
//                                   under user replay the work must launch the same kernels each
//                                   time, under kernel replay one round is enough
//     finish()                      decodes, checks that nothing was lost, gives the values
//     begin() ... for the next piece of work, or again() for the same counters and as many launches
//   close()
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "analyzer/core/error.h"
#include "collector/cupti/profiler_host.h"

struct CUctx_st;
struct CUpti_RangeProfiler_Object;

namespace ridgepoint::collector {

enum class Replay {
  user,         // the caller runs the work again for each pass; device memory is left alone
  user_ranges,  // as user; a range is what the caller puts between push() and pop()
  kernel,       // CUPTI saves device memory, replays each kernel for all passes, and restores it
};

// values[range][counter], ranges in launch order.
using RangeValues = std::vector<std::vector<double>>;

class RangeProfiler {
 public:
  // `host` and `plan` must outlive the profiler.
  static Result<RangeProfiler> enable(const CuptiApi& api, CUctx_st* context,
                                      const ProfilerHost& host, const CounterPlan& plan,
                                      Replay replay);
  RangeProfiler(RangeProfiler&& other) noexcept;
  RangeProfiler& operator=(RangeProfiler&&) = delete;
  RangeProfiler(const RangeProfiler&) = delete;
  RangeProfiler& operator=(const RangeProfiler&) = delete;
  ~RangeProfiler();

  // Other counters, or another replay, from the next begin() on.
  void use(const ProfilerHost& host, const CounterPlan& plan, Replay replay);
  Status begin(std::size_t max_ranges);
  // Empties the image that begin() made, which is much cheaper than making one.
  Status again();
  Status start();
  // With Replay::user_ranges, between start() and stop(): the number is the range's place in the
  // values, from 0 in each image. One at a time.
  Status push(std::size_t range);
  Status pop();
  Result<bool> stop();  // true: every pass was collected
  Result<RangeValues> finish();
  // Only those ranges, in this order; evaluating one takes as long as a short kernel.
  Result<RangeValues> finish(const std::vector<std::size_t>& ranges);
  Status close();

 private:
  RangeProfiler(const CuptiApi& api, const ProfilerHost& host, const CounterPlan& plan,
                Replay replay, CUpti_RangeProfiler_Object* object)
      : api_(&api), host_(&host), plan_(&plan), replay_(replay), object_(object) {}

  Result<std::size_t> decode();
  Result<std::size_t> place_of(std::size_t range) const;

  const CuptiApi* api_;
  const ProfilerHost* host_;
  const CounterPlan* plan_;
  Replay replay_;
  CUpti_RangeProfiler_Object* object_;
  std::vector<std::uint8_t> counter_data_;
  bool all_passes_ = false;
};

}  // namespace ridgepoint::collector
