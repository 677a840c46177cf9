#include "tests/support/sample_parts.h"

namespace ridgepoint::test_support {
namespace {

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

}  // namespace

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

}  // namespace ridgepoint::test_support
