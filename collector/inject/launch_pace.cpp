#include "collector/inject/launch_pace.h"

#include <utility>

namespace ridgepoint::collector {
namespace {

constexpr unsigned number_shift = 32;
constexpr std::uint64_t another_launch = (std::uint64_t{1} << number_shift) + 1;

std::size_t place_of(const void* kernel, std::size_t places) {
  const auto address = reinterpret_cast<std::uintptr_t>(kernel) >> 4U;
  return (address ^ (address >> 6U)) % places;
}

}  // namespace

LaunchPace::LaunchPace(Hooks hooks, std::int64_t (*clock_ns)())
    : hooks_(std::move(hooks)), clock_ns_(clock_ns) {}

bool LaunchPace::is_new(const void* kernel) const {
  return seen_[place_of(kernel, seen_.size())].load(std::memory_order_relaxed) != kernel;
}

bool LaunchPace::enter(const HeardLaunch& call) {
  // In this order: a thread that is about to switch first says so, then looks who is inside.
  const std::uint64_t number = (calls_ += another_launch) >> number_shift;
  const State state = state_;
  const std::uint64_t looks = state == State::every ? block : look_every;
  const bool passes = state != State::window && number % looks != 0 && !is_new(call.symbol);
  if (passes) {
    return state == State::every;
  }
  --calls_;
  const std::lock_guard<std::mutex> lock(mutex_);
  const bool recorded = enter_with_care(call, number);
  ++calls_;
  return recorded;
}

bool LaunchPace::enter_listed(const HeardLaunch& call, std::uint32_t repeats) {
  const std::uint64_t more = std::uint64_t{repeats} << number_shift;
  const std::uint64_t number = (calls_ += another_launch + more) >> number_shift;
  if (state_ == State::listed && number / block == (number - 1 - repeats) / block) {
    return true;
  }
  --calls_;
  const std::lock_guard<std::mutex> lock(mutex_);
  if (state_ != State::listed) {
    return false;
  }
  const std::int64_t now_ns = clock_ns_();
  look_at_block(now_ns, call);
  if (state_ != State::listed || window_is_due(now_ns)) {
    return false;
  }
  hooks_.listed(!new_kernel_);
  ++calls_;
  return true;
}

bool LaunchPace::enter_with_care(const HeardLaunch& call, std::uint64_t number) {
  const bool block_ends = number % block == 0;
  const bool looks = block_ends || number % look_every == 0;
  const std::int64_t now_ns = looks ? clock_ns_() : 0;
  if (block_ends) {
    look_at_block(now_ns, call);
  }
  if (block_ends && state_ == State::listed) {
    hooks_.listed(!new_kernel_);
  }
  see(call.symbol);
  if (state_ == State::window && recorded_ >= window) {
    switch_records(false);
  } else if (state_ == State::listed && looks && window_is_due(now_ns) && switch_records(true)) {
    begin_window(now_ns);
  }
  recorded_ += state_ == State::window ? 1 : 0;
  return state_ != State::listed;
}

void LaunchPace::see(const void* kernel) {
  seen_[place_of(kernel, seen_.size())].store(kernel, std::memory_order_relaxed);
  const bool first_time = known_.insert(kernel).second;
  new_kernel_ = state_ == State::listed && (new_kernel_ || first_time);
}

bool LaunchPace::window_is_due(std::int64_t now_ns) const {
  return new_kernel_ && now_ns - window_start_ns_ >= between_windows_ns;
}

void LaunchPace::begin_window(std::int64_t now_ns) {
  window_start_ns_ = now_ns;
  recorded_ = 0;
  new_kernel_ = false;
}

bool LaunchPace::is_fast(const HeardLaunch& call) const {
  return fast_in_a_row_ >= fast_blocks_ahead ||
         (fast_in_a_row_ >= fast_blocks && hooks_.keeps_up(call));
}

void LaunchPace::look_at_block(std::int64_t now_ns, const HeardLaunch& call) {
  const std::int64_t took_ns = now_ns - std::exchange(block_start_ns_, now_ns);
  const bool fast = took_ns < static_cast<std::int64_t>(block) * fast_launch_ns;
  fast_in_a_row_ = fast ? fast_in_a_row_ + 1 : 0;
  const bool slow_for_long = !fast && slow_since_ns_ && now_ns - *slow_since_ns_ >= slow_for_ns;
  if (state_ == State::every && fast_in_a_row_ == 1) {
    hooks_.comes_fast();
  }
  slow_since_ns_ = fast ? std::nullopt : std::optional(slow_since_ns_.value_or(now_ns));
  if (state_ == State::every && !refused_ && is_fast(call)) {
    begin_window(now_ns);
    hooks_.last_records();
    state_ = State::window;
  } else if (state_ != State::every && slow_for_long &&
             (state_ == State::window || switch_records(true))) {
    state_ = State::every;
  }
}

// Between `window` and `listed`. Without success the state stays.
bool LaunchPace::switch_records(bool on) {
  const State before = state_.exchange(State::window);  // from here on nobody passes by the mutex
  const bool alone = calls_ % (std::uint64_t{1} << number_shift) == 0;
  if (!alone || refused_ || (on && !hooks_.quiet())) {
    state_ = before;
    return false;
  }
  if (!hooks_.record(on)) {
    refused_ = true;
    state_ = on ? before : State::every;
    return false;
  }
  state_ = on ? State::window : State::listed;
  return true;
}

}  // namespace ridgepoint::collector
