#include "analyzer/analysis/checks.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <map>
#include <string>
#include <vector>

#include "analyzer/analysis/flop_sources.h"
#include "analyzer/analysis/waiting_kernels.h"
#include "analyzer/roofline/placement.h"

namespace ridgepoint {
namespace {

void check_utilisation(const KernelAnalysis& kernel, std::vector<Issue>& issues) {
  const auto check = [&](const std::optional<double>& value, const char* roof) {
    if (value && *value > utilisation_limit) {
      issues.push_back(
          {"roofline.above_peak",
           fmt::format(
               "{} uses {:.0f} % of the {} peak, which cannot be: its counters or clocks are wrong",
               kernel.short_name, *value * 100, roof)});
    }
  };
  for (const MemoryLevel level : memory_levels) {
    check(kernel.utilisation[level], label(level));
  }
  check(kernel.compute_utilisation, "compute");
  if (const auto pipe = busiest_pipe(kernel)) {
    check(pipe->share, pipe->name.c_str());
  }
  check(kernel.quantity("issue_active_share"), "issue slots'");
  check(kernel.quantity("l1_wavefront_share"), "L1 data stage's");
}

// Whatever a kernel reads from HBM was looked up in L2 before. DRAM counters also see other engines
// and prefetched sectors, hence the tenth; below a megabyte that noise is all there is.
void check_levels(const KernelAnalysis& kernel, std::vector<Issue>& issues) {
  constexpr double noise_bytes = 1e6;
  const auto& read = kernel.traffic[MemoryLevel::hbm].read;
  const auto l2 = kernel.traffic[MemoryLevel::l2].looked_up();
  if (read && l2 && *read > noise_bytes && *read > 1.1 * *l2) {
    issues.push_back(
        {"traffic.l2_below_hbm",
         fmt::format(
             "{} reads {:.4g} MB from HBM but moves only {:.4g} MB through L2: other engines used "
             "the memory meanwhile, or the counters belong to different runs",
             kernel.short_name, *read * 1e-6, *l2 * 1e-6)});
  }
}

void check_flop(const VariantAnalysis& variant, bool causal, std::vector<Issue>& issues) {
  const auto ratio = variant.flop_excess();
  if (ratio && *ratio < flop_ratio_low) {
    issues.push_back({"flop.missing", fmt::format("the tensor FLOP counted for {} are {:.3f} of "
                                                  "those of its products: the counters did not "
                                                  "see all of its work",
                                                  variant.name, *ratio)});
  } else if (ratio && *ratio > flop_ratio_high) {
    issues.push_back(
        {"flop.excess",
         fmt::format("{} executes {:.3g} times the tensor FLOP of its products: {}. Its "
                     "intensities, and the FLOP rates and utilisations of its kernels, count them",
                     variant.name, *ratio,
                     causal ? "tiles, or parts of tiles, that the causal mask discards"
                            : "padding, or work that the problem does not need")});
  }
}

void check_correctness(const VariantAnalysis& variant, std::vector<Issue>& issues) {
  if (variant.correctness && !variant.correctness->passed) {
    issues.push_back(
        {"correctness.failed",
         fmt::format(
             "the result of {} is wrong: largest error {:.3g} ({}); its timings mean nothing",
             variant.name, variant.correctness->max_abs_error, variant.correctness->method)});
  }
}

void check_clock_limit(const KernelAnalysis& kernel, const std::vector<DeviceInfo>& devices,
                       std::vector<Issue>& issues) {
  double highest = 0;
  for (const DeviceInfo& device : devices) {
    highest = std::max(highest, device.sm_clock_max_hz);
  }
  if (highest > 0 && kernel.sm_clock_hz && *kernel.sm_clock_hz > highest * clock_limit) {
    issues.push_back(
        {"clocks.above_maximum",
         fmt::format(
             "{} is said to run at an SM clock of {:.0f} MHz where the device allows {:.0f} "
             "MHz: cycles and time do not fit, and its utilisations are off by as much",
             kernel.short_name, *kernel.sm_clock_hz * 1e-6, highest * 1e-6)});
  }
}

void check_clocks(const std::vector<KernelAnalysis>& kernels, std::vector<Issue>& issues) {
  double lowest = 0;
  double highest = 0;
  for (const KernelAnalysis& kernel : kernels) {
    if (kernel.sm_clock_hz && *kernel.sm_clock_hz > 0) {
      lowest = lowest > 0 ? std::min(lowest, *kernel.sm_clock_hz) : *kernel.sm_clock_hz;
      highest = std::max(highest, *kernel.sm_clock_hz);
    }
  }
  if (lowest > 0 && highest > lowest * (1 + clock_spread_limit)) {
    issues.push_back(
        {"clocks.moved",
         fmt::format(
             "the SM clock ran from {:.0f} to {:.0f} MHz between kernels: compare their times with "
             "care; utilisations use each kernel's own clock",
             lowest * 1e-6, highest * 1e-6)});
  }
}

// Samples are counted by instruction: where variants launch the same kernel they cannot be told
// apart.
void check_shared_samples(const std::vector<KernelAnalysis>& kernels, std::vector<Issue>& issues) {
  std::map<std::string, std::vector<std::string>> variants_of;  // by the kernel's full name
  for (const KernelAnalysis& kernel : kernels) {
    std::vector<std::string>& variants = variants_of[kernel.name];
    if (kernel.stall_samples > 0 && !kernel.variant.empty() &&
        std::find(variants.begin(), variants.end(), kernel.variant) == variants.end()) {
      variants.push_back(kernel.variant);
    }
  }
  std::map<std::vector<std::string>, int> shared;
  for (const auto& [name, variants] : variants_of) {
    shared[variants] += variants.size() > 1 ? 1 : 0;
  }
  for (const auto& [variants, count] : shared) {
    if (count > 0) {
      issues.push_back(
          {"stalls.shared", fmt::format("{} launch {} kernel{} in common, whose stall samples "
                                        "are of all of them together",
                                        fmt::join(variants, ", "), count, count == 1 ? "" : "s")});
    }
  }
}

}  // namespace

std::vector<Issue> check_consistency(const Analysis& analysis) {
  std::vector<Issue> issues;
  const bool causal = analysis.attention && analysis.attention->causal;
  for (const VariantAnalysis& variant : analysis.variants) {
    check_correctness(variant, issues);
    check_flop(variant, causal, issues);
  }
  for (const KernelAnalysis& kernel : analysis.kernels) {
    check_utilisation(kernel, issues);
    check_flop_sources(kernel, issues);
    check_levels(kernel, issues);
    check_clock_limit(kernel, analysis.devices, issues);
  }
  check_clocks(analysis.kernels, issues);
  check_shared_samples(analysis.kernels, issues);
  check_waiting_kernels(analysis.kernels, issues);
  return issues;
}

}  // namespace ridgepoint
