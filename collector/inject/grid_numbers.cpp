#include "collector/inject/grid_numbers.h"

#include <iterator>

namespace ridgepoint::collector {

void GridNumbers::last_stretch_begins() {
  const std::lock_guard<std::mutex> lock(mutex_);
  stretch_others_ = others_;
  just_on_ = false;
}

void GridNumbers::off(const SoFar& so_far) {
  const std::lock_guard<std::mutex> lock(mutex_);
  full_ = full_ || gaps_.size() >= most_gaps;
  if (full_) {
    return;
  }
  if (just_on_) {  // few launches ago; what came with them may have come before the first of them
    gaps_.back().others_after = others_;
  }
  just_on_ = false;
  Gap gap;
  gap.recorded_before = so_far.recorded;
  gap.listed_before = so_far.listed;
  gap.others_before = stretch_others_;
  gaps_.push_back(gap);
}

void GridNumbers::on(const SoFar& so_far) {
  const std::lock_guard<std::mutex> lock(mutex_);
  stretch_others_ = others_;
  if (gaps_.empty() || gaps_.back().ended) {
    return;
  }
  gaps_.back().ended = true;
  gaps_.back().listed_after = so_far.listed;
  gaps_.back().others_after = stretch_others_;
  just_on_ = true;
}

// Mostly in order, so that nearly all of them lengthen the last run.
void GridNumbers::recorded(std::int64_t grid) {
  const std::lock_guard<std::mutex> lock(mutex_);
  if (full_) {
    return;
  }
  const auto after = runs_.upper_bound(grid);
  if (after != runs_.begin() && grid <= std::prev(after)->second) {
    return;
  }
  const bool joins_next = after != runs_.end() && after->first == grid + 1;
  const std::int64_t last = joins_next ? after->second : grid;
  if (after != runs_.begin() && std::prev(after)->second == grid - 1) {
    std::prev(after)->second = last;
  } else {
    runs_.emplace_hint(after, grid, last);
  }
  if (joins_next) {
    runs_.erase(after);
  }
  if (runs_.size() > most_runs) {
    full_ = true;
    runs_.clear();
    gaps_.clear();
  }
}

GridNumbers::Comparison GridNumbers::compare(std::uint64_t recorded) const {
  const std::lock_guard<std::mutex> lock(mutex_);
  Comparison all;
  std::uint64_t seen = 0;
  for (const auto& [first, last] : runs_) {
    seen += static_cast<std::uint64_t>(last - first + 1);
  }
  if (seen != recorded) {
    return all;
  }
  // The numbers that were recorded first are the smallest: nothing was in hand at a gap's ends.
  seen = 0;
  auto run = runs_.begin();
  for (const Gap& gap : gaps_) {
    while (run != runs_.end() && seen < gap.recorded_before) {
      seen += static_cast<std::uint64_t>(run->second - run->first + 1);
      ++run;
    }
    const std::uint64_t others = gap.others_after - gap.others_before;
    if (!gap.ended || run == runs_.begin() || run == runs_.end() || others >= of_a_graph) {
      continue;
    }
    all.others += others;
    const std::uint64_t listed = gap.listed_after - gap.listed_before;
    all.listed += listed;
    // Records on both sides without a number between them are one run.
    all.numbered += seen != gap.recorded_before
                        ? 0
                        : static_cast<std::uint64_t>(run->first - std::prev(run)->second - 1);
  }
  return all;
}

}  // namespace ridgepoint::collector
