// Keeps launches out of the way of counters, a gate for each CUDA context: whatever is launched
// into a context while a profiler is started there is counted too. Another context's launches are
// not, and must not have to wait: a kernel may not end before they are made (NCCL between threads).
//
// A gate is shared by launches that run at full speed, and owned by one that is counted. Who wants
// all of them (AllGates) holds none. Gates live as long as the process.
#pragma once

#include <algorithm>
#include <atomic>
#include <chrono>
#include <memory>
#include <mutex>
#include <shared_mutex>
#include <utility>
#include <vector>

#include "collector/inject/context_idle.h"

struct CUctx_st;

namespace ridgepoint::collector {

struct LaunchGate {
  std::shared_timed_mutex launches;
  // A profiler may be started. Becomes true only while `launches` is owned.
  std::atomic<bool> started{false};
  ContextIdle idle;  // for who owns `launches`, or has the only range in hand
};

class LaunchGates {
 public:
  LaunchGate& of(CUctx_st* context) {
    const std::lock_guard<std::mutex> lock(mutex_);
    const auto found = std::find_if(gates_.begin(), gates_.end(),
                                    [&](const auto& gate) { return gate.first == context; });
    if (found != gates_.end()) {
      return *found->second;
    }
    gates_.emplace_back(context, std::make_unique<LaunchGate>());
    several_ = several_ || gates_.size() > 1;
    return *gates_.back().second;
  }
  // The context ends. Its gate stays, as somebody may hold it.
  void forget(CUctx_st* context) {
    const std::lock_guard<std::mutex> lock(mutex_);
    const auto found = std::find_if(gates_.begin(), gates_.end(),
                                    [&](const auto& gate) { return gate.first == context; });
    if (found != gates_.end()) {
      ended_.push_back(std::move(found->second));
      gates_.erase(found);
    }
  }
  // The program has used more than one context, and so perhaps more than one GPU.
  bool several() const { return several_; }
  std::vector<CUctx_st*> contexts() const {
    const std::lock_guard<std::mutex> lock(mutex_);
    std::vector<CUctx_st*> contexts;
    for (const auto& gate : gates_) {
      contexts.push_back(gate.first);
    }
    return contexts;
  }
  // How many contexts there ever were: when it has not grown, there is no new one.
  std::size_t made() const {
    const std::lock_guard<std::mutex> lock(mutex_);
    return gates_.size() + ended_.size();
  }
  std::vector<LaunchGate*> all() const {
    const std::lock_guard<std::mutex> lock(mutex_);
    std::vector<LaunchGate*> all;
    for (const auto& gate : gates_) {
      all.push_back(gate.second.get());
    }
    return all;
  }

 private:
  mutable std::mutex mutex_;
  std::vector<std::pair<CUctx_st*, std::unique_ptr<LaunchGate>>> gates_;
  std::vector<std::unique_ptr<LaunchGate>> ended_;
  std::atomic<bool> several_{false};
};

// Owns every gate that there is while it lives.
class AllGates {
 public:
  explicit AllGates(const LaunchGates& gates) : gates_(gates.all()) {
    for (LaunchGate* gate : gates_) {
      gate->launches.lock();
      ++owned_;
    }
  }
  // Gives up, and owns none, when that takes longer.
  AllGates(const LaunchGates& gates, std::chrono::milliseconds patience) : gates_(gates.all()) {
    const auto end = std::chrono::steady_clock::now() + patience;
    for (LaunchGate* gate : gates_) {
      if (!gate->launches.try_lock_until(end)) {
        release();
        owns_ = false;
        return;
      }
      ++owned_;
    }
  }
  ~AllGates() { release(); }
  AllGates(const AllGates&) = delete;
  AllGates& operator=(const AllGates&) = delete;
  explicit operator bool() const { return owns_; }

 private:
  void release() {
    while (owned_ > 0) {
      gates_[--owned_]->launches.unlock();
    }
  }
  std::vector<LaunchGate*> gates_;
  std::size_t owned_ = 0;
  bool owns_ = true;
};

}  // namespace ridgepoint::collector
