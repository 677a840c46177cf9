// The NVTX ranges of this process: which are open, and what the session still has to learn.
#pragma once

#include <atomic>
#include <cstdint>
#include <map>
#include <mutex>
#include <string>
#include <vector>

#include "analyzer/session/session.h"
#include "collector/inject/stretch.h"
#include "collector/profile/nvtx_pattern.h"
#include "collector/profile/settings.h"

namespace ridgepoint::collector {

// Told of the ranges that complete the filter's pattern: those whose parent does not match yet.
// Called on the program's threads, without a lock of ours.
class RangeListener {
 public:
  virtual ~RangeListener() = default;
  virtual void range_opened(std::int64_t index, const std::string& domain,
                            const std::string& name) = 0;
  virtual void range_closes(std::int64_t index) = 0;
};

class NvtxRanges {
 public:
  NvtxRanges() = default;
  // Holds launches back from repeating while a range is open: each is to know its own.
  explicit NvtxRanges(Stretch& stretch) : stretch_(&stretch) {}
  NvtxRanges(const NvtxRanges&) = delete;
  NvtxRanges& operator=(const NvtxRanges&) = delete;

  // What the user's filter means. The pattern must outlive the ranges, and come before them.
  void set_filter(const NvtxPattern* pattern, NvtxScope scope);

  // The listener must live as long as ranges come. True when one is open already, of whose
  // beginning it will not be told.
  bool set_listener(RangeListener* listener);

  void push(std::uint64_t thread, const std::string& domain, const std::string& name,
            std::int64_t time_ns);
  void pop(std::uint64_t thread, const std::string& domain, std::int64_t time_ns);
  // A range that may end on another thread. Gives its id.
  std::uint64_t start(std::uint64_t thread, const std::string& domain, const std::string& name,
                      std::int64_t time_ns);
  void end(std::uint64_t id, std::int64_t time_ns);

  struct Place {
    std::int64_t innermost = no_index;  // in the order of opening, over the whole process
    bool matches = false;
  };
  // Where a launch of that thread stands: in the ranges the thread pushed; if it has none, in those
  // that are open elsewhere in the process. PyTorch's autograd launches the backward kernels from a
  // thread of its own, inside a range that the main thread pushed. Whether they match follows the
  // filter's scope.
  Place place(std::uint64_t thread) const;
  // Whether any range is open in the process; takes no lock.
  bool any_open() const { return open_now_.load(std::memory_order_acquire) > 0; }

  // What is new since the last call. Ranges come in the order of opening, parents first, each with
  // end 0 until its end is known.
  struct News {
    std::vector<NvtxRange> opened;
    std::vector<RangeEnd> ended;
  };
  News take_news();
  std::uint64_t left_out() const;  // beyond the limit

  std::mutex& mutex() { return mutex_; }  // to be held over a fork

 private:
  struct Open {
    std::int64_t index = no_index;  // no_index: beyond the limit
    std::string domain;
    std::uint32_t parts = 0;   // of the pattern that it can be
    std::uint64_t opened = 0;  // counts up
    std::uint64_t id = 0;      // of start(); 0 for pushed ones
    bool completes = false;    // the pattern
  };
  // Whether the started ranges and this stack, outermost first, hold the pattern.
  bool matches(const std::vector<Open>& stack) const;
  void count_open();
  void count_closed();
  Open open(std::uint64_t thread, const std::string& domain, const std::string& name,
            std::int64_t time_ns, std::int64_t parent);
  void close(const Open& range, std::int64_t time_ns);
  void tell_opened(std::int64_t index, const std::string& domain, const std::string& name);

  mutable std::mutex mutex_;
  std::atomic<RangeListener*> listener_{nullptr};
  const NvtxPattern* pattern_ = nullptr;
  NvtxScope scope_ = NvtxScope::automatic;
  std::map<std::uint64_t, std::vector<Open>> stacks_;  // by thread
  std::vector<Open> started_;
  std::atomic<std::int64_t> open_now_{0};
  Stretch* const stretch_ = nullptr;
  News news_;
  std::int64_t opened_ = 0;
  std::uint64_t last_opened_ = 0;
  std::uint64_t left_out_ = 0;
  std::uint64_t next_id_ = 1;
};

}  // namespace ridgepoint::collector
