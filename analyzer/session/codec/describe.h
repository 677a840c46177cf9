// The fields of every section, named once. Writers and readers are archives that these functions
// are applied to, so the two directions cannot drift apart. Archive: operator()(name, field), and
// table(name, rows) for sections that are stored by column.
#pragma once

#include <concepts>
#include <type_traits>

#include "analyzer/session/session.h"

namespace ridgepoint::codec {

// T or const T: readers describe a mutable struct, writers a constant one.
template <class T, class Struct>
concept Is = std::same_as<std::remove_const_t<T>, Struct>;

template <class Archive, Is<Producer> T>
void describe(Archive& field, T& v) {
  field("version", v.version);
  field("time_utc", v.time_utc);
  field("command_line", v.command_line);
  field("mode", v.mode);
  field("host", v.host);
}

template <class Archive, Is<MeasuredCeiling> T>
void describe(Archive& field, T& v) {
  field("name", v.name);
  field("value", v.value);
  field("ci95_half", v.ci95_half);
  field("sm_clock_hz", v.sm_clock_hz);
  field("power_w", v.power_w);
}

template <class Archive, Is<DeviceInfo> T>
void describe(Archive& field, T& v) {
  field("name", v.name);
  field("chip", v.chip);
  field("compute_capability_major", v.compute_capability_major);
  field("compute_capability_minor", v.compute_capability_minor);
  field("sm_count", v.sm_count);
  field("l2_bytes", v.l2_bytes);
  field("smem_per_sm_bytes", v.smem_per_sm_bytes);
  field("smem_per_block_bytes", v.smem_per_block_bytes);
  field("smem_reserved_per_block_bytes", v.smem_reserved_per_block_bytes);
  field("registers_per_sm", v.registers_per_sm);
  field("warps_per_sm", v.warps_per_sm);
  field("blocks_per_sm", v.blocks_per_sm);
  field("sm_clock_max_hz", v.sm_clock_max_hz);
  field("memory_clock_max_hz", v.memory_clock_max_hz);
  field("memory_bytes", v.memory_bytes);
  field("memory_bus_bits", v.memory_bus_bits);
  field("driver_version", v.driver_version);
  field("runtime_version", v.runtime_version);
  field("cupti_version", v.cupti_version);
  field("pci_bus_id", v.pci_bus_id);
  field("measured_ceilings", v.measured_ceilings);
}

template <class Archive, Is<Policy> T>
void describe(Archive& field, T& v) {
  field("counter_profile", v.counter_profile);
  field("replay_mode", v.replay_mode);
  field("passes", v.passes);
  field("cache_control", v.cache_control);
  field("clock_control", v.clock_control);
  field("warmup_runs", v.warmup_runs);
  field("latency_repeats", v.latency_repeats);
  field("pc_sampling_period_cycles", v.pc_sampling_period_cycles);
  field("power_sampling_period_s", v.power_sampling_period_s);
  field("filters", v.filters);
  field("run_s", v.run_s);
  field("measuring_s", v.measuring_s);
  field("overhead_factor", v.overhead_factor);
}

template <class Archive, Is<KernelInfo> T>
void describe(Archive& field, T& v) {
  field("name", v.name);
  field("mangled", v.mangled);
  field("registers_per_thread", v.registers_per_thread);
  field("static_smem_bytes", v.static_smem_bytes);
  field("local_bytes_per_thread", v.local_bytes_per_thread);
  field("cubin_hash", v.cubin_hash);
}

template <class Archive, Is<Launch> T>
void describe(Archive& field, T& v) {
  field("kernel", v.kernel);
  field("device", v.device);
  field("stream", v.stream);
  field("grid_x", v.grid.x);
  field("grid_y", v.grid.y);
  field("grid_z", v.grid.z);
  field("block_x", v.block.x);
  field("block_y", v.block.y);
  field("block_z", v.block.z);
  field("cluster_x", v.cluster.x);
  field("cluster_y", v.cluster.y);
  field("cluster_z", v.cluster.z);
  field("dynamic_smem_bytes", v.dynamic_smem_bytes);
  field("range", v.range);
  field("start_ns", v.start_ns);
  field("end_ns", v.end_ns);
}

template <class Archive, Is<PcSample> T>
void describe(Archive& field, T& v) {
  field("kernel", v.kernel);
  field("pc_offset", v.pc_offset);
  field("reason", v.reason);
  field("samples", v.samples);
  field("samples_not_issued", v.samples_not_issued);
  field("device", v.device);
}

template <class Archive, Is<SampledInstruction> T>
void describe(Archive& field, T& v) {
  field("kernel", v.kernel);
  field("pc_offset", v.pc_offset);
  field("sass", v.sass);
  field("file", v.file);
  field("line", v.line);
}

template <class Archive, Is<Cubin> T>
void describe(Archive& field, T& v) {
  field("hash", v.hash);
  field("bytes", v.bytes);
  field("zstd_base64", v.zstd_base64);
  field("kernels", v.kernels);
}

template <class Archive, Is<NvtxRange> T>
void describe(Archive& field, T& v) {
  field("name", v.name);
  field("domain", v.domain);
  field("thread", v.thread);
  field("start_ns", v.start_ns);
  field("end_ns", v.end_ns);
  field("parent", v.parent);
}

template <class Archive, Is<RangeEnd> T>
void describe(Archive& field, T& v) {
  field("range", v.range);
  field("end_ns", v.end_ns);
}

template <class Archive, Is<MemoryOperation> T>
void describe(Archive& field, T& v) {
  field("kind", v.kind);
  field("device", v.device);
  field("stream", v.stream);
  field("bytes", v.bytes);
  field("start_ns", v.start_ns);
  field("end_ns", v.end_ns);
}

template <class Archive, Is<PowerSample> T>
void describe(Archive& field, T& v) {
  field("time_ns", v.time_ns);
  field("device", v.device);
  field("power_w", v.power_w);
  field("energy_j", v.energy_j);
  field("sm_clock_hz", v.sm_clock_hz);
  field("memory_clock_hz", v.memory_clock_hz);
  field("temperature_c", v.temperature_c);
  field("clock_reasons", v.clock_reasons);
}

template <class Archive, Is<PowerPhase> T>
void describe(Archive& field, T& v) {
  field("name", v.name);
  field("variant", v.variant);
  field("device", v.device);
  field("start_ns", v.start_ns);
  field("end_ns", v.end_ns);
  field("runs", v.runs);
  field("samples", v.samples);
  field("energy_updates", v.energy_updates);
  field("energy_j", v.energy_j);
  field("energy_s", v.energy_s);
  field("power_mean_w", v.power_mean_w);
  field("power_max_w", v.power_max_w);
  field("temperature_max_c", v.temperature_max_c);
  field("busy_samples", v.busy_samples);
  field("sm_clock_min_hz", v.sm_clock_min_hz);
  field("sm_clock_mean_hz", v.sm_clock_mean_hz);
  field("sm_clock_max_hz", v.sm_clock_max_hz);
  field("power_capped_samples", v.power_capped_samples);
  field("slowed_samples", v.slowed_samples);
  field("clock_reasons", v.clock_reasons);
}

template <class Archive, Is<PmSeries> T>
void describe(Archive& field, T& v) {
  field("variant", v.variant);
  field("kernel", v.kernel);
  field("nth", v.nth);
  field("device", v.device);
  field("interval_s", v.interval_s);
  field("cut_off", v.cut_off);
  field("start_s", v.start_s);
  field("end_s", v.end_s);
  field("names", v.names);
  field("columns", v.columns);
}

template <class Archive, Is<AttentionShape> T>
void describe(Archive& field, T& v) {
  field("batch", v.batch);
  field("heads", v.heads);
  field("kv_heads", v.kv_heads);
  field("seqlen_q", v.seqlen_q);
  field("seqlen_k", v.seqlen_k);
  field("head_dim", v.head_dim);
  field("dtype", v.dtype);
  field("causal", v.causal);
  field("softmax_scale", v.softmax_scale);
  field("direction", v.direction);
}

template <class Archive, Is<TensorError> T>
void describe(Archive& field, T& v) {
  field("tensor", v.tensor);
  field("max_abs_error", v.max_abs_error);
  field("reference_16bit_max_abs_error", v.reference_16bit_max_abs_error);
}

template <class Archive, Is<Correctness> T>
void describe(Archive& field, T& v) {
  field("method", v.method);
  field("rows_checked", v.rows_checked);
  field("rows_total", v.rows_total);
  field("max_abs_error", v.max_abs_error);
  field("reference_16bit_max_abs_error", v.reference_16bit_max_abs_error);
  field("lse_max_abs_error", v.lse_max_abs_error);
  field("passed", v.passed);
  field("tensors", v.tensors);
}

template <class Archive, Is<KernelTileInfo> T>
void describe(Archive& field, T& v) {
  field("role", v.role);
  field("block_m", v.block_m);
  field("block_n", v.block_n);
  field("block_k", v.block_k);
  field("stages", v.stages);
  field("threads", v.threads);
  field("smem_bytes", v.smem_bytes);
}

template <class Archive, Is<VariantRun> T>
void describe(Archive& field, T& v) {
  field("name", v.name);
  field("description", v.description);
  field("launches", v.launches);
  field("tiles", v.tiles);
  field("latency_s", v.latency_s);
  field("correctness", v.correctness);
  field("workspace_bytes", v.workspace_bytes);
  field("saved_bytes", v.saved_bytes);
  field("products", v.products);
}

template <class Archive, Is<AttentionWorkload> T>
void describe(Archive& field, T& v) {
  field("shape", v.shape);
  field("analytic_flop", v.analytic_flop);
  field("analytic_bytes", v.analytic_bytes);
  field("variants", v.variants);
}

template <class Archive, Is<ImportedRuleResult> T>
void describe(Archive& field, T& v) {
  field("launch", v.launch);
  field("section", v.section);
  field("rule", v.rule);
  field("type", v.type);
  field("text", v.text);
  field("speedup_type", v.speedup_type);
  field("estimated_speedup_pct", v.estimated_speedup_pct);
}

template <class Archive, Is<Issue> T>
void describe(Archive& field, T& v) {
  field("code", v.code);
  field("text", v.text);
}

template <class Archive, Is<CounterTable> T>
void describe(Archive& field, T& v) {
  field("names", v.names);
  field("columns", v.columns);
}

template <class Archive, Is<Session> T>
void describe(Archive& field, T& v) {
  field("producer", v.producer);
  field("policy", v.policy);
  field("issues", v.issues);
  field("devices", v.devices);
  field("kernels", v.kernels);
  field("attention", v.attention);
  field.table("launches", v.launches);
  field("counters", v.counters);
  field("stall_reasons", v.stall_reasons);
  field.table("pc_samples", v.pc_samples);
  field.table("instructions", v.instructions);
  field("source_files", v.source_files);
  field("cubins", v.cubins);
  field.table("ranges", v.ranges);
  field.table("range_ends", v.range_ends);
  field.table("memory_operations", v.memory_operations);
  field.table("power", v.power);
  field.table("power_phases", v.power_phases);
  field("pm_series", v.pm_series);
  field.table("imported_rules", v.imported_rules);
}

}  // namespace ridgepoint::codec
