#include "collector/inject/untimed_launches.h"

#include <algorithm>
#include <utility>

#include "collector/cupti/cupti_api.h"

namespace ridgepoint::collector {
namespace {

// Half a second of launches, so that the launching thread seldom waits for memory.
constexpr std::size_t room = std::size_t{1} << 17U;

}  // namespace

std::uint32_t UntimedLaunches::name_index(const char* symbol) {
  const std::string_view name = symbol == nullptr ? "" : symbol;
  if (name_ < names_.size() && names_[name_] == name) {
    return name_;
  }
  auto place = name_indices_.find(name);
  if (place == name_indices_.end()) {
    place = name_indices_.emplace(name, static_cast<std::uint32_t>(names_.size())).first;
    names_.emplace_back(name);
  }
  return name_ = place->second;
}

// CUPTI's numbers, which its records have as well.
void UntimedLaunches::look_up_place(const LaunchCall& call) {
  const LaunchStream handle = stream_of_launch(call.id, call.parameters);
  if (context_ == call.context && handle_ == handle) {
    return;
  }
  if (api_->cuptiGetDeviceId(call.context, &ordinal_) != CUPTI_SUCCESS) {
    ordinal_ = 0;
  }
  if (api_->cuptiGetStreamIdEx(call.context, handle.stream, handle.per_thread ? 1 : 0, &stream_) !=
      CUPTI_SUCCESS) {
    stream_ = 0;
  }
  context_ = call.context;
  handle_ = handle;
}

void UntimedLaunches::add(const LaunchCall& call, std::int64_t range, std::int64_t time_ns) {
  KernelRecord shape;
  read_shape(call.id, call.parameters, shape);
  const std::lock_guard<std::mutex> lock(mutex_);
  look_up_place(call);
  if (rows_.capacity() == 0) {
    rows_.reserve(room);
  }
  Row& row = rows_.emplace_back();
  row.correlation = call.correlation;
  row.name = name_index(call.symbol);
  row.ordinal = ordinal_;
  row.stream = stream_;
  row.grid = shape.grid;
  row.block = shape.block;
  row.cluster = shape.cluster;
  row.dynamic_smem_bytes = shape.dynamic_smem_bytes;
  row.range = range;
  row.time_ns = time_ns;
  ++count_;
}

void UntimedLaunches::forget(std::uint32_t correlation) {
  const std::lock_guard<std::mutex> lock(mutex_);
  const auto found = std::find_if(rows_.rbegin(), rows_.rend(),
                                  [&](const Row& row) { return row.correlation == correlation; });
  if (found != rows_.rend()) {
    rows_.erase(std::next(found).base());
    --count_;
  }
}

void UntimedLaunches::hand_on(Recorder& recorder, bool must) {
  const std::lock_guard<std::mutex> alone(handing_on_);
  std::vector<Row> rows = std::exchange(held_back_, {});
  std::vector<std::string> names;
  {
    const std::lock_guard<std::mutex> lock(mutex_);
    rows.insert(rows.end(), rows_.begin(), rows_.end());
    rows_.clear();
    names.assign(names_.begin(), names_.end());
  }
  KernelRecord launch;
  for (const Row& row : rows) {
    launch.mangled = names[row.name];
    launch.stream = row.stream;
    launch.grid = row.grid;
    launch.block = row.block;
    launch.cluster = row.cluster;
    launch.dynamic_smem_bytes = row.dynamic_smem_bytes;
    launch.start_ns = launch.end_ns = row.time_ns;
    if (!recorder.unrecorded(row.ordinal, launch, row.range, must)) {
      held_back_.push_back(row);
    }
  }
}

std::uint64_t UntimedLaunches::count() const {
  const std::lock_guard<std::mutex> lock(mutex_);
  return count_;
}

}  // namespace ridgepoint::collector
