#include "analyzer/session/check.h"

#include <fmt/format.h>

#include "analyzer/session/check_values.h"

namespace ridgepoint {
namespace {

std::string bad_index(const char* table, std::size_t row, const char* target, std::uint64_t index,
                      std::size_t size) {
  return fmt::format("{}[{}] names {} {} of {}", table, row, target, index, size);
}

std::string launch_fault(const Session& session) {
  for (std::size_t i = 0; i < session.launches.size(); ++i) {
    const Launch& launch = session.launches[i];
    if (launch.kernel >= session.kernels.size()) {
      return bad_index("launches", i, "kernel", launch.kernel, session.kernels.size());
    }
    if (launch.device >= session.devices.size()) {
      return bad_index("launches", i, "device", launch.device, session.devices.size());
    }
    if (launch.range != no_index &&
        (launch.range < 0 || static_cast<std::uint64_t>(launch.range) >= session.ranges.size())) {
      return fmt::format("launches[{}] names range {} of {}", i, launch.range,
                         session.ranges.size());
    }
  }
  return {};
}

std::string counter_fault(const Session& session) {
  const CounterTable& counters = session.counters;
  if (counters.names.size() != counters.columns.size()) {
    return fmt::format("counters has {} names for {} columns", counters.names.size(),
                       counters.columns.size());
  }
  for (std::size_t i = 0; i < counters.columns.size(); ++i) {
    if (counters.columns[i].size() != session.launches.size()) {
      return fmt::format("counters.columns[{}] has {} rows for {} launches", i,
                         counters.columns[i].size(), session.launches.size());
    }
  }
  return {};
}

std::string sample_fault(const Session& session) {
  for (std::size_t i = 0; i < session.pc_samples.size(); ++i) {
    const PcSample& sample = session.pc_samples[i];
    if (sample.kernel >= session.kernels.size()) {
      return bad_index("pc_samples", i, "kernel", sample.kernel, session.kernels.size());
    }
    if (sample.reason >= session.stall_reasons.size()) {
      return bad_index("pc_samples", i, "stall reason", sample.reason,
                       session.stall_reasons.size());
    }
    if (sample.device < no_index ||
        (sample.device != no_index &&
         static_cast<std::uint64_t>(sample.device) >= session.devices.size())) {
      return fmt::format("pc_samples[{}] names device {} of {}", i, sample.device,
                         session.devices.size());
    }
  }
  return {};
}

std::string code_fault(const Session& session) {
  for (std::size_t i = 0; i < session.instructions.size(); ++i) {
    const SampledInstruction& one = session.instructions[i];
    if (one.kernel >= session.kernels.size()) {
      return bad_index("instructions", i, "kernel", one.kernel, session.kernels.size());
    }
    if (one.file != no_index &&
        (one.file < 0 || static_cast<std::uint64_t>(one.file) >= session.source_files.size())) {
      return fmt::format("instructions[{}] names source file {} of {}", i, one.file,
                         session.source_files.size());
    }
  }
  for (std::size_t i = 0; i < session.cubins.size(); ++i) {
    for (const std::uint32_t kernel : session.cubins[i].kernels) {
      if (kernel >= session.kernels.size()) {
        return bad_index("cubins", i, "kernel", kernel, session.kernels.size());
      }
    }
  }
  return {};
}

std::string range_fault(const Session& session) {
  for (std::size_t i = 0; i < session.ranges.size(); ++i) {
    // Parents come before their children, which also rules out cycles.
    const std::int64_t parent = session.ranges[i].parent;
    if (parent != no_index && (parent < 0 || static_cast<std::uint64_t>(parent) >= i)) {
      return fmt::format("ranges[{}] names parent {}", i, parent);
    }
  }
  for (std::size_t i = 0; i < session.power.size(); ++i) {
    if (session.power[i].device >= session.devices.size()) {
      return bad_index("power", i, "device", session.power[i].device, session.devices.size());
    }
  }
  for (std::size_t i = 0; i < session.power_phases.size(); ++i) {
    const PowerPhase& phase = session.power_phases[i];
    if (phase.device >= session.devices.size()) {
      return bad_index("power_phases", i, "device", phase.device, session.devices.size());
    }
  }
  for (std::size_t i = 0; i < session.memory_operations.size(); ++i) {
    const std::uint32_t device = session.memory_operations[i].device;
    if (device >= session.devices.size()) {
      return bad_index("memory_operations", i, "device", device, session.devices.size());
    }
  }
  return {};
}

std::string series_fault(const Session& session) {
  for (std::size_t i = 0; i < session.pm_series.size(); ++i) {
    const PmSeries& series = session.pm_series[i];
    if (series.device >= session.devices.size()) {
      return bad_index("pm_series", i, "device", series.device, session.devices.size());
    }
    const auto kernels = static_cast<std::int64_t>(session.kernels.size());
    if (series.kernel < no_index || series.kernel >= kernels) {
      return fmt::format("pm_series[{}] names kernel {} of {}", i, series.kernel, kernels);
    }
    if (series.kernel != no_index && series.nth < 1) {
      return fmt::format("pm_series[{}] is of launch {} of its kernel", i, series.nth);
    }
    if (series.names.size() != series.columns.size() ||
        series.start_s.size() != series.end_s.size()) {
      return fmt::format("pm_series[{}] has {} names for {} columns and {} starts for {} ends", i,
                         series.names.size(), series.columns.size(), series.start_s.size(),
                         series.end_s.size());
    }
    for (const std::vector<double>& column : series.columns) {
      if (column.size() != series.start_s.size()) {
        return fmt::format("pm_series[{}] has a column of {} rows for {} samples", i, column.size(),
                           series.start_s.size());
      }
    }
  }
  return {};
}

std::string rule_fault(const Session& session) {
  for (std::size_t i = 0; i < session.imported_rules.size(); ++i) {
    if (session.imported_rules[i].launch >= session.launches.size()) {
      return bad_index("imported_rules", i, "launch", session.imported_rules[i].launch,
                       session.launches.size());
    }
  }
  return {};
}

std::string workload_fault(const Session& session) {
  if (!session.attention) {
    return {};
  }
  for (const VariantRun& variant : session.attention->variants) {
    for (std::size_t i = 0; i < variant.launches.size(); ++i) {
      if (variant.launches[i] >= session.launches.size()) {
        return bad_index(("attention variant " + variant.name + " launches").c_str(), i, "launch",
                         variant.launches[i], session.launches.size());
      }
    }
  }
  return {};
}

}  // namespace

std::string session_fault(const Session& session) {
  for (const auto& check : {launch_fault, counter_fault, sample_fault, code_fault, range_fault,
                            series_fault, rule_fault, workload_fault, value_fault}) {
    if (std::string fault = check(session); !fault.empty()) {
      return fault;
    }
  }
  return {};
}

}  // namespace ridgepoint
