#include "collector/inject/rare_records.h"

#include "collector/inject/activity.h"

namespace ridgepoint::collector {

// In this order: who is about to copy says so first and looks then, who switches off does the
// opposite.
void RareRecords::before_copy() {
  ++copying_;
  copied_.store(true, std::memory_order_relaxed);
  if (copies_on_) {
    return;
  }
  const std::lock_guard<std::mutex> lock(mutex_);
  copies_on_ = copies_on_ || record_copies(*api_, true);
  refused_ = refused_ || !copies_on_;
}

void RareRecords::only_launches() {
  if (copied_.exchange(false) || !copies_on_) {
    return;
  }
  const std::lock_guard<std::mutex> lock(mutex_);
  copies_on_ = false;
  if (copying_ > 0 || !record_copies(*api_, false)) {
    copies_on_ = true;
  }
}

void RareRecords::before_graph() {
  if (graphs_on_) {
    return;
  }
  const std::lock_guard<std::mutex> lock(mutex_);
  graphs_on_ = graphs_on_ || record_whole_graphs(*api_, true);
}

}  // namespace ridgepoint::collector
