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

// The share by which the clock of a kernel may be wrong, that is cycles over time.
double clock_error(const KernelAnalysis& kernel) {
  return kernel.time_s && *kernel.time_s > 0
             ? clock_window_s * static_cast<double>(kernel.launches) / *kernel.time_s
             : 0;
}

void check_clock_limit(const KernelAnalysis& kernel, const std::vector<DeviceInfo>& devices,
                       std::vector<Issue>& issues) {
  double highest = 0;
  for (const DeviceInfo& device : devices) {
    highest = std::max(highest, device.sm_clock_max_hz);
  }
  // Of the kernel's time a window that is a little wider than it has another share in each launch.
  const double tolerated = clock_limit + clock_error(kernel);
  if (highest > 0 && kernel.sm_clock_hz && *kernel.sm_clock_hz > highest * tolerated) {
    issues.push_back(
        {"clocks.above_maximum",
         fmt::format(
             "{} is said to run at an SM clock of {:.0f} MHz where the device allows {:.0f} "
             "MHz: its cycles (sm__cycles_elapsed) and its time are of different runs or passes. "
             "Its utilisations are off by {:.0f} %; measure it again, or a longer launch of it",
             kernel.short_name, *kernel.sm_clock_hz * 1e-6, highest * 1e-6,
             (*kernel.sm_clock_hz / highest - 1) * 100)});
  }
}

// Kernels too short to tell their clock are left out.
void check_clocks(const std::vector<KernelAnalysis>& kernels, std::vector<Issue>& issues) {
  const KernelAnalysis* slowest = nullptr;
  const KernelAnalysis* fastest = nullptr;
  for (const KernelAnalysis& kernel : kernels) {
    if (!kernel.sm_clock_hz || *kernel.sm_clock_hz <= 0 || clock_error(kernel) > clock_limit - 1) {
      continue;
    }
    if (slowest == nullptr || *kernel.sm_clock_hz < *slowest->sm_clock_hz) {
      slowest = &kernel;
    }
    if (fastest == nullptr || *kernel.sm_clock_hz > *fastest->sm_clock_hz) {
      fastest = &kernel;
    }
  }
  if (slowest != nullptr &&
      *fastest->sm_clock_hz > *slowest->sm_clock_hz * (1 + clock_spread_limit)) {
    issues.push_back(
        {"clocks.moved",
         fmt::format("the SM clock ran from {:.0f} MHz in {} to {:.0f} MHz in {}, by the cycles of "
                     "each kernel, which samples of the driver are too few to see: compare their "
                     "times with care; utilisations use each kernel's own clock",
                     *slowest->sm_clock_hz * 1e-6, slowest->short_name,
                     *fastest->sm_clock_hz * 1e-6, fastest->short_name)});
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
