#include "collector/inject/rare_records.h"

#include "collector/inject/activity.h"
#include "collector/inject/grid_numbers.h"

namespace ridgepoint::collector {

// In this order: who is about to copy says so first and looks then, who switches off does the
// opposite.
void RareRecords::before_copy() {
  if (numbers_ != nullptr) {
    numbers_->others(GridNumbers::of_a_copy);
  }
  ++copying_;
  blocks_ = 0;
  if (copies_on_) {
    return;
  }
  const std::lock_guard<std::mutex> lock(mutex_);
  copies_on_ = copies_on_ || record_copies(*api_, true);
  refused_ = refused_ || !copies_on_;
}

void RareRecords::only_launches() {
  if (++blocks_ < blocks_without_copy || were_off_) {
    return;
  }
  const std::lock_guard<std::mutex> lock(mutex_);
  copies_on_ = false;
  were_off_ = copying_ == 0 && record_copies(*api_, false);
  copies_on_ = !were_off_;
}

void RareRecords::before_graph() {
  if (numbers_ != nullptr) {
    numbers_->others(GridNumbers::of_a_graph);
  }
  if (graphs_on_) {
    return;
  }
  const std::lock_guard<std::mutex> lock(mutex_);
  graphs_on_ = graphs_on_ || record_whole_graphs(*api_, true);
}

}  // namespace ridgepoint::collector
