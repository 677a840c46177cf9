#include "collector/inject/recorder.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "analyzer/core/text.h"
#include "analyzer/session/whole_graph.h"

namespace ridgepoint::collector {
namespace {

// A launch whose activity record is this late is written without it.
constexpr std::chrono::seconds record_patience{10};

// CUPTI writes 0 for a time that it could not take.
template <class Record>
bool has_times(const Record& record) {
  return record.start_ns > 0 && record.end_ns >= record.start_ns;
}

}  // namespace

void Recorder::expect_records() {
  const std::lock_guard<std::mutex> lock(mutex_);
  keep_ = Keep::expected_launch;
}

std::optional<std::uint32_t> Recorder::undescribed_device() const {
  const std::lock_guard<std::mutex> lock(mutex_);
  return described_ < devices_.size() ? std::optional(devices_[described_]) : std::nullopt;
}

void Recorder::describe_device(std::uint32_t ordinal, DeviceInfo info) {
  const std::lock_guard<std::mutex> lock(mutex_);
  if (described_ < devices_.size() && devices_[described_] == ordinal) {
    part_.devices.push_back(std::move(info));
    ++described_;
  }
}

void Recorder::place_devices_up_to(std::uint32_t ordinal) {
  const std::lock_guard<std::mutex> lock(mutex_);
  for (std::uint32_t device = 0; device <= ordinal; ++device) {
    device_index(device);
  }
}

std::optional<std::uint32_t> Recorder::place_of_device(std::uint32_t ordinal) const {
  const std::lock_guard<std::mutex> lock(mutex_);
  const auto end = devices_.begin() + static_cast<std::ptrdiff_t>(described_);
  const auto found = std::find(devices_.begin(), end, ordinal);
  return found == end ? std::nullopt
                      : std::optional(static_cast<std::uint32_t>(found - devices_.begin()));
}

std::uint32_t Recorder::device_index(std::uint32_t ordinal) {
  const auto found = std::find(devices_.begin(), devices_.end(), ordinal);
  if (found == devices_.end()) {
    devices_.push_back(ordinal);
    return static_cast<std::uint32_t>(devices_.size() - 1);
  }
  return static_cast<std::uint32_t>(found - devices_.begin());
}

void Recorder::expect(std::uint32_t correlation, Expectation launch) {
  const std::lock_guard<std::mutex> lock(mutex_);
  device_index(launch.ordinal);  // so that it is described in time
  Pending pending;
  pending.launch = std::move(launch);
  pending.since = std::chrono::steady_clock::now();
  pending_.insert_or_assign(correlation, std::move(pending));
}

void Recorder::forget(std::uint32_t correlation) {
  const std::lock_guard<std::mutex> lock(mutex_);
  pending_.erase(correlation);
}

void Recorder::record(std::uint32_t ordinal, const KernelRecord& launch) {
  const std::lock_guard<std::mutex> lock(mutex_);
  ++records_seen_;
  const auto found = pending_.find(launch.correlation);
  if (found != pending_.end()) {
    const Expectation& expected = found->second.launch;
    const bool is_it = expected.shape.mangled.empty() || launch.mangled.empty() ||
                       expected.shape.mangled == launch.mangled;
    if (!is_it || launch.start_ns < expected.not_before_ns) {
      return;  // a kernel of ours, launched from within the program's call
    }
    if (!found->second.record) {
      found->second.record = launch;
    }
    finish_if_complete(found);
    return;
  }
  if (keep_ == Keep::every_launch) {
    Pending unannounced;
    unannounced.launch.ordinal = ordinal;
    unannounced.record = launch;
    finish(unannounced);
  }
}

void Recorder::made(std::uint32_t correlation) {
  const std::lock_guard<std::mutex> lock(mutex_);
  const auto found = pending_.find(correlation);
  if (found != pending_.end()) {
    finish_if_complete(found);
  }
}

void Recorder::counters(std::uint32_t correlation, const CounterNames& names,
                        std::vector<double> values) {
  const std::lock_guard<std::mutex> lock(mutex_);
  const auto found = pending_.find(correlation);
  if (found != pending_.end()) {
    found->second.counted = true;
    found->second.names = names;
    found->second.values = std::move(values);
    finish_if_complete(found);
  }
}

void Recorder::no_counters(std::uint32_t correlation) {
  const std::lock_guard<std::mutex> lock(mutex_);
  const auto found = pending_.find(correlation);
  if (found != pending_.end()) {
    found->second.counted = true;
    finish_if_complete(found);
  }
}

bool Recorder::unrecorded(std::uint32_t ordinal, const KernelRecord& launch, std::int64_t range,
                          bool must) {
  const std::lock_guard<std::mutex> lock(mutex_);
  const auto known = kernel_names_.find(launch.mangled);
  if (known == kernel_names_.end() && !must) {
    return false;
  }
  Launch row;
  row.kernel = known != kernel_names_.end() ? known->second : kernel_index(launch, false);
  row.device = device_index(ordinal);
  row.stream = launch.stream;
  row.grid = launch.grid;
  row.block = launch.block;
  row.cluster = launch.cluster;
  row.dynamic_smem_bytes = launch.dynamic_smem_bytes;
  row.range = range;
  row.start_ns = launch.start_ns;
  row.end_ns = launch.end_ns;
  part_.launches.push_back(row);
  return true;
}

void Recorder::graph(std::uint32_t ordinal, const GraphRecord& graph) {
  const std::lock_guard<std::mutex> lock(mutex_);
  KernelRecord whole;
  whole.mangled = fmt::format("{} {}]", whole_graph_name, graph.id);
  Launch row;
  row.kernel = kernel_index(whole, false);
  row.device = device_index(ordinal);
  row.stream = graph.stream;
  if (has_times(graph)) {
    row.start_ns = graph.start_ns;
    row.end_ns = graph.end_ns;
  } else {
    ++records_without_times_;
  }
  const auto found = pending_.find(graph.correlation);
  if (found != pending_.end()) {
    row.range = found->second.launch.range;
    pending_.erase(found);
  }
  part_.launches.push_back(row);
}

void Recorder::over_time(std::uint32_t ordinal, const std::string& mangled, PmSeries series) {
  const std::lock_guard<std::mutex> lock(mutex_);
  series.device = device_index(ordinal);
  series_.emplace_back(mangled, std::move(series));
}

// A kernel's record comes later than its samples, and knows more of it.
void Recorder::hand_out_series(bool everything) {
  for (auto it = series_.begin(); it != series_.end();) {
    const auto known = kernel_names_.find(it->first);
    if (known == kernel_names_.end() && !everything) {
      ++it;
      continue;
    }
    KernelRecord unseen;
    unseen.mangled = it->first;
    it->second.kernel = known != kernel_names_.end() ? known->second : kernel_index(unseen, false);
    part_.pm_series.push_back(std::move(it->second));
    it = series_.erase(it);
  }
}

void Recorder::memory_operation(std::uint32_t ordinal, MemoryOperation operation) {
  const std::lock_guard<std::mutex> lock(mutex_);
  if (keep_ == Keep::every_launch) {
    operation.device = device_index(ordinal);
    part_.memory_operations.push_back(std::move(operation));
  }
}

void Recorder::issue(std::string code, std::string text) {
  const std::lock_guard<std::mutex> lock(mutex_);
  part_.issues.push_back({std::move(code), std::move(text)});
}

void Recorder::issue_once(const std::string& code, const std::string& text) {
  const std::lock_guard<std::mutex> lock(mutex_);
  if (issued_.emplace(code, true).second) {
    part_.issues.push_back({code, text});
  }
}

std::uint32_t Recorder::kernel_index(const KernelRecord& launch, bool from_record) {
  constexpr std::int64_t unknown = -1;
  const auto known = [&](std::int64_t value) { return from_record ? value : unknown; };
  const std::int64_t registers = known(launch.registers_per_thread);
  const std::int64_t smem = known(launch.static_smem_bytes);
  const std::int64_t local = known(launch.local_bytes_per_thread);
  // Looked up without making a key: this is done for every record.
  auto place = kernels_.find(std::tie(launch.mangled, registers, smem, local));
  if (place == kernels_.end()) {
    place = kernels_
                .emplace(KernelKey(launch.mangled, registers, smem, local),
                         static_cast<std::uint32_t>(kernels_.size()))
                .first;
    kernel_names_.try_emplace(launch.mangled, place->second);
    KernelInfo kernel;
    kernel.mangled = printable(launch.mangled);
    kernel.name = printable(demangle(launch.mangled));
    if (from_record) {
      kernel.registers_per_thread = launch.registers_per_thread;
      kernel.static_smem_bytes = launch.static_smem_bytes;
      kernel.local_bytes_per_thread = launch.local_bytes_per_thread;
    }
    part_.kernels.push_back(std::move(kernel));
  }
  return place->second;
}

std::optional<std::uint32_t> Recorder::kernel_named(const std::string& mangled, bool must) {
  const std::lock_guard<std::mutex> lock(mutex_);
  if (const auto known = kernel_names_.find(mangled); known != kernel_names_.end()) {
    return known->second;
  }
  if (!must) {
    return std::nullopt;
  }
  KernelRecord unseen;
  unseen.mangled = mangled;
  return kernel_index(unseen, false);
}

void Recorder::finish(const Pending& pending) {
  const KernelRecord& seen = pending.record ? *pending.record : pending.launch.shape;
  Launch launch;
  launch.kernel = kernel_index(seen, pending.record.has_value() || seen.registers_per_thread > 0);
  launch.device = device_index(pending.launch.ordinal);
  launch.stream = seen.stream;
  launch.grid = seen.grid;
  launch.block = seen.block;
  launch.cluster = seen.cluster;
  launch.dynamic_smem_bytes = seen.dynamic_smem_bytes;
  launch.range = pending.launch.range;
  if (pending.record && !has_times(seen)) {
    ++records_without_times_;
  } else if (pending.record || keep_ == Keep::call_only) {
    launch.start_ns = seen.start_ns;
    launch.end_ns = seen.end_ns;
  }
  part_.launches.push_back(launch);
  const std::size_t rows = part_.launches.size();
  for (std::vector<double>& column : part_.counters.columns) {
    column.resize(rows, not_measured);
  }
  for (std::size_t i = 0; i < pending.values.size(); ++i) {
    part_.counters.column((*pending.names)[i], rows)[rows - 1] = pending.values[i];
  }
}

void Recorder::finish_if_complete(std::unordered_map<std::uint32_t, Pending>::iterator pending) {
  const bool recorded = pending->second.record || keep_ == Keep::call_only;
  if (recorded && (pending->second.counted || !pending->second.launch.counters)) {
    finish(pending->second);
    pending_.erase(pending);
  }
}

std::optional<Session> Recorder::take(Part part) {
  const std::lock_guard<std::mutex> lock(mutex_);
  const auto now = std::chrono::steady_clock::now();
  for (auto it = pending_.begin(); it != pending_.end();) {
    const bool late = it->second.counted && now - it->second.since > record_patience;
    if (part == Part::everything || late) {
      finish(it->second);
      it = pending_.erase(it);
    } else {
      ++it;
    }
  }
  hand_out_series(part == Part::everything);
  if (described_ < devices_.size()) {
    return std::nullopt;
  }
  if (part == Part::everything && records_without_times_ != 0) {
    part_.issues.push_back(
        {"timeline.no_times",
         fmt::format("CUPTI gave {} launches no times: these are listed and not timed.",
                     std::exchange(records_without_times_, 0))});
  }
  return std::exchange(part_, {});
}

std::uint64_t Recorder::records_seen() const {
  const std::lock_guard<std::mutex> lock(mutex_);
  return records_seen_;
}

}  // namespace ridgepoint::collector
