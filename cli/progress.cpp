#include "cli/progress.h"

#include <fmt/format.h>

#include <cstdio>
#include <nlohmann/json.hpp>

#include "analyzer/core/text.h"
#include "cli/console.h"

namespace ridgepoint::cli {
namespace {

// Often enough to look alive, rarely enough to cost nothing.
constexpr std::chrono::milliseconds redraw_interval{100};
constexpr int bar_width = 24;

std::string bar(std::int64_t done, std::int64_t total) {
  const auto filled = static_cast<int>(bar_width * done / total);
  return fmt::format("[{}{}] {}/{}", std::string(static_cast<std::size_t>(filled), '#'),
                     std::string(static_cast<std::size_t>(bar_width - filled), '.'), done, total);
}

}  // namespace

ProgressLine::ProgressLine(ProgressStyle style) : style_(style), terminal_(stderr_is_terminal()) {}

ProgressLine::~ProgressLine() {
  clear();
}

void ProgressLine::clear() {
  if (shown_) {
    std::fputs("\r\x1b[K", stderr);
    std::fflush(stderr);
    shown_ = false;
  }
}

void ProgressLine::show(const std::string& phase, const std::string& text, std::int64_t done,
                        std::int64_t total) {
  if (style_ == ProgressStyle::none) {
    return;
  }
  const auto now = std::chrono::steady_clock::now();
  const bool changed = phase != phase_;
  if (!changed && now - last_ < redraw_interval && done != total) {
    return;
  }
  last_ = now;
  phase_ = phase;
  if (style_ == ProgressStyle::json) {
    const nlohmann::ordered_json line = {
        {"phase", phase}, {"text", printable(text)}, {"done", done}, {"total", total}};
    fmt::print(stderr, "{}\n", line.dump());
    return;
  }
  if (!terminal_) {
    if (changed) {
      fmt::print(stderr, "{}: {}\n", phase, printable(text));
    }
    return;
  }
  fmt::print(stderr, "\r\x1b[K{:<12} {} {}", phase, total > 0 ? bar(done, total) : std::string(),
             printable(text));
  std::fflush(stderr);
  shown_ = true;
}

}  // namespace ridgepoint::cli
