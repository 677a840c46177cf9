// Text in pieces of about 64 KiB. The first error of the sink is kept, and nothing more is sent.
#pragma once

#include <fmt/format.h>

#include <iterator>
#include <string>
#include <string_view>

#include "reports/report.h"

namespace ridgepoint {

class TextStream {
 public:
  explicit TextStream(const TextSink& sink) : sink_(sink) {}

  template <class... Args>
  void add(fmt::format_string<Args...> format, Args&&... args) {
    fmt::format_to(std::back_inserter(pending_), format, std::forward<Args>(args)...);
    flush_when_full();
  }
  void put(std::string_view text) {
    pending_ += text;
    flush_when_full();
  }
  // Sends the rest. Whether everything arrived.
  Status finish() {
    flush();
    return status_;
  }

 private:
  static constexpr std::size_t piece_bytes = std::size_t{64} << 10U;

  void flush_when_full() {
    if (pending_.size() >= piece_bytes) {
      flush();
    }
  }
  void flush() {
    if (status_ && !pending_.empty()) {
      status_ = sink_(pending_);
    }
    pending_.clear();
  }

  const TextSink& sink_;
  std::string pending_;
  Status status_;
};

}  // namespace ridgepoint
