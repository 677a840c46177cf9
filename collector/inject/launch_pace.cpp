#include "collector/inject/launch_pace.h"

#include <utility>

namespace ridgepoint::collector {
namespace {

constexpr int fast_blocks_in_a_row = 2;

}  // namespace

LaunchPace::LaunchPace(std::function<bool(bool on)> record, std::int64_t (*clock_ns)())
    : record_(std::move(record)), clock_ns_(clock_ns) {}

std::optional<std::int64_t> LaunchPace::enter(const void* kernel) {
  const bool block_ends = launches_.fetch_add(1, std::memory_order_relaxed) % block == block - 1;
  if (!block_ends && !sampled_) {
    // In this order: a thread that is about to sample first says so, then looks who is inside.
    ++inside_;
    if (!sampled_) {
      return std::nullopt;
    }
    --inside_;
  }
  const std::lock_guard<std::mutex> lock(mutex_);
  const auto unrecorded_ns = enter_sampled(kernel, block_ends);
  ++inside_;
  return unrecorded_ns;
}

std::optional<std::int64_t> LaunchPace::enter_sampled(const void* kernel, bool block_ends) {
  const std::int64_t now_ns = block_ends || sampled_ ? clock_ns_() : 0;
  if (block_ends) {
    look_at_block(now_ns);
  }
  if (!sampled_) {
    return std::nullopt;
  }
  if (kernel != last_kernel_) {
    last_kernel_ = kernel;
    new_kernel_ = known_.insert(kernel).second || new_kernel_;
  }
  if (recording_) {
    new_kernel_ = false;
    if (recorded_ >= window) {
      switch_records(false);
    }
  } else {
    const auto wait_ns = new_kernel_ ? before_new_kernel_ns : between_windows_ns;
    if (now_ns - window_start_ns_ >= wait_ns && switch_records(true)) {
      begin_window(now_ns);
    }
  }
  recorded_ += recording_ ? 1 : 0;
  return recording_ ? std::nullopt : std::optional(now_ns);
}

void LaunchPace::begin_window(std::int64_t now_ns) {
  window_start_ns_ = now_ns;
  recorded_ = 0;
  new_kernel_ = false;
}

void LaunchPace::look_at_block(std::int64_t now_ns) {
  const std::int64_t took_ns = now_ns - std::exchange(block_start_ns_, now_ns);
  const bool fast = took_ns < static_cast<std::int64_t>(block) * fast_launch_ns;
  fast_blocks_ = fast ? fast_blocks_ + 1 : 0;
  if (!sampled_ && fast_blocks_ >= fast_blocks_in_a_row && !refused_) {
    begin_window(now_ns);
    last_kernel_ = nullptr;
    sampled_ = true;
  } else if (sampled_ && !fast) {
    // Not at once: a program that stops between bursts would pay for every switch.
    const bool may_switch = now_ns - window_start_ns_ >= before_new_kernel_ns;
    sampled_ = !(recording_ || (may_switch && switch_records(true)));
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
