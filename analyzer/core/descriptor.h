// A POSIX file descriptor that closes itself.
#pragma once

#include <string>
#include <string_view>
#include <utility>

#include "analyzer/core/error.h"

namespace ridgepoint {

class Descriptor {
 public:
  Descriptor() = default;
  explicit Descriptor(int value) : value_(value) {}
  Descriptor(Descriptor&& other) noexcept : value_(std::exchange(other.value_, -1)) {}
  Descriptor& operator=(Descriptor&& other) noexcept {
    std::swap(value_, other.value_);
    return *this;
  }
  Descriptor(const Descriptor&) = delete;
  Descriptor& operator=(const Descriptor&) = delete;
  ~Descriptor();

  explicit operator bool() const { return value_ >= 0; }
  int get() const { return value_; }
  int release() { return std::exchange(value_, -1); }  // not closed: the caller's now
  int close();  // 0, or -1 with errno; the descriptor is gone either way

 private:
  int value_ = -1;
};

// Writes everything, through interruptions and short writes; `what` names the act in the error.
Status write_all(int descriptor, std::string_view bytes, const std::string& what);

}  // namespace ridgepoint
