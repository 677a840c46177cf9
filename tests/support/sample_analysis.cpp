#include "tests/support/sample_analysis.h"

#include <cmath>

#include "analyzer/analysis/ranges.h"
#include "analyzer/traffic/traffic_split.h"
#include "tests/support/sample_parts.h"

namespace ridgepoint::test_support {
namespace {

void split_the_traffic(Analysis& analysis) {
  std::vector<std::vector<TensorUse>> uses;
  for (const KernelAnalysis& kernel : analysis.kernels) {
    uses.push_back(tensor_uses(*analysis.attention, {kernel.role, 128, 128, 128, 2, 256, 0}));
  }
  split_traffic(analysis.kernels, analysis.variants, uses);
}

}  // namespace

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
