#include "collector/inject/launch_pace.h"

#include <utility>

namespace ridgepoint::collector {
namespace {

constexpr int fast_blocks_in_a_row = 2;

}  // namespace

LaunchPace::LaunchPace(std::function<bool(bool on)> record, std::int64_t (*clock_ns)())
    : record_(std::move(record)), clock_ns_(clock_ns) {}

bool LaunchPace::enter(const void* kernel) {
  const bool block_ends = launches_.fetch_add(1, std::memory_order_relaxed) % block == block - 1;
  if (!block_ends) {
    // In this order: a thread that is about to sample first says so, then looks who is inside.
    ++inside_;
    if (!sampled_) {
      return true;
    }
    --inside_;
  }
  const std::lock_guard<std::mutex> lock(mutex_);
  const bool recorded = enter_sampled(kernel, block_ends);
  ++inside_;
  return recorded;
}

bool LaunchPace::enter_sampled(const void* kernel, bool block_ends) {
  if (block_ends) {
    look_at_block();
  }
  if (!sampled_) {
    return true;
  }
  if (kernel != last_kernel_) {
    last_kernel_ = kernel;
    if (known_.insert(kernel).second) {
      position_ = 0;
    }
  }
  position_ %= cycle;
  const bool wanted = position_ < window;
  if (wanted != recording_) {
    switch_records(wanted);
  }
  ++position_;
  return recording_;
}

void LaunchPace::look_at_block() {
  const std::int64_t now_ns = clock_ns_();
  const std::int64_t took_ns = now_ns - std::exchange(block_start_ns_, now_ns);
  const bool fast = took_ns < static_cast<std::int64_t>(block) * fast_launch_ns;
  fast_blocks_ = fast ? fast_blocks_ + 1 : 0;
  if (!sampled_ && fast_blocks_ >= fast_blocks_in_a_row && !refused_) {
    position_ = 0;
    last_kernel_ = nullptr;
    sampled_ = true;
  } else if (sampled_ && !fast && (recording_ || switch_records(true))) {
    sampled_ = false;
  }
}

bool LaunchPace::switch_records(bool on) {
  if (inside_ != 0 || refused_) {
    return false;
  }
  if (!record_(on)) {
    refused_ = true;
    return false;
  }
  recording_ = on;
  return true;
}

}  // namespace ridgepoint::collector
