#include <string>

#include "reports/presenters/known.h"
#include "reports/sqlite/tables.h"

namespace ridgepoint::sqlite {
namespace {

std::optional<std::int64_t> place_of(const Analysis& analysis, const std::string& variant) {
  for (std::size_t v = 0; v < analysis.variants.size(); ++v) {
    if (!variant.empty() && analysis.variants[v].name == variant) {
      return static_cast<std::int64_t>(v);
    }
  }
  return std::nullopt;
}

void write_meta(Database& database, const Analysis& analysis) {
  Insert row(database, "meta", 2);
  const auto add = [&](const char* key, const std::string& value) {
    row.text(key).text(value).add();
  };
  add("schema", "ridgepoint-sqlite");
  add("version", "1.0");
  add("source", key(analysis.source));
  add("producer", analysis.producer.version);
  add("time_utc", analysis.producer.time_utc);
  add("command_line", analysis.producer.command_line);
  add("counter_profile", analysis.policy.counter_profile);
  add("replay_mode", analysis.policy.replay_mode);
  add("cache_control", analysis.policy.cache_control);
  add("clock_control", analysis.policy.clock_control);
}

void write_devices(Database& database, const Analysis& analysis) {
  Insert row(database, "device", 13);
  for (std::size_t d = 0; d < analysis.devices.size(); ++d) {
    const DeviceInfo& device = analysis.devices[d];
    const std::string capability = std::to_string(device.compute_capability_major) + "." +
                                   std::to_string(device.compute_capability_minor);
    row.integer(static_cast<std::int64_t>(d)).text(device.name).text(device.chip);
    row.text(device.compute_capability_major > 0 ? capability : "");
    row.integer(known(device.sm_count)).integer(known(device.l2_bytes));
    row.integer(known(device.smem_per_sm_bytes)).integer(known(device.memory_bytes));
    row.real(known(device.sm_clock_max_hz)).real(known(device.memory_clock_max_hz));
    row.text(device.driver_version).text(device.runtime_version).text(device.cupti_version).add();
  }
  Insert ceiling(database, "ceilings", 7);
  for (const Ceiling& c : analysis.ceilings) {
    const bool bandwidth = c.kind == CeilingKind::bandwidth;
    ceiling.text(c.id).text(bandwidth ? "bandwidth" : "compute").text(c.label);
    ceiling.text(bandwidth ? "byte/s" : "FLOP/s").real(c.theoretical).real(c.measured);
    ceiling.text(c.source).add();
  }
}

void write_workload(Database& database, const Analysis& analysis) {
  if (!analysis.attention) {
    return;
  }
  const AttentionShape& s = *analysis.attention;
  Insert row(database, "workload", 9);
  row.integer(s.batch).integer(s.heads).integer(s.kv_heads).integer(s.seqlen_q);
  row.integer(s.seqlen_k).integer(s.head_dim).text(s.dtype).integer(s.causal ? 1 : 0);
  row.text(s.direction).add();
}

void write_variants(Database& database, const Analysis& analysis) {
  Insert row(database, "variants", 30);
  for (std::size_t i = 0; i < analysis.variants.size(); ++i) {
    const VariantAnalysis& v = analysis.variants[i];
    const auto latency = [&](double LatencyStats::*field) {
      return v.latency ? std::optional<double>((*v.latency).*field) : std::nullopt;
    };
    row.integer(static_cast<std::int64_t>(i)).text(v.name).text(v.description).real(v.time_s);
    row.real(v.speedup_over_first).real(latency(&LatencyStats::p50));
    row.real(latency(&LatencyStats::p90)).real(latency(&LatencyStats::p99));
    row.integer(v.latency ? std::optional<std::int64_t>(v.latency->count) : std::nullopt);
    for (const MemoryLevel level : memory_levels) {
      row.real(v.traffic[level].measured.total).real(v.traffic[level].predicted);
    }
    row.real(v.compulsory_bytes).real(v.traffic[MemoryLevel::l2].measured.merged);
    row.real(v.flop.total).real(v.analytic_flop);
    row.real(v.achieved_flop_per_s).real(v.tokens_per_s).real(v.cost_per_million_tokens);
    row.integer(v.workspace_bytes);
    row.real(v.correctness ? std::optional<double>(v.correctness->max_abs_error) : std::nullopt);
    row.integer(v.correctness ? std::optional<std::int64_t>(v.correctness->passed ? 1 : 0)
                              : std::nullopt);
    row.real(v.power_w).real(v.energy_j).real(v.flop_per_j).real(v.tokens_per_j);
    row.text(key(analysis.source)).add();
  }
}

void write_kernels(Database& database, const Analysis& analysis) {
  Insert row(database, "kernels", 38);
  for (std::size_t i = 0; i < analysis.kernels.size(); ++i) {
    const KernelAnalysis& k = analysis.kernels[i];
    row.integer(static_cast<std::int64_t>(i)).text(k.name).text(k.short_name);
    row.integer(place_of(analysis, k.variant)).text(k.role).integer(k.launches);
    row.real(k.time_s).real(k.time_share);
    row.text(k.bound_by == BoundBy::unknown ? "" : key(k.bound_by)).text(k.bound_pipe);
    row.text(k.bound_basis).real(k.headroom).real(k.flop.total).real(k.achieved_flop_per_s);
    row.text(k.flop.precision);
    for (const MemoryLevel level : memory_levels) {
      row.real(k.traffic[level].total);
    }
    row.real(k.traffic[MemoryLevel::l2].merged);
    for (const MemoryLevel level : memory_levels) {
      row.real(k.intensity[level]);
    }
    for (const MemoryLevel level : memory_levels) {
      row.real(k.utilisation[level]);
    }
    row.real(k.compute_utilisation).real(k.memory_stall_ratio);
    row.integer(k.stalls.empty() ? std::nullopt : std::optional<std::int64_t>(k.stall_samples));
    row.real(k.occupancy.achieved).real(k.occupancy.theoretical).text(k.occupancy.limiter);
    row.integer(k.registers_per_thread).integer(k.smem_per_block_bytes).real(k.sm_clock_hz);
    row.real(k.energy ? std::optional<double>(k.energy->power_w) : std::nullopt);
    row.real(k.energy ? std::optional<double>(k.energy->energy_j) : std::nullopt);
    row.integer(k.energy ? std::optional<std::int64_t>(k.energy->launches) : std::nullopt);
    row.text(key(analysis.source)).add();
  }
}

void write_kernel_details(Database& database, const Analysis& analysis) {
  // A forged file may name a reason or a quantity twice: the first counts.
  Insert quantity(database, "quantities", 3);
  Insert stall(database, "stalls", 4);
  Insert on_device(database, "stalls_by_device", 5);
  Insert spot(database, "hot_spots", 9);
  for (std::size_t i = 0; i < analysis.kernels.size(); ++i) {
    const KernelAnalysis& k = analysis.kernels[i];
    const auto id = static_cast<std::int64_t>(i);
    for (const auto& [name, value] : k.quantities) {
      quantity.integer(id).text(name).real(value).add();
    }
    for (const StallShare& one : k.stalls) {
      stall.integer(id).text(one.reason).real(one.share).integer(one.memory ? 1 : 0).add();
    }
    for (const DeviceStalls& device : k.stalls_by_device) {
      for (const StallShare& one : device.stalls) {
        on_device.integer(id).integer(device.device).text(one.reason).real(one.share);
        on_device.integer(one.memory ? 1 : 0).add();
      }
    }
    for (const HotSpot& one : k.hot_spots) {
      spot.integer(id).integer(static_cast<std::int64_t>(one.pc_offset)).integer(one.samples);
      spot.real(one.share).text(one.reason).real(one.reason_share).text(one.sass);
      spot.text(one.source_file).integer(known(std::int64_t{one.source_line})).add();
    }
  }
}

void write_diagnoses(Database& database, const Analysis& analysis) {
  Insert row(database, "diagnoses", 12);
  Insert evidence(database, "evidence", 5);
  for (std::size_t i = 0; i < analysis.diagnoses.size(); ++i) {
    const Diagnosis& d = analysis.diagnoses[i];
    const auto id = static_cast<std::int64_t>(i);
    row.integer(id).text(d.id).text(d.title).text(key(d.severity));
    row.integer(d.kernel ? std::optional<std::int64_t>(*d.kernel) : std::nullopt).text(d.variant);
    row.text(d.explanation).text(d.action).real(d.estimated_gain);
    row.text(d.estimated_gain ? key(d.gain_kind) : "").text(d.gain_formula);
    row.text(d.not_applicable_when).add();
    for (const Evidence& one : d.evidence) {
      evidence.integer(id).text(one.quantity).real(one.value).text(one.unit);
      evidence.real(one.threshold).add();
    }
  }
}

void write_verdicts(Database& database, const Analysis& analysis) {
  Insert target(database, "targets", 9);
  for (const TargetResult& t : analysis.targets) {
    target.text(t.id).text(t.label).text(t.variant).real(t.value).real(t.target);
    target.text(t.at_least ? "at_least" : "at_most").text(t.unit).text(key(t.verdict));
    target.text(t.why).add();
  }
  Insert issue(database, "issues", 2);
  for (const Issue& one : analysis.issues) {
    issue.text(one.code).text(one.text).add();
  }
}

}  // namespace

void write_analysis(Database& database, const Analysis& analysis) {
  write_meta(database, analysis);
  write_devices(database, analysis);
  write_workload(database, analysis);
  write_variants(database, analysis);
  write_kernels(database, analysis);
  write_kernel_details(database, analysis);
  write_diagnoses(database, analysis);
  write_verdicts(database, analysis);
}

}  // namespace ridgepoint::sqlite
