// What is known of a kernel's handle and a stream from a launch of both that CUPTI has told of: the
// kernel's name and the context. A launch call itself says neither.
//
// Handles are given again when code is unloaded or a context ends: clear() before.
#pragma once

#include <array>
#include <atomic>
#include <cstddef>
#include <deque>
#include <mutex>
#include <string>

struct CUctx_st;
struct CUfunc_st;
struct CUstream_st;

namespace ridgepoint::collector {

class KnownLaunches {
 public:
  struct Known {
    const CUfunc_st* function = nullptr;
    const CUstream_st* stream = nullptr;
    CUctx_st* context = nullptr;
    std::string mangled;
  };
  // Without a lock; what it gives stays for as long as this does. Null: not known.
  const Known* find(const CUfunc_st* function, const CUstream_st* stream) const;
  // Not more than so many at a time, nor ever: what has no room stays unknown.
  void add(Known known);
  void clear();

  static constexpr std::size_t most = 2048;
  static constexpr std::size_t most_ever = 65536;

 private:
  static constexpr std::size_t places = 4096;
  static constexpr std::size_t steps = 16;
  static std::size_t first_place(const CUfunc_st* function, const CUstream_st* stream);

  std::array<std::atomic<const Known*>, places> places_{};
  std::mutex mutex_;  // guards the two below
  std::size_t count_ = 0;
  std::deque<Known> kept_;
};

}  // namespace ridgepoint::collector
