#include "analyzer/session/join_sessions.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>
#include <string>
#include <tuple>
#include <utility>

#include "analyzer/session/journal.h"
#include "analyzer/session/process_kernels.h"
#include "analyzer/session/shared_devices.h"

namespace ridgepoint {
namespace {

using KernelKey = std::tuple<std::string, std::int64_t, std::int64_t, std::int64_t, std::string>;

KernelKey key_of(const KernelInfo& kernel) {
  return {kernel.mangled, kernel.registers_per_thread.value_or(-1),
          kernel.static_smem_bytes.value_or(-1), kernel.local_bytes_per_thread.value_or(-1),
          kernel.cubin_hash};
}

Status check(const std::vector<Session>& sessions) {
  const std::string what = "joining sessions";
  for (std::size_t i = 0; i < sessions.size(); ++i) {
    if (sessions[i].attention || !sessions[i].imported_rules.empty()) {
      return fail(ErrorDomain::input, what,
                  fmt::format("session {} is no profile of a program", i + 1),
                  "only what `ridgepoint profile` wrote can be joined");
    }
    if (sessions[i].policy.counter_profile != sessions[0].policy.counter_profile ||
        sessions[i].policy.replay_mode != sessions[0].policy.replay_mode) {
      return fail(
          ErrorDomain::input, what,
          fmt::format("sessions 1 and {} were measured in different ways (--counters)", i + 1),
          "join the sessions of one run");
    }
  }
  return {};
}

// Of all processes that counted: some may have brought caches into another state than others, and
// one that counted nothing does not say. In an order that is not that of the processes.
std::string cache_control_of(const std::vector<Session>& sessions) {
  std::set<std::string> states;
  for (const Session& session : sessions) {
    if (!session.counters.columns.empty()) {
      states.insert(session.policy.cache_control);
    }
  }
  return states.empty() ? sessions[0].policy.cache_control
                        : fmt::format("{}", fmt::join(states, "; or "));
}

class Joined {
 public:
  void add(Session session) {
    const auto first_range = static_cast<std::int64_t>(whole_.ranges.size());
    const std::vector<std::pair<std::uint32_t, bool>> devices = devices_.place(session);
    const std::vector<std::uint32_t> kernels = add_kernels(session);
    const std::vector<std::uint32_t> reasons = add_reasons(session);
    for (Launch& launch : session.launches) {
      launch.kernel = kernels[launch.kernel];
      launch.device = devices[launch.device].first;
      launch.range += launch.range == no_index ? 0 : first_range;
    }
    for (PcSample& sample : session.pc_samples) {
      sample.kernel = kernels[sample.kernel];
      sample.reason = reasons[sample.reason];
      if (sample.device != no_index) {
        sample.device = devices[static_cast<std::size_t>(sample.device)].first;
      } else if (session.devices.size() == 1) {
        sample.device = devices.front().first;  // it can be no other
      }
    }
    const auto first_file = static_cast<std::int64_t>(whole_.source_files.size());
    for (SampledInstruction& instruction : session.instructions) {
      instruction.kernel = kernels[instruction.kernel];
      instruction.file += instruction.file == no_index ? 0 : first_file;
    }
    for (Cubin& cubin : session.cubins) {
      for (std::uint32_t& kernel : cubin.kernels) {
        kernel = kernels[kernel];
      }
    }
    for (NvtxRange& range : session.ranges) {
      range.parent += range.parent == no_index ? 0 : first_range;
    }
    for (MemoryOperation& operation : session.memory_operations) {
      operation.device = devices[operation.device].first;
    }
    for (PowerSample& sample : session.power) {
      sample.device = devices[sample.device].first;
    }
    for (PowerPhase& phase : session.power_phases) {
      phase.device = devices[phase.device].first;
    }
    drop_read_twice(session);
    for (PmSeries& series : session.pm_series) {
      series.device = devices[series.device].first;
      if (series.kernel != no_index) {
        series.kernel = kernels[static_cast<std::size_t>(series.kernel)];
        series.nth += launched_[{series.device, static_cast<std::uint32_t>(series.kernel)}];
      }
    }
    for (const Launch& launch : session.launches) {
      ++launched_[{launch.device, launch.kernel}];
    }
    processes_.add(session.launches);
    separate_streams(session);
    for (std::size_t i = devices.size(); i-- > 0;) {
      if (!devices[i].second) {
        session.devices.erase(session.devices.begin() + static_cast<std::ptrdiff_t>(i));
      }
    }
    session.range_ends.clear();
    if (!whole_.producer.mode.empty()) {
      session.producer = {};
      session.policy = {};
      // Processes ran side by side: their times do not add up.
      whole_.policy.run_s = whole_.policy.measuring_s = whole_.policy.overhead_factor = {};
    }
    merge_session(whole_, std::move(session));
  }
  Session take() {
    append_issues();
    return std::move(whole_);
  }

