#include "collector/inject/recorder.h"

#include <fmt/format.h>

#include <utility>

#include "analyzer/core/text.h"

namespace ridgepoint::collector {
namespace {

// A launch whose activity record is this late is written without it.
constexpr std::chrono::seconds record_patience{2};

}  // namespace

bool Recorder::knows_device(std::uint32_t ordinal) const {
  const std::lock_guard<std::mutex> lock(mutex_);
  return devices_.count(ordinal) != 0;
}

void Recorder::add_device(std::uint32_t ordinal, DeviceInfo info) {
  const std::lock_guard<std::mutex> lock(mutex_);
  if (devices_.emplace(ordinal, static_cast<std::uint32_t>(devices_.size())).second) {
    part_.devices.push_back(std::move(info));
  }
}

void Recorder::expect(std::uint32_t correlation, Expectation launch) {
  const std::lock_guard<std::mutex> lock(mutex_);
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

void Recorder::memory_operation(std::uint32_t ordinal, MemoryOperation operation) {
  const std::lock_guard<std::mutex> lock(mutex_);
  if (keep_ == Keep::every_launch) {
    memory_.push_back({ordinal, std::move(operation)});
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
  // The same name can be another kernel: two libraries may carry builds of one template.
  const std::string key =
      from_record ? fmt::format("{}|{}|{}|{}", launch.mangled, launch.registers_per_thread,
                                launch.static_smem_bytes, launch.local_bytes_per_thread)
                  : launch.mangled;
  const auto [place, is_new] = kernels_.emplace(key, static_cast<std::uint32_t>(kernels_.size()));
  if (is_new) {
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

void Recorder::finish(const Pending& pending) {
  const KernelRecord& seen = pending.record ? *pending.record : pending.launch.shape;
  const auto device = devices_.find(pending.launch.ordinal);
  if (device == devices_.end()) {
    return;  // counted by the caller as a record that is missing
  }
  Launch launch;
  launch.kernel = kernel_index(seen, pending.record.has_value());
  launch.device = device->second;
  launch.stream = seen.stream;
  launch.grid = seen.grid;
  launch.block = seen.block;
  launch.cluster = seen.cluster;
  launch.dynamic_smem_bytes = seen.dynamic_smem_bytes;
  launch.range = pending.launch.range;
  if (pending.record && pending.launch.times) {
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
  if (pending->second.record && (pending->second.counted || !pending->second.launch.counters)) {
    finish(pending->second);
    pending_.erase(pending);
  }
}

Session Recorder::take(Part part) {
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
  std::vector<MemoryRow> unknown;
  for (MemoryRow& row : memory_) {
    const auto device = devices_.find(row.ordinal);
    if (device == devices_.end()) {
      unknown.push_back(std::move(row));
      continue;
    }
    row.operation.device = device->second;
    part_.memory_operations.push_back(std::move(row.operation));
  }
  memory_ = std::move(unknown);
  return std::exchange(part_, {});
}

std::uint64_t Recorder::records_seen() const {
  const std::lock_guard<std::mutex> lock(mutex_);
  return records_seen_;
}

}  // namespace ridgepoint::collector
