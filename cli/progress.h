// Progress of a measurement on stderr: one line that is redrawn on a terminal, one line a phase
// elsewhere, JSON lines for a program that reads along (the window does).
#pragma once

#include <chrono>
#include <cstdint>
#include <string>

namespace ridgepoint::cli {

enum class ProgressStyle { automatic, json, none };

class ProgressLine {
 public:
  explicit ProgressLine(ProgressStyle style);
  ~ProgressLine();  // clears a line that is still shown
  ProgressLine(const ProgressLine&) = delete;
  ProgressLine& operator=(const ProgressLine&) = delete;

  // `total` 0 means that the end is unknown.
  void show(const std::string& phase, const std::string& text, std::int64_t done,
            std::int64_t total);

 private:
  void clear();

  ProgressStyle style_;
  bool terminal_ = false;
  bool shown_ = false;
  std::string phase_;
  std::chrono::steady_clock::time_point last_;
};

}  // namespace ridgepoint::cli