 private:
  void append_issues() {
    for (Issue& issue : devices_.issues()) {
      whole_.issues.push_back(std::move(issue));
    }
    for (Issue& issue : processes_.issues(whole_.kernels)) {
      whole_.issues.push_back(std::move(issue));
    }
  }

  // The launcher reads a device's power for all of its processes, or each reads it for itself: one
  // reading is kept of each moment, and of phases that overlap the longest, since what the device
  // took was taken once.
  void drop_read_twice(Session& session) {
    std::set<std::pair<std::uint32_t, std::int64_t>> read;
    for (const PowerSample& sample : whole_.power) {
      read.emplace(sample.device, sample.time_ns);
    }
    const auto again = [&](const PowerSample& sample) {
      return read.count({sample.device, sample.time_ns}) > 0;
    };
    session.power.erase(std::remove_if(session.power.begin(), session.power.end(), again),
                        session.power.end());
    auto& phases = session.power_phases;
    phases.erase(std::remove_if(phases.begin(), phases.end(),
                                [&](PowerPhase& phase) { return told_already(phase); }),
                 phases.end());
  }
  bool told_already(PowerPhase& phase) {
    const auto same = std::find_if(
        whole_.power_phases.begin(), whole_.power_phases.end(), [&](const PowerPhase& other) {
          return other.device == phase.device && other.name == phase.name &&
                 other.variant == phase.variant && other.start_ns < phase.end_ns &&
                 phase.start_ns < other.end_ns;
        });
    if (same == whole_.power_phases.end()) {
      return false;
    }
    if (phase.end_ns - phase.start_ns > same->end_ns - same->start_ns) {
      std::swap(*same, phase);
    }
    return true;
  }

  // Streams of two processes on one device are two, though both may be number 7: the later one gets
  // the next number that is free.
  void separate_streams(Session& session) {
    std::map<std::pair<std::uint32_t, std::uint32_t>, std::uint32_t> moved;
    const auto number = [&](std::uint32_t device, std::uint32_t stream) {
      const auto [at, is_new] = moved.try_emplace({device, stream}, stream);
      while (is_new && (streams_.count({device, at->second}) > 0 ||
                        streams_of_session_.count({device, at->second}) > 0)) {
        ++at->second;
      }
      streams_of_session_.emplace(device, at->second);
      return at->second;
    };
    for (Launch& launch : session.launches) {
      launch.stream = number(launch.device, launch.stream);
    }
    for (MemoryOperation& operation : session.memory_operations) {
      operation.stream = number(operation.device, operation.stream);
    }
    streams_.merge(streams_of_session_);
    streams_of_session_.clear();
  }

  std::vector<std::uint32_t> add_kernels(Session& session) {
    std::vector<std::uint32_t> places;
    for (KernelInfo& kernel : session.kernels) {
      const auto [place, is_new] =
          kernels_.emplace(key_of(kernel), static_cast<std::uint32_t>(whole_.kernels.size()));
      if (is_new) {
        whole_.kernels.push_back(std::move(kernel));
      }
      places.push_back(place->second);
    }
    session.kernels.clear();
    return places;
  }
  std::vector<std::uint32_t> add_reasons(Session& session) {
    std::vector<std::uint32_t> places;
    for (const std::string& reason : session.stall_reasons) {
      auto& known = whole_.stall_reasons;
      const auto found = std::find(known.begin(), known.end(), reason);
      places.push_back(static_cast<std::uint32_t>(found - known.begin()));
      if (found == known.end()) {
        known.push_back(reason);
      }
    }
    session.stall_reasons.clear();
    return places;
  }

  Session whole_;
  SharedDevices devices_;
  ProcessKernels processes_;
  std::map<std::pair<std::uint32_t, std::uint32_t>, std::int64_t> launched_;  // device and kernel
  std::set<std::pair<std::uint32_t, std::uint32_t>> streams_;                 // device and number
  std::set<std::pair<std::uint32_t, std::uint32_t>> streams_of_session_;
  std::map<KernelKey, std::uint32_t> kernels_;
};

}  // namespace

Result<Session> join_sessions(std::vector<Session> sessions) {
  if (sessions.empty()) {
    return fail(ErrorDomain::usage, "joining sessions", "there are none");
  }
  if (Status sound = check(sessions); !sound) {
    return tl::make_unexpected(sound.error());
  }
  const std::string cache_control = cache_control_of(sessions);
  Joined joined;
  for (Session& session : sessions) {
    joined.add(std::move(session));
  }
  Session whole = joined.take();
  whole.policy.cache_control = cache_control;
  return whole;
}

}  // namespace ridgepoint
