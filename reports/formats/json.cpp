// The report for scripts. Names and meaning: data/schemas/ridgepoint-analysis-1.0.schema.json; a
// change of either raises the version.
#include <cmath>
#include <nlohmann/json.hpp>

#include "analyzer/compare/launch_quantities.h"
#include "analyzer/roofline/measured_ceilings.h"
#include "analyzer/roofline/ridge_points.h"
#include "analyzer/rules/registry.h"
#include "analyzer/session/range_row.h"
#include "reports/formats/formats.h"
#include "reports/formats/json_traces.h"
#include "reports/formats/json_values.h"
#include "reports/presenters/known.h"

namespace ridgepoint {
namespace {

using Json = nlohmann::ordered_json;

// NaN and infinity are not JSON; like an empty optional they are null.
Json number(const std::optional<double>& value) {
  return json_number(value);
}
Json integer(const std::optional<std::int64_t>& value) {
  return value ? Json(*value) : Json(nullptr);
}
Json text(const std::string& value) {
  return value.empty() ? Json(nullptr) : Json(value);
}
Json dim(const Dim3& d) {
  return Json::array({d.x, d.y, d.z});
}

template <class T, class Make>
Json array_of(const std::vector<T>& list, Make make) {
  Json array = Json::array();
  for (const T& one : list) {
    array.push_back(make(one));
  }
  return array;
}

Json per_level(const PerLevel<std::optional<double>>& values) {
  Json json = Json::object();
  for (const MemoryLevel level : memory_levels) {
    json[key(level)] = number(values[level]);
  }
  return json;
}

// Every way to the ceiling that was measured, the fastest first.
Json measurements_json(const std::vector<CeilingMeasurement>& all, const Ceiling& ceiling) {
  Json list = Json::array();
  for (const CeilingMeasurement& one : all) {
    if (one.ceiling == &ceiling) {
      const double clock = one.measured->sm_clock_hz;
      list.push_back({{"method", text(ceiling_method(*one.measured))},
                      {"value", number(one.measured->value)},
                      {"ci95_half", number(one.measured->ci95_half)},
                      {"sm_clock_hz", clock > 0 ? Json(clock) : Json(nullptr)},
                      {"theoretical_at_clock", number(one.theoretical)},
                      {"power_w", number(one.measured->power_w)}});
    }
  }
  return list;
}

Json ceilings_json(const Analysis& analysis) {
  const std::vector<CeilingMeasurement> measurements = ceiling_measurements(analysis);
  return array_of(analysis.ceilings, [&](const Ceiling& c) {
    Json json = {{"name", c.id}};
    json[c.kind == CeilingKind::bandwidth ? "level" : "precision"] = c.id;
    json["label"] = text(c.label);
    json["unit"] = c.kind == CeilingKind::bandwidth ? "byte/s" : "FLOP/s";
    json["theoretical"] = number(c.theoretical);
    json["measured"] = number(c.measured);
    json["ridge"] = per_level(ridge_points(analysis, c));
    json["source"] = text(c.source);
    json["measurements"] = measurements_json(measurements, c);
    return json;
  });
}

Json device_json(const Analysis& analysis) {
  if (analysis.devices.empty()) {
    return nullptr;
  }
  const DeviceInfo& d = analysis.devices.front();
  const std::string capability =
      std::to_string(d.compute_capability_major) + "." + std::to_string(d.compute_capability_minor);
  return {{"name", text(d.name)},
          {"chip", text(d.chip)},
          {"compute_capability", text(d.compute_capability_major > 0 ? capability : "")},
          {"sm_count", integer(known(d.sm_count))},
          {"l2_bytes", integer(known(d.l2_bytes))},
          {"smem_per_sm_bytes", integer(known(d.smem_per_sm_bytes))},
          {"memory_bytes", integer(known(d.memory_bytes))},
          {"sm_clock_max_hz", number(known(d.sm_clock_max_hz))},
          {"memory_clock_max_hz", number(known(d.memory_clock_max_hz))},
          {"driver_version", text(d.driver_version)},
          {"runtime_version", text(d.runtime_version)},
          {"cupti_version", text(d.cupti_version)},
          {"ceilings", ceilings_json(analysis)}};
}

Json policy_json(const Policy& p) {
  // No warm-up before timed repeats is a fact; without repeats there was nothing to warm up for.
  const bool timed = p.latency_repeats > 0;
  return {{"counter_profile", text(p.counter_profile)},
          {"replay_mode", text(p.replay_mode)},
          {"passes", integer(known(p.passes))},
          {"cache_control", text(p.cache_control)},
          {"clock_control", text(p.clock_control)},
          {"warmup_runs", timed ? Json(p.warmup_runs) : Json(nullptr)},
          {"latency_repeats", integer(known(p.latency_repeats))},
          {"pc_sampling_period_cycles", integer(known(p.pc_sampling_period_cycles))},
          {"filters", p.filters},
          {"run_s", number(p.run_s)},
          {"measuring_s", number(p.measuring_s)},
          {"overhead_factor", number(p.overhead_factor)}};
}

Json workload_json(const std::optional<AttentionShape>& shape) {
  if (!shape) {
    return nullptr;
  }
  return {{"batch", shape->batch},
          {"heads", shape->heads},
          {"kv_heads", shape->kv_heads},
          {"seqlen_q", shape->seqlen_q},
          {"seqlen_k", shape->seqlen_k},
          {"head_dim", shape->head_dim},
          {"dtype", shape->dtype},
          {"causal", shape->causal},
          {"softmax_scale", number(shape->softmax_scale)},
          {"direction", shape->direction}};
}

Json traffic_json(const LevelPrediction& p) {
  return {{"measured", number(p.measured.total)},
          {"predicted", number(p.predicted)},
          {"read", number(p.measured.read)},
          {"write", number(p.measured.write)},
          {"requested", number(p.measured.requested)},
          {"merged", number(p.measured.merged)},
          {"formula", text(p.formula)}};
}

// HBM and L2; null where what a kernel has to move is not known.
Json split_json(const PerLevel<std::optional<TrafficSplit>>& split) {
  Json json = Json::object();
  for (const MemoryLevel level : {MemoryLevel::hbm, MemoryLevel::l2}) {
    const std::optional<TrafficSplit>& one = split[level];
    json[key(level)] = one ? Json{{"inputs_outputs", number(one->inputs_outputs)},
                                  {"intermediates", number(one->intermediates)},
                                  {"again", number(one->again)},
                                  {"kept", number(one->kept)}}
                           : Json(nullptr);
  }
  return json;
}

Json latency_json(const std::optional<LatencyStats>& latency) {
  if (!latency) {
    return nullptr;
  }
  return {{"p50", number(latency->p50)},
          {"p90", number(latency->p90)},
          {"p99", number(latency->p99)},
          {"mean", number(latency->mean)},
          {"min", number(latency->minimum)},
          {"max", number(latency->maximum)},
          {"median_ci95", {number(latency->median_ci95_low), number(latency->median_ci95_high)}},
          {"p90_ci95", {number(latency->p90_ci95_low), number(latency->p90_ci95_high)}},
          {"p99_ci95", {number(latency->p99_ci95_low), number(latency->p99_ci95_high)}},
          {"count", latency->count}};
}

Json correctness_json(const std::optional<Correctness>& c) {
  if (!c) {
    return nullptr;
  }
  Json tensors = Json::array();
  for (const TensorError& t : c->tensors) {
    tensors.push_back({{"tensor", text(t.tensor)},
                       {"max_abs_error", number(t.max_abs_error)},
                       {"reference_16bit_max_abs_error", number(t.reference_16bit_max_abs_error)}});
  }
  return {{"method", text(c->method)},
          {"rows_checked", c->rows_checked},
          {"rows_total", c->rows_total},
          {"max_abs_error", number(c->max_abs_error)},
          {"reference_16bit_max_abs_error", number(c->reference_16bit_max_abs_error)},
          {"lse_max_abs_error", number(c->lse_max_abs_error)},
          {"passed", c->passed},
          {"tensors", tensors}};
}

Json sm_reads_json(const VariantAnalysis& v) {
  return {{"received", number(v.sm_received_bytes)},
          {"predicted", number(v.predicted_sm_reads)},
          {"looked_up", number(v.sm_looked_up_bytes)}};
}

Json variant_json(const VariantAnalysis& v) {
  return {{"name", v.name},
          {"description", text(v.description)},
          {"time_s", number(v.time_s)},
          {"latency_s", latency_json(v.latency)},
          {"speedup_over_first", number(v.speedup_over_first)},
          {"hbm_bytes", traffic_json(v.traffic[MemoryLevel::hbm])},
          {"l2_bytes", traffic_json(v.traffic[MemoryLevel::l2])},
          {"smem_bytes", traffic_json(v.traffic[MemoryLevel::smem])},
          {"compulsory_bytes", number(v.compulsory_bytes)},
          {"traffic_split", split_json(v.split)},
          {"l2_saved_bytes", number(v.l2_saved_bytes)},
          {"sm_read_bytes", sm_reads_json(v)},
          {"flops",
           {{"counted", number(v.flop.total)},
            {"analytic", number(v.analytic_flop)},
            {"algorithm", number(v.algorithm_flop)}}},
          {"achieved_flop_per_s", number(v.achieved_flop_per_s)},
          {"intensity", per_level(v.intensity)},
          {"max_error", v.correctness ? number(v.correctness->max_abs_error) : Json(nullptr)},
          {"correctness", correctness_json(v.correctness)},
          {"tokens_per_s", number(v.tokens_per_s)},
          {"cost_per_million_tokens", number(v.cost_per_million_tokens)},
          {"power_w", number(v.power_w)},
          {"energy_j", number(v.energy_j)},
          {"sustained_s", number(v.sustained_s)},
          {"flop_per_j", number(v.flop_per_j)},
          {"tokens_per_j", number(v.tokens_per_j)},
          {"workspace_bytes", v.workspace_bytes},
          {"saved_bytes", v.saved_bytes ? Json(*v.saved_bytes) : Json(nullptr)},
          {"kernels", v.kernels}};
}

Json hot_spot_json(const HotSpot& spot) {
  return {{"pc_offset", spot.pc_offset},
          {"samples", spot.samples},
          {"share", number(spot.share)},
          {"reason", spot.reason},
          {"reason_share", number(spot.reason_share)},
          {"sass", spot.sass.empty() ? Json(nullptr) : Json(spot.sass)},
          {"source", spot.source_line == 0
                         ? Json(nullptr)
                         : Json({{"file", spot.source_file}, {"line", spot.source_line}})}};
}

Json stalls_json(const std::vector<StallShare>& stalls) {
  Json shares = Json::object();
  for (const StallShare& stall : stalls) {
    shares[stall.reason] = number(stall.share);
  }
  return shares;
}

Json device_stalls_json(const DeviceStalls& one) {
  return {{"device", one.device},
          {"stalls", stalls_json(one.stalls)},
          {"stall_samples", one.samples},
          {"memory_stall_ratio", number(one.memory_stall_ratio)}};
}

Json per_launch_json(const KernelAnalysis& k) {
  std::vector<Quantity<KernelAnalysis>> quantities;
  add_launch_quantities(quantities);
  Json values = Json::object();
  for (const Quantity<KernelAnalysis>& one : quantities) {
    values[one.id.substr(one.id.find('.') + 1)] = number(one.value(k));
  }
  return values;
}

Json kernel_json(const KernelAnalysis& k) {
  const bool has_shape = !is_range_row(k.name);
  Json utilisation = per_level(k.utilisation);
  utilisation["compute"] = number(k.compute_utilisation);
  Json quantities = Json::object();
  for (const auto& [id, value] : k.quantities) {
    quantities[id] = number(value);
  }
  return {{"name", k.name},
          {"short_name", k.short_name},
          {"variant", text(k.variant)},
          {"role", text(k.role)},
          {"launches", k.launches},
          {"time_s", number(k.time_s)},
          {"time_share", number(k.time_share)},
          {"per_launch", per_launch_json(k)},
          {"grid", has_shape ? dim(k.grid) : Json(nullptr)},
          {"block", has_shape ? dim(k.block) : Json(nullptr)},
          {"cluster", has_shape ? dim(k.cluster) : Json(nullptr)},
          {"registers_per_thread", integer(k.registers_per_thread)},
          {"smem_per_block_bytes", integer(k.smem_per_block_bytes)},
          {"sm_clock_hz", number(k.sm_clock_hz)},
          {"power_w", k.energy ? number(k.energy->power_w) : Json(nullptr)},
          {"energy_j", k.energy ? number(k.energy->energy_j) : Json(nullptr)},
          {"energy_launches", k.energy ? Json(k.energy->launches) : Json(nullptr)},
          {"energy_error_share", k.energy ? number(k.energy->error_share) : Json(nullptr)},
          {"hbm_bytes", number(k.traffic[MemoryLevel::hbm].total)},
          {"l2_bytes", number(k.traffic[MemoryLevel::l2].total)},
          {"l2_merged_bytes", number(k.traffic[MemoryLevel::l2].merged)},
          {"smem_bytes", number(k.traffic[MemoryLevel::smem].total)},
          {"traffic_split", split_json(k.split)},
          {"l2_saved_bytes", number(k.l2_saved_bytes)},
          {"flops", number(k.flop.total)},
          {"flops_by_precision",
           {{"tensor", number(k.flop.tensor)},
            {"fp64", number(k.flop.fp64)},
            {"fp32", number(k.flop.fp32)},
            {"fp16", number(k.flop.fp16)}}},
          {"precision", text(k.flop.precision)},
          {"achieved_flop_per_s", number(k.achieved_flop_per_s)},
          {"intensity", per_level(k.intensity)},
          {"bandwidth", per_level(k.bandwidth)},
          {"bound_by", k.bound_by == BoundBy::unknown ? Json(nullptr) : Json(key(k.bound_by))},
          {"bound_pipe", text(k.bound_pipe)},
          {"bound_basis", text(k.bound_basis)},
          {"headroom", number(k.headroom)},
          {"utilisation", utilisation},
          // Without samples the shares are unknown, not empty.
          {"stalls", k.stalls.empty() ? Json(nullptr) : stalls_json(k.stalls)},
          {"stall_samples", k.stalls.empty() ? Json(nullptr) : Json(k.stall_samples)},
          {"memory_stall_ratio", number(k.memory_stall_ratio)},
          {"stalls_by_device", k.stalls_by_device.empty()
                                   ? Json(nullptr)
                                   : array_of(k.stalls_by_device, device_stalls_json)},
          {"hot_spots", k.hot_spots.empty() ? Json(nullptr) : array_of(k.hot_spots, hot_spot_json)},
          {"occupancy",
           {{"achieved", number(k.occupancy.achieved)},
            {"theoretical", number(k.occupancy.theoretical)},
            {"limiter", text(k.occupancy.limiter)},
            {"blocks_per_sm", integer(k.occupancy.blocks_per_sm)},
            {"waves", number(k.occupancy.waves)}}},
          {"sm_busy",
           {{"min", number(k.balance.active_min_share)},
            {"mean", number(k.balance.active_mean_share)},
            {"max", number(k.balance.active_max_share)},
            {"imbalance", number(k.balance.imbalance())}}},
          {"quantities", quantities}};
}

Json range_json(const RangeAnalysis& r) {
  Json json = {{"path", text(r.path)},
               {"occurrences", r.occurrences},
               {"launches", r.launches},
               {"time_s", number(r.time_s)}};
  for (const MemoryLevel level : memory_levels) {
    const Traffic& moved = r.traffic[level];
    json[std::string(key(level)) + "_bytes"] = {{"total", number(moved.total)},
                                                {"read", number(moved.read)},
                                                {"write", number(moved.write)}};
  }
  return json;
}

Json diagnosis_json(const Analysis& analysis, const RunGains& gains, const Diagnosis& d) {
  const bool has_kernel = d.kernel && *d.kernel < analysis.kernels.size();
  return {{"id", d.id},
          {"title", d.title},
          {"severity", key(d.severity)},
          {"kernel", has_kernel ? Json(analysis.kernels[*d.kernel].short_name) : Json(nullptr)},
          {"variant", text(d.variant)},
          {"explanation", text(d.explanation)},
          {"evidence", array_of(d.evidence,
                                [](const Evidence& e) {
                                  return Json{{"quantity", e.quantity},
                                              {"value", number(e.value)},
                                              {"unit", e.unit},
                                              {"threshold", number(e.threshold)}};
                                })},
          {"action", d.action},
          {"estimated_gain", number(d.estimated_gain)},
          {"gain_kind", d.estimated_gain ? Json(key(d.gain_kind)) : Json(nullptr)},
          {"gain_formula", text(d.gain_formula)},
          {"gain_of_run", d.estimated_gain ? number(gains.of(d)) : Json(nullptr)},
          {"confidence", key(d.confidence)},
          {"confidence_why", text(d.confidence_why)},
          {"not_applicable_when", text(d.not_applicable_when)}};
}

Json target_json(const TargetResult& t) {
  return {{"id", t.id},
          {"label", text(t.label)},
          {"variant", text(t.variant)},
          {"value", number(t.value)},
          {"target", number(t.target)},
          {"direction", t.at_least ? "at_least" : "at_most"},
          {"unit", t.unit},
          {"verdict", key(t.verdict)},
          {"why", text(t.why)},
          {"time_saved_share", number(t.time_saved_share)},
          {"cost_saved_per_million_tokens", number(t.cost_saved_per_million_tokens)}};
}

Json tile_json(const TileOption& o) {
  return {{"variant", o.variant},
          {"block_m", o.tile.block_m},
          {"block_n", o.tile.block_n},
          {"stages", o.tile.stages},
          {"threads", o.tile.threads},
          {"smem_per_block_bytes", o.tile.smem_bytes},
          {"registers_per_thread", o.registers_per_thread},
          {"blocks_per_sm", o.blocks_per_sm},
          {"occupancy", number(o.occupancy)},
          {"hbm_bytes", number(o.traffic_bytes[MemoryLevel::hbm])},
          {"l2_bytes", number(o.traffic_bytes[MemoryLevel::l2])},
          {"smem_bytes", number(o.traffic_bytes[MemoryLevel::smem])},
          {"time_bound_s", o.time_bound_s > 0 ? Json(o.time_bound_s) : Json(nullptr)},
          {"bound_by", o.bound_by == BoundBy::unknown ? Json(nullptr) : Json(key(o.bound_by))},
          {"in_use", o.in_use}};
}

Json split_option_json(const SplitOption& o) {
  return {{"splits", o.splits},
          {"blocks", number(o.blocks)},
          {"waves", number(o.waves)},
          {"partial_bytes", number(o.partial_bytes)},
          {"time_estimate_s", o.time_s > 0 ? number(o.time_s) : Json(nullptr)},
          {"best", o.best}};
}

}  // namespace

std::string render_json(const Analysis& analysis, const ReportOptions& /*options*/) {
  const Producer& p = analysis.producer;
  const RunGains gains(analysis);
  const Json report = {{"schema", "ridgepoint-analysis"},
                       {"version", "1.0"},
                       {"source", key(analysis.source)},
                       {"producer",
                        {{"version", text(p.version)},
                         {"time_utc", text(p.time_utc)},
                         {"command_line", text(p.command_line)},
                         {"mode", text(p.mode)},
                         {"host", p.host ? text(*p.host) : Json(nullptr)}}},
                       {"policy", policy_json(analysis.policy)},
                       {"device", device_json(analysis)},
                       {"workload", workload_json(analysis.attention)},
                       {"variants", array_of(analysis.variants, variant_json)},
                       {"kernels", array_of(analysis.kernels, kernel_json)},
                       {"run", analysis.run ? range_json(*analysis.run) : Json(nullptr)},
                       {"ranges", array_of(analysis.ranges, range_json)},
                       {"diagnoses", array_of(analysis.diagnoses,
                                              [&](const Diagnosis& d) {
                                                return diagnosis_json(analysis, gains, d);
                                              })},
                       {"targets", array_of(analysis.targets, target_json)},
                       {"tile_options", array_of(analysis.tile_options, tile_json)},
                       {"split_options", array_of(analysis.split_options, split_option_json)},
                       {"power", power_json(analysis)},
                       {"pm_sampling", pm_sampling_json(analysis)},
                       {"issues", array_of(analysis.issues, [](const Issue& issue) {
                          return Json{{"code", issue.code}, {"text", issue.text}};
                        })}};
  // Invalid UTF-8 in a name becomes U+FFFD; throwing would lose the whole report.
  return report.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

}  // namespace ridgepoint
