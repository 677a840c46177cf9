// How long a program was held up by being measured: the time in which at least one of its threads
// waited for us. Taken around what takes long (profilers that start and stop, launches that are
// counted or run again, waiting for a GPU), never for a launch that is only listed.
#pragma once

#include <chrono>
#include <mutex>

namespace ridgepoint::collector {

class MeasuringTime {
 public:
  // Both on any thread; spans may overlap and nest.
  void begin();
  void end();
  double seconds() const;  // so far, also of spans that have not ended

  class Span {
   public:
    explicit Span(MeasuringTime& time) : time_(time) { time_.begin(); }
    ~Span() { time_.end(); }
    Span(const Span&) = delete;
    Span& operator=(const Span&) = delete;

   private:
    MeasuringTime& time_;
  };

 private:
  using Clock = std::chrono::steady_clock;
  mutable std::mutex mutex_;
  int open_ = 0;
  Clock::time_point since_;  // while any is open
  Clock::duration ended_{0};
};

}  // namespace ridgepoint::collector
