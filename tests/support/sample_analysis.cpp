#include "tests/support/sample_analysis.h"

#include <cmath>

#include "analyzer/analysis/ranges.h"
#include "analyzer/traffic/traffic_split.h"

namespace ridgepoint::test_support {
namespace {

// Of the invented device; the size of a large data-centre GPU.
constexpr double hbm_peak = 4.80e12;
constexpr double l2_peak = 9.70e12;
constexpr double smem_peak = 29.7e12;
constexpr double tensor_peak = 989.4e12;
constexpr double fp32_peak = 66.9e12;

DeviceInfo sample_device() {
  DeviceInfo device;
  device.name = "Sample GPU (invented)";
  device.chip = "SAMPLE100";
  device.compute_capability_major = 9;
  device.compute_capability_minor = 0;
  device.sm_count = 132;
  device.l2_bytes = 50 << 20;
  device.smem_per_sm_bytes = 228 << 10;
  device.smem_per_block_bytes = 227 << 10;
  device.smem_reserved_per_block_bytes = 1 << 10;
  device.registers_per_sm = 65536;
  device.warps_per_sm = 64;
  device.blocks_per_sm = 32;
  device.sm_clock_max_hz = 1.98e9;
  device.memory_clock_max_hz = 3.2e9;
  device.memory_bytes = std::int64_t{141} * 1000 * 1000 * 1000;
  device.memory_bus_bits = 6144;
  device.driver_version = "580.00";
  device.runtime_version = "13.0";
  device.cupti_version = "13.0";
  device.measured_ceilings = {{"hbm", 4.31e12, 0.01e12, 1.755e9, 520.0},
                              {"l2", 5.72e12, 0.03e12, 1.755e9, 540.0},
                              {"smem", 28.9e12, 0.05e12, 1.755e9, 480.0},
                              {"tensor_fp16", 745e12, 4e12, 1.620e9, 695.0},
                              {"fp32", 61.2e12, 0.2e12, 1.755e9, 560.0}};
  return device;
}

std::vector<Ceiling> sample_ceilings() {
  return {{CeilingKind::bandwidth, "hbm", "HBM3e", hbm_peak, 4.31e12, "bus width x memory clock"},
          {CeilingKind::bandwidth, "l2", "L2", l2_peak, 5.72e12, "slices x 64 byte x L2 clock"},
          {CeilingKind::bandwidth, "smem", "Shared memory", smem_peak, 28.9e12,
           "SMs x 128 byte x SM clock"},
          {CeilingKind::compute, "tensor_fp16", "Tensor FP16", tensor_peak, 745e12,
           "SMs x 4096 FLOP x SM clock"},
          {CeilingKind::compute, "fp32", "FP32", fp32_peak, 61.2e12, "SMs x 256 FLOP x SM clock"}};
}

struct KernelNumbers {
  const char* name;
  const char* short_name;
  const char* variant;
  const char* role;
  double time_s;
  Traffic hbm, l2, smem;
  double tensor_flop, fp32_flop;
  BoundBy bound_by;
  double headroom;
  std::int64_t registers, smem_bytes;
  std::vector<StallShare> stalls;
  Occupancy occupancy;
};

KernelAnalysis make_kernel(const KernelNumbers& n, std::size_t index) {
  KernelAnalysis kernel;
  kernel.name = n.name;
  kernel.short_name = n.short_name;
  kernel.variant = n.variant;
  kernel.role = n.role;
  kernel.session_kernel = index;
  kernel.launches = 1;
  kernel.time_s = n.time_s;
  kernel.grid = {64, 16, 1};
  kernel.block = {n.registers > 128 ? 384U : 256U, 1, 1};
  kernel.cluster = {1, 1, 1};
  kernel.registers_per_thread = n.registers;
  kernel.smem_per_block_bytes = n.smem_bytes;
  kernel.sm_clock_hz = 1.755e9;
  kernel.traffic[MemoryLevel::hbm] = n.hbm;
  kernel.traffic[MemoryLevel::l2] = n.l2;
  kernel.traffic[MemoryLevel::smem] = n.smem;
  const double flop = n.tensor_flop + n.fp32_flop;
  kernel.flop.tensor = n.tensor_flop;
  kernel.flop.fp32 = n.fp32_flop;
  kernel.flop.fp64 = 0.0;
  kernel.flop.fp16 = 0.0;
  kernel.flop.total = flop;
  const bool tensor = n.tensor_flop > 0;
  kernel.flop.precision = tensor ? "tensor_fp16" : "fp32";
  kernel.achieved_flop_per_s = flop / n.time_s;
  kernel.compute_utilisation = flop / n.time_s / (tensor ? tensor_peak : fp32_peak);
  const PerLevel<double> peak{{hbm_peak, l2_peak, smem_peak}};
  for (const MemoryLevel level : memory_levels) {
    const double bytes = *kernel.traffic[level].total;
    kernel.bandwidth[level] = bytes / n.time_s;
    kernel.intensity[level] = flop / bytes;
    kernel.utilisation[level] = bytes / n.time_s / peak[level];
  }
  kernel.bound_by = n.bound_by;
  kernel.headroom = n.headroom;
  kernel.stalls = n.stalls;
  double memory = 0;
  for (const StallShare& stall : n.stalls) {
    memory += stall.memory ? stall.share : 0.0;
  }
  kernel.memory_stall_ratio = memory;
  kernel.stall_samples = 48000 + static_cast<std::int64_t>(index) * 1500;
  kernel.occupancy = n.occupancy;
  kernel.balance = {0.91, 0.97, 0.99};
  kernel.quantities = {{"l2_hit_rate", tensor ? 0.83 : 0.02},
                       {"smem_bank_conflicts", 1.2e6},
                       {"issue_active", 0.31}};
  return kernel;
}

std::vector<KernelAnalysis> sample_kernels() {
  // S and P are 16 heads x N x N x 2 byte = 2.147 GB each; each of Q, K, V, O is 33.6 MB.
  const std::vector<KernelNumbers> numbers = {
      {"void ridgepoint::kernels::naive_scores<__half, 128, 128, 32>(__half const*, __half const*, "
       "__half*, ridgepoint::kernels::AttentionProblem)",
       "naive_scores",
       "naive",
       "scores",
       1.620e-3,
       {2.221e9, 0.071e9, 2.150e9, {}},
       {6.52e9, 4.36e9, 2.16e9, {}},
       {17.9e9, 11.4e9, 6.5e9, 17.2e9},
       274.9e9,
       1.07e9,
       BoundBy::latency,
       3.08,
       168,
       73728,
       {{"long_scoreboard", 0.31, true},
        {"math_pipe_throttle", 0.19, false},
        {"barrier", 0.16, false},
        {"short_scoreboard", 0.11, true},
        {"wait", 0.10, false},
        {"selected", 0.08, false},
        {"mio_throttle", 0.05, true}},
       {0.124, 0.125, 1, "registers", 7.76}},
      {"void ridgepoint::kernels::naive_softmax<__half>(__half const*, __half*, float*, int)",
       "naive_softmax",
       "naive",
       "softmax",
       1.140e-3,
       {4.342e9, 2.168e9, 2.174e9, {}},
       {4.39e9, 2.19e9, 2.20e9, {}},
       {0.42e9, 0.21e9, 0.21e9, 0.42e9},
       0.0,
       5.37e9,
       BoundBy::hbm,
       1.26,
       40,
       4096,
       {{"long_scoreboard", 0.71, true},
        {"lg_throttle", 0.09, true},
        {"barrier", 0.08, false},
        {"selected", 0.05, false},
        {"wait", 0.04, false},
        {"not_selected", 0.03, false}},
       {0.87, 1.0, 8, "warps", 124.1}},
      {"void ridgepoint::kernels::naive_output<__half, 128, 128, 32>(__half const*, __half const*, "
       "__half*, ridgepoint::kernels::AttentionProblem)",
       "naive_output",
       "naive",
       "output",
       1.580e-3,
       {2.238e9, 2.203e9, 0.035e9, {}},
       {6.49e9, 6.44e9, 0.05e9, {}},
       {17.6e9, 11.3e9, 6.3e9, 17.0e9},
       274.9e9,
       0.0,
       BoundBy::latency,
       3.12,
       168,
       73728,
       {{"long_scoreboard", 0.34, true},
        {"math_pipe_throttle", 0.18, false},
        {"barrier", 0.15, false},
        {"short_scoreboard", 0.12, true},
        {"wait", 0.09, false},
        {"selected", 0.08, false},
        {"mio_throttle", 0.04, true}},
       {0.124, 0.125, 1, "registers", 7.76}},
      {"void ridgepoint::kernels::fused_attention<__half, 128, 128, 2>(CUtensorMap, CUtensorMap, "
       "CUtensorMap, __half*, float*, ridgepoint::kernels::AttentionProblem)",
       "fused_attention",
       "fused",
       "attention",
       0.908e-3,
       {0.151e9, 0.117e9, 0.034e9, {}},
       {4.61e9, 4.57e9, 0.04e9, {}},
       {16.2e9, 14.9e9, 1.3e9, 16.0e9},
       549.8e9,
       7.52e9,
       BoundBy::compute,
       1.61,
       168,
       164864,
       {{"gmma", 0.34, false},
        {"math_pipe_throttle", 0.21, false},
        {"wait", 0.14, false},
        {"barrier", 0.11, false},
        {"selected", 0.11, false},
        {"long_scoreboard", 0.05, true},
        {"not_selected", 0.04, false}},
       {0.186, 0.188, 1, "registers, shared memory", 7.76}}};
  std::vector<KernelAnalysis> kernels;
  double whole = 0;
  for (const KernelNumbers& one : numbers) {
    kernels.push_back(make_kernel(one, kernels.size()));
    whole += one.time_s;
  }
  for (KernelAnalysis& kernel : kernels) {
    kernel.time_share = *kernel.time_s / whole;
  }
  return kernels;
}

LatencyStats latency(double median) {
  LatencyStats stats{200,           median * 1.004, median * 0.993, median,        median * 1.012,
                     median * 1.05, median * 1.08,  median * 0.999, median * 1.001};
  stats.p90_ci95_low = median * 1.010;
  stats.p90_ci95_high = median * 1.016;
  stats.p99_ci95_low = median * 1.021;  // 200 repeats leave the upper end open
  return stats;
}

void split_the_traffic(Analysis& analysis) {
  std::vector<std::vector<TensorUse>> uses;
  for (const KernelAnalysis& kernel : analysis.kernels) {
    uses.push_back(tensor_uses(*analysis.attention, {kernel.role, 128, 128, 128, 2, 256, 0}));
  }
  split_traffic(analysis.kernels, analysis.variants, uses);
}

struct VariantNumbers {
  const char* name;
  const char* description;
  double median_s;
  PerLevel<double> predicted;
  PerLevel<const char*> formula;
  std::int64_t workspace_bytes;
  double max_abs_error;
};

VariantAnalysis make_variant(const VariantNumbers& n, const std::vector<KernelAnalysis>& kernels) {
  VariantAnalysis variant;
  variant.name = n.name;
  variant.description = n.description;
  variant.time_s = n.median_s;
  variant.latency = latency(n.median_s);
  double flop = 0;
  double fp32 = 0;
  PerLevel<Traffic> sum;
  for (const MemoryLevel level : memory_levels) {
    sum[level] = {0.0, 0.0, 0.0, {}};
  }
  for (std::size_t i = 0; i < kernels.size(); ++i) {
    if (kernels[i].variant != n.name) {
      continue;
    }
    variant.kernels.push_back(i);
    flop += *kernels[i].flop.tensor;
    fp32 += *kernels[i].flop.fp32;
    for (const MemoryLevel level : memory_levels) {
      const Traffic& one = kernels[i].traffic[level];
      *sum[level].total += *one.total;
      *sum[level].read += *one.read;
      *sum[level].write += *one.write;
      if (one.requested) {
        sum[level].requested = sum[level].requested.value_or(0.0) + *one.requested;
      }
    }
  }
  variant.flop.tensor = flop;
  variant.flop.fp32 = fp32;
  variant.flop.fp64 = 0.0;
  variant.flop.fp16 = 0.0;
  variant.flop.total = flop + fp32;
  variant.flop.precision = "tensor_fp16";
  for (const MemoryLevel level : memory_levels) {
    variant.traffic[level] = {sum[level], n.predicted[level], n.formula[level]};
    variant.intensity[level] = (flop + fp32) / *sum[level].total;
  }
  variant.analytic_flop = variant.algorithm_flop = 4.0 * 16 * 8192.0 * 8192.0 * 128;
  variant.compulsory_bytes = 4.0 * 16 * 8192 * 128 * 2 + 16.0 * 8192 * 4;
  variant.achieved_flop_per_s = *variant.analytic_flop / n.median_s;
  variant.tokens_per_s = 8192 / n.median_s;
  variant.workspace_bytes = n.workspace_bytes;
  variant.correctness =
      Correctness{"256 sampled rows", 256, 16 * 8192, n.max_abs_error, 2.4e-4, 1.1e-6, true, {}};
  return variant;
}

std::vector<VariantAnalysis> sample_variants(const std::vector<KernelAnalysis>& kernels) {
  std::vector<VariantAnalysis> variants;
  variants.push_back(
      make_variant({"naive", "three kernels; S and P go through HBM", 4.380e-3,
                    PerLevel<double>{{8.724e9, 17.1e9, 35.2e9}},
                    PerLevel<const char*>{{"e(2 Nq d + 2 Nk d) + 4 e Nq Nk a head",
                                           "tile operands of both products + S and P",
                                           "operand bytes of every MMA tile"}},
                    std::int64_t{4} << 30, 2.1e-4},
                   kernels));
  variants.push_back(
      make_variant({"fused", "one kernel; online softmax, S and P stay on chip", 0.921e-3,
                    PerLevel<double>{{0.134e9, 4.36e9, 15.6e9}},
                    PerLevel<const char*>{{"e(2 Nq d + 2 Nk d) + 4 Nq a head, K and V kept in L2",
                                           "e(2 Nq d + ceil(Nq/Bm) 2 Nk d) a head",
                                           "Q once a tile; K and V once a tile and warp group"}},
                    0, 1.7e-4},
                   kernels));
  for (VariantAnalysis& variant : variants) {
    variant.speedup_over_first = *variants.front().time_s / *variant.time_s;
  }
  return variants;
}

std::vector<Diagnosis> sample_diagnoses() {
  return {
      {"materialised_intermediates",
       "The naive pipeline writes S and P to HBM and reads them back",
       "S = QK^T and P = softmax(S) are N x N a head. They are written and read once each, and are "
       "98 % of all HBM traffic. A fused kernel keeps them on chip.",
       Severity::critical,
       {},
       "naive",
       {{"HBM bytes of S and P", 8.59e9, "byte", {}},
        {"share of all HBM bytes", 0.976, "share", 0.5}},
       "Fuse the three kernels: tile over keys and keep a running maximum and sum (online "
       "softmax).",
       0.79,
       GainKind::at_most,
       "1 - time(fused) / time(naive), both measured",
       "the intermediates fit in L2"},
      {"tensor_not_fed",
       "naive_scores keeps the tensor cores busy 17 % of the time",
       "One block an SM and no overlap of loads with products leave the tensor cores waiting.",
       Severity::warning,
       0,
       "naive",
       {{"compute utilisation", 0.172, "share", 0.6},
        {"long scoreboard stalls", 0.31, "share", 0.2}},
       "Load the next tiles asynchronously (cp.async or TMA) while the current ones multiply.",
       0.25,
       GainKind::at_most,
       "time x (1 - utilisation / 0.6), capped by the stall share",
       "the kernel is HBM bound"},
      {"hbm_bandwidth_bound",
       "naive_softmax runs at 79 % of the HBM roof",
       "Its time follows from its bytes: it reads S and writes P and does little else.",
       Severity::notice,
       1,
       "naive",
       {{"HBM bandwidth utilisation", 0.793, "share", 0.8}, {"HBM bytes", 4.342e9, "byte", {}}},
       "Move fewer bytes: fuse it with its neighbours; tuning this kernel alone gains little.",
       0.14,
       GainKind::at_most,
       "share of time x (1 - 1 / headroom)",
       "compute utilisation is above 60 %"},
      {"mma_wgmma_serialised",
       "fused_attention waits for its own matrix products",
       "A third of the samples wait for WGMMA groups: products and softmax do not overlap.",
       Severity::notice,
       3,
       "fused",
       {{"gmma stalls", 0.34, "share", 0.25}, {"tensor utilisation", 0.62, "share", 0.75}},
       "Let two warp groups take turns: one multiplies while the other does its softmax.",
       0.12,
       GainKind::at_most,
       "gmma share - 0.22, the share seen in overlapped kernels",
       "only one warp group fits"},
      {"occupancy_limited",
       "naive_output: registers allow one block an SM",
       "168 registers a thread leave room for 8 warps of 64.",
       Severity::info,
       2,
       "naive",
       {{"achieved occupancy", 0.124, "share", 0.25}, {"registers a thread", 168, "1", 128.0}},
       "Reduce the accumulator tile or split it over two warp groups.",
       0.05,
       GainKind::at_most,
       "share of stalls that more warps could hide",
       "tensor utilisation is above 60 %"},
      {"wave_quantisation",
       "The last wave of fused_attention is three quarters full",
       "1024 blocks on 132 SMs make 7.76 waves.",
       Severity::info,
       3,
       "fused",
       {{"waves", 7.76, "1", {}}, {"idle share of the last wave", 0.24, "share", 0.2}},
       "Launch one persistent block an SM and hand out tiles.",
       0.03,
       GainKind::at_most,
       "(ceil(waves) - waves) / ceil(waves)",
       "more than 20 waves"}};
}

std::vector<TargetResult> sample_targets() {
  return {
      {"hbm_bandwidth_utilisation", "HBM bandwidth utilisation", "naive", 0.423, 0.8, true, "share",
       Verdict::missed, "two of three kernels are bound by latency"},
      {"hbm_bandwidth_utilisation", "HBM bandwidth utilisation", "fused", 0.035, 0.8, true, "share",
       Verdict::not_applicable, "the kernel is compute bound: few HBM bytes are its merit"},
      {"latency_p99", "P99 latency", "naive", 4.60e-3, 1e-3, false, "s", Verdict::missed,
       "4.60 ms against 1 ms"},
      {"latency_p99", "P99 latency", "fused", 0.967e-3, 1e-3, false, "s", Verdict::met, ""},
      {"memory_stall_ratio", "Memory stall ratio", "naive", 0.54, 0.1, false, "share",
       Verdict::missed, "long scoreboard leads"},
      {"memory_stall_ratio", "Memory stall ratio", "fused", 0.05, 0.1, false, "share", Verdict::met,
       ""},
      {"energy_per_flop",
       "FLOP per joule",
       "fused",
       {},
       1e12,
       true,
       "FLOP/J",
       Verdict::not_applicable,
       "energy was not measured"}};
}

}  // namespace

Analysis sample_analysis() {
  Analysis analysis;
  // The one source that claims no measurement.
  analysis.source = Source::predicted;
  analysis.producer = {"0.1.0", "2026-11-29T17:40:15Z",
                       "ridgepoint attention --heads 16 --seqlen 8192 --head-dim 128", "attention",
                       "sample-host"};
  analysis.policy.counter_profile = "default";
  analysis.policy.replay_mode = "user";
  analysis.policy.passes = 9;
  analysis.policy.cache_control = "L2 evicted by reading a large buffer before each pass";
  analysis.policy.clock_control = "none";
  analysis.policy.warmup_runs = 10;
  analysis.policy.latency_repeats = 200;
  analysis.policy.pc_sampling_period_cycles = 2048;
  analysis.policy.filters = {"kernel: *"};
  analysis.policy.overhead_factor = 11.4;
  analysis.devices = {sample_device()};
  analysis.ceilings = sample_ceilings();
  analysis.attention =
      AttentionShape{1, 16, 16, 8192, 8192, 128, "fp16", false, 1.0 / std::sqrt(128.0), "forward"};
  analysis.kernels = sample_kernels();
  analysis.variants = sample_variants(analysis.kernels);
  split_the_traffic(analysis);
  analysis.run = whole_run(analysis.kernels);
  analysis.ranges = {*analysis.run};
  analysis.ranges.front().path = "benchmark/attention";
  analysis.diagnoses = sample_diagnoses();
  analysis.targets = sample_targets();
  analysis.issues = {
      {"sample.invented", "These numbers are invented for tests; nothing was measured."},
      {"clocks.throttled", "The SM clock fell from 1.98 to 1.76 GHz during the run."}};
  return analysis;
}

Analysis sparse_analysis() {
  Analysis analysis;
  analysis.source = Source::predicted;
  analysis.producer = {"0.1.0", "2026-11-29T17:40:15Z", "ridgepoint profile -- app", "profile", {}};
  analysis.policy.counter_profile = "none";
  analysis.policy.replay_mode = "none";
  analysis.devices = {sample_device()};
  analysis.devices[0].measured_ceilings.clear();
  analysis.ceilings = sample_ceilings();
  for (Ceiling& ceiling : analysis.ceilings) {
    ceiling.measured.reset();
  }
  KernelAnalysis copy;
  copy.name = "void copy_kernel<int>(int*, int const*)";
  copy.short_name = "copy_kernel";
  copy.launches = 12;
  copy.time_s = 3.1e-4;
  copy.time_share = 1.0;
  analysis.kernels = {copy};
  analysis.issues = {
      {"sample.invented", "These numbers are invented for tests; nothing was measured."}};
  return analysis;
}

}  // namespace ridgepoint::test_support
