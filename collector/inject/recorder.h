// Puts together what is learnt of each launch at different times (its callback, its activity
// record, its counters) and hands out what is complete, in parts for the journal.
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <tuple>
#include <unordered_map>
#include <vector>

#include "analyzer/session/session.h"
#include "collector/cupti/kernel_records.h"

namespace ridgepoint::collector {

using CounterNames = std::shared_ptr<const std::vector<std::string>>;

struct GraphRecord {
  std::uint32_t id = 0;  // CUPTI's, of the graph that was launched
  std::uint32_t stream = 0;
  std::uint32_t correlation = 0;
  std::int64_t start_ns = 0;
  std::int64_t end_ns = 0;
};

class Recorder {
 public:
  enum class Keep {
    every_launch,     // a timeline
    expected_launch,  // only those that expect() announced: counters of chosen kernels
    call_only,        // those, without a record of what the GPU did
  };
  explicit Recorder(Keep keep) : keep_(keep) {}
  // From `call_only` to `expected_launch`, for the launches that follow.
  void expect_records();

  // Devices are known here by CUDA's number, in a session by their place in its list, which they
  // get when they are first seen. Describing one takes long and is left to another thread.
  std::optional<std::uint32_t> undescribed_device() const;
  void describe_device(std::uint32_t ordinal, DeviceInfo info);
  // Gives every device up to this one its place, in CUDA's order: places then mean the same in
  // every run of a program, whichever of its threads comes first.
  void place_devices_up_to(std::uint32_t ordinal);
  // Empty until the device is described.
  std::optional<std::uint32_t> place_of_device(std::uint32_t ordinal) const;

  struct Expectation {
    std::uint32_t ordinal = 0;
    KernelRecord shape;  // what the launch call says; no registers and no times
    std::int64_t range = no_index;
    bool counters = false;
    // A replay made from within a launch call has the call's correlation too, but lies before this.
    std::int64_t not_before_ns = 0;
  };
  void expect(std::uint32_t correlation, Expectation launch);
  void forget(std::uint32_t correlation);  // the launch failed
  void made(std::uint32_t correlation);    // it did not
  void record(std::uint32_t ordinal, const KernelRecord& launch);
  void counters(std::uint32_t correlation, const CounterNames& names, std::vector<double> values);
  void no_counters(std::uint32_t correlation);
  // A launch that will have no record: its shape, and when it was made in start_ns and end_ns.
  // False when no record has described its kernel yet, unless `must`.
  bool unrecorded(std::uint32_t ordinal, const KernelRecord& launch, std::int64_t range, bool must);
  // A whole CUDA graph: a row of its own among the launches, under the graph's name.
  void graph(std::uint32_t ordinal, const GraphRecord& graph);
  // What was sampled over time of one launch of the kernel; its device and kernel are entered here.
  void over_time(std::uint32_t ordinal, const std::string& mangled, PmSeries series);
  void memory_operation(std::uint32_t ordinal, MemoryOperation operation);
  // The session's number of the first kernel of this name; a kernel that no record has told of is
  // entered when `must`.
  std::optional<std::uint32_t> kernel_named(const std::string& mangled, bool must);
  void issue(std::string code, std::string text);
  // Once a code: what would come again with every launch.
  void issue_once(const std::string& code, const std::string& text);

  enum class Part {
    complete,    // what has everything it waits for
    everything,  // the last part
  };
  // Empty while a device is not described.
  std::optional<Session> take(Part part);
  std::uint64_t records_seen() const;

 private:
  struct Pending {
    Expectation launch;
    std::optional<KernelRecord> record;
    bool counted = false;
    CounterNames names;
    std::vector<double> values;
    std::chrono::steady_clock::time_point since;
  };
  std::uint32_t device_index(std::uint32_t ordinal);
  std::uint32_t kernel_index(const KernelRecord& launch, bool from_record);
  void finish(const Pending& pending);
  void hand_out_series(bool everything);
  void finish_if_complete(std::unordered_map<std::uint32_t, Pending>::iterator pending);

  Keep keep_;
  mutable std::mutex mutex_;
  std::unordered_map<std::uint32_t, Pending> pending_;
  std::vector<std::uint32_t> devices_;  // CUDA's numbers, in the session's order
  std::size_t described_ = 0;           // the first so many of them
  // By mangled name, registers, static shared and local memory: the same name can be another
  // kernel, since two libraries may carry builds of one template.
  using KernelKey = std::tuple<std::string, std::int64_t, std::int64_t, std::int64_t>;
  std::map<KernelKey, std::uint32_t, std::less<>> kernels_;
  std::unordered_map<std::string, std::uint32_t> kernel_names_;  // mangled, to the first of them
  std::vector<std::pair<std::string, PmSeries>> series_;  // whose kernel no record has told of
  std::map<std::string, bool> issued_;
  Session part_;
  std::uint64_t records_seen_ = 0;
  std::uint64_t records_without_times_ = 0;
};

}  // namespace ridgepoint::collector
