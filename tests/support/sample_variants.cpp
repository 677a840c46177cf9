#include "tests/support/sample_parts.h"

namespace ridgepoint::test_support {
namespace {

LatencyStats latency(double median) {
  LatencyStats stats{200,           median * 1.004, median * 0.993, median,        median * 1.012,
                     median * 1.05, median * 1.08,  median * 0.999, median * 1.001};
  stats.p90_ci95_low = median * 1.010;
  stats.p90_ci95_high = median * 1.016;
  stats.p99_ci95_low = median * 1.021;  // 200 repeats leave the upper end open
  return stats;
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

}  // namespace

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

}  // namespace ridgepoint::test_support
