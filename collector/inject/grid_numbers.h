// Launches that nobody told of, found by the numbers that CUPTI gives to grids.
//
// CUPTI numbers the kernels of a process one after the other, over all contexts, and those for
// which it keeps no record too (`gridId` of its kernel records; H200, CUDA 13.0). So between two
// stretches that were recorded as many numbers are missing as kernels were launched, and as many
// launches should have been listed.
//
// Other work takes numbers as well: some copies and fills, launches that fail, graphs that are made
// executable. Of the former it is known how many they can be at most; of a gap near a graph nothing
// can be said.
//
// Life cycle: off() and on() when records are switched, while no launch is in hand; recorded() with
// each record, whenever it comes -> compare() when all have come.
#pragma once

#include <atomic>
#include <cstdint>
#include <map>
#include <mutex>
#include <vector>

namespace ridgepoint::collector {

class GridNumbers {
 public:
  // Of kernels launched one by one.
  struct SoFar {
    std::uint64_t recorded = 0;
    std::uint64_t listed = 0;  // without a record
  };
  void off(const SoFar& so_far);
  void on(const SoFar& so_far);
  void recorded(std::int64_t grid);
  // Something else may have taken numbers, but not more than these.
  void others(std::uint64_t most) { others_.fetch_add(most, std::memory_order_relaxed); }
  // A fill or copy took one or none where it was tried, of rows and of unaligned bytes too.
  static constexpr std::uint64_t of_a_copy = 4;
  static constexpr std::uint64_t of_a_failed_launch = 1;
  static constexpr std::uint64_t of_a_graph = std::uint64_t{1} << 40U;  // who knows
  // A stretch of records begins that is followed by off(): what was before is far away.
  void last_stretch_begins();

  struct Comparison {
    std::uint64_t listed = 0;    // launches in all gaps that could be compared
    std::uint64_t numbered = 0;  // kernels there by CUPTI's numbers
    std::uint64_t others = 0;    // of those, the most that were no launches
    bool agrees() const { return numbered >= listed && numbered <= listed + others; }
  };
  // Nothing is compared when there are not `recorded` records: that is another matter.
  Comparison compare(std::uint64_t recorded) const;

 private:
  struct Gap {
    std::uint64_t recorded_before = 0;
    std::uint64_t listed_before = 0;
    std::uint64_t listed_after = 0;
    std::uint64_t others_before = 0;
    std::uint64_t others_after = 0;
    bool ended = false;
  };
  static constexpr std::size_t most_runs = 1U << 17U;
  static constexpr std::size_t most_gaps = 1U << 17U;

  std::atomic<std::uint64_t> others_{0};
  mutable std::mutex mutex_;                   // guards the members below
  std::map<std::int64_t, std::int64_t> runs_;  // of numbers, first to last
  std::vector<Gap> gaps_;
  std::uint64_t stretch_others_ = 0;
  bool just_on_ = false;  // the last gap has just ended
  bool full_ = false;     // too much to remember: nothing is compared
};

}  // namespace ridgepoint::collector
