#include "collector/inject/measuring_time.h"

namespace ridgepoint::collector {

void MeasuringTime::begin() {
  const std::lock_guard<std::mutex> lock(mutex_);
  if (open_++ == 0) {
    since_ = Clock::now();
  }
}

void MeasuringTime::end() {
  const std::lock_guard<std::mutex> lock(mutex_);
  if (--open_ == 0) {
    ended_ += Clock::now() - since_;
  }
}

double MeasuringTime::seconds() const {
  const std::lock_guard<std::mutex> lock(mutex_);
  const Clock::duration open = open_ > 0 ? Clock::now() - since_ : Clock::duration(0);
  return std::chrono::duration<double>(ended_ + open).count();
}

}  // namespace ridgepoint::collector
