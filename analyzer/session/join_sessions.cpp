#include "analyzer/session/join_sessions.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>
#include <string>
#include <tuple>
#include <utility>

#include "analyzer/session/journal.h"

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
    const auto first_device = static_cast<std::uint32_t>(whole_.devices.size());
    const std::vector<std::uint32_t> kernels = add_kernels(session);
    const std::vector<std::uint32_t> reasons = add_reasons(session);
    for (Launch& launch : session.launches) {
      launch.kernel = kernels[launch.kernel];
      launch.device += first_device;
      launch.range += launch.range == no_index ? 0 : first_range;
    }
    for (PcSample& sample : session.pc_samples) {
      sample.kernel = kernels[sample.kernel];
      sample.reason = reasons[sample.reason];
      if (sample.device != no_index) {
        sample.device += first_device;
      } else if (session.devices.size() == 1) {
        sample.device = first_device;  // it can be no other
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
      operation.device += first_device;
    }
    for (PowerSample& sample : session.power) {
      sample.device += first_device;
    }
    for (PowerPhase& phase : session.power_phases) {
      phase.device += first_device;
    }
    for (PmSeries& series : session.pm_series) {
      series.device += first_device;
      if (series.kernel != no_index) {
        series.kernel = kernels[static_cast<std::size_t>(series.kernel)];
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
  Session take() { return std::move(whole_); }

 private:
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
