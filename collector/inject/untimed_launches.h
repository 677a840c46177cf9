// Launches that were made while CUPTI kept no records (launch_pace.h): what their call says,
// without the times the GPU took.
//
// add() runs in every such launch of a program that does little else, so it keeps plain numbers and
// leaves the rest to hand_on(), which the writer's thread calls.
#pragma once

#include <cstdint>
#include <deque>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "collector/inject/launch_callback.h"
#include "collector/inject/recorder.h"

namespace ridgepoint::collector {

class UntimedLaunches {
 public:
  explicit UntimedLaunches(const CuptiApi& api) : api_(&api) {}

  void add(const LaunchCall& call, std::int64_t range, std::int64_t time_ns);
  void forget(std::uint32_t correlation);  // the launch failed
  // To the recorder; `must`: also those whose kernel no record has described so far.
  void hand_on(Recorder& recorder, bool must);
  std::uint64_t count() const;

 private:
  struct Row {
    std::uint32_t correlation = 0;
    std::uint32_t name = 0;
    std::uint32_t ordinal = 0;
    std::uint32_t stream = 0;
    Dim3 grid, block, cluster;
    std::int64_t dynamic_smem_bytes = 0;
    std::int64_t range = no_index;
    std::int64_t time_ns = 0;
  };
  struct HashText {
    using is_transparent = void;
    std::size_t operator()(std::string_view text) const {
      return std::hash<std::string_view>()(text);
    }
  };
  std::uint32_t name_index(const char* symbol);
  void look_up_place(const LaunchCall& call);

  const CuptiApi* api_;
  mutable std::mutex mutex_;
  std::vector<Row> rows_;
  std::uint64_t count_ = 0;
  std::deque<std::string> names_;
  std::unordered_map<std::string, std::uint32_t, HashText, std::equal_to<>> name_indices_;
  // Of the launch before, which the next mostly resembles.
  std::uint32_t name_ = 0;
  const CUctx_st* context_ = nullptr;
  std::optional<LaunchStream> handle_;
  std::uint32_t ordinal_ = 0;
  std::uint32_t stream_ = 0;

  std::mutex handing_on_;
  std::vector<Row> held_back_;  // their kernel is not known yet; guarded by handing_on_
};

}  // namespace ridgepoint::collector
