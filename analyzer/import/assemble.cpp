#include "analyzer/import/assemble.h"

#include <algorithm>
#include <cmath>
#include <tuple>

#include "analyzer/import/device.h"
#include "analyzer/import/identities.h"
#include "analyzer/import/notes.h"

namespace ridgepoint::importing {
namespace {

// A count that a double holds exactly, in range for what it describes; empty when not measured.
std::optional<std::int64_t> whole(double value) {
  constexpr double largest = 9007199254740992.0;         // 2^53
  const bool sensible = value >= 0 && value <= largest;  // false for NaN
  return sensible ? std::optional<std::int64_t>(std::llround(value)) : std::nullopt;
}

// Prefers what launch__* says over the identity columns, which some exports lack.
void set_extent(const Recording& recording, std::uint32_t launch, const std::string& name,
                Dim3& extent) {
  constexpr std::int64_t largest = std::numeric_limits<std::uint32_t>::max();
  const auto one = [&](const char* axis, std::uint32_t& value) {
    const auto count = whole(recording.get(launch, "launch__" + name + "_dim_" + axis));
    if (count && *count > 0 && *count <= largest) {  // a launch without clusters has extent 0
      value = static_cast<std::uint32_t>(*count);
    }
  };
  one("x", extent.x);
  one("y", extent.y);
  one("z", extent.z);
}

// One kernel for each combination: printed names leave template arguments out, and two
// instantiations then differ in registers or shared memory only.
void add_kernels(const Recording& recording, Session& session) {
  using Key = std::tuple<std::uint32_t, std::optional<std::int64_t>, std::optional<std::int64_t>>;
  std::map<Key, std::uint32_t> index;
  for (std::uint32_t i = 0; i < session.launches.size(); ++i) {
    Launch& launch = session.launches[i];
    const Key key(launch.kernel, whole(recording.get(i, "launch__registers_per_thread")),
                  whole(recording.get(i, "launch__shared_mem_per_block_static")));
    const auto [entry, added] =
        index.try_emplace(key, static_cast<std::uint32_t>(session.kernels.size()));
    if (added) {
      const std::string& name = recording.kernel_names[launch.kernel];
      KernelInfo kernel;
      kernel.name = name.empty() ? "(unnamed)" : name;
      kernel.mangled = kernel.name;
      kernel.registers_per_thread = std::get<1>(key);
      kernel.static_smem_bytes = std::get<2>(key);
      session.kernels.push_back(std::move(kernel));
    }
    launch.kernel = entry->second;
  }
}

void add_devices(const Recording& recording, NumberStyle style, const Tables& tables,
                 Session& session) {
  for (const Recording::Device& device : recording.devices) {
    ImportedDevice imported = device_of(device, style, tables);
    note_chip(imported, device.compute_capability, session);
    session.devices.push_back(std::move(imported.info));
  }
  // The details layout has no attributes, but says with each launch how many SMs there are.
  for (std::uint32_t i = 0; i < session.launches.size(); ++i) {
    DeviceInfo& device = session.devices[session.launches[i].device];
    if (device.sm_count == 0) {
      device.sm_count = whole(recording.get(i, "launch__sm_count")).value_or(0);
    }
  }
}

std::int64_t largest(const Recording& recording, const char* counter) {
  std::int64_t result = 0;
  for (std::uint32_t i = 0; i < recording.launches.size(); ++i) {
    result = std::max(result, whole(recording.get(i, counter)).value_or(0));
  }
  return result;
}

}  // namespace

Session assemble(Recording recording, Layout layout, NumberStyle style, const Tables& tables) {
  Session session;
  session.producer.version = layout == Layout::details ? "Nsight Compute CSV, details page"
                                                       : "Nsight Compute CSV, raw page";
  session.producer.mode = "import";
  session.policy.counter_profile = "custom";
  session.policy.passes = largest(recording, "profiler__replayer_passes");
  session.policy.pc_sampling_period_cycles = largest(recording, "smsp__pcsamp_interval_cycles");
  session.launches = recording.launches;
  for (std::uint32_t i = 0; i < session.launches.size(); ++i) {
    Launch& launch = session.launches[i];
    set_extent(recording, i, "grid", launch.grid);
    set_extent(recording, i, "block", launch.block);
    set_extent(recording, i, "cluster", launch.cluster);
    launch.dynamic_smem_bytes =
        whole(recording.get(i, "launch__shared_mem_per_block_dynamic")).value_or(0);
  }
  add_kernels(recording, session);
  add_devices(recording, style, tables, session);
  session.ranges = std::move(recording.ranges);
  session.imported_rules = std::move(recording.rules);
  // Columns of metrics that have no number in any launch say nothing.
  for (std::size_t i = 0; i < recording.counters.names.size(); ++i) {
    std::vector<double>& column = recording.counters.columns[i];
    if (!column.empty()) {
      column.resize(session.launches.size(), not_measured);
      session.counters.names.push_back(std::move(recording.counters.names[i]));
      session.counters.columns.push_back(std::move(column));
    }
  }
  const std::size_t added =
      add_identities(tables.identities, session.launches.size(), session.counters);
  note_oddities(recording.odd, added, session);
  return session;
}

}  // namespace ridgepoint::importing
