#include "analyzer/analysis/variants.h"

#include <algorithm>

#include "analyzer/analysis/latency.h"
#include "analyzer/attention/flop.h"
#include "analyzer/attention/io_machine.h"
#include "analyzer/attention/io_model.h"
#include "analyzer/attention/split_kv.h"
#include "analyzer/traffic/sm_reads.h"
#include "analyzer/traffic/traffic.h"

namespace ridgepoint {
namespace {

// Counted where it was; else the variant's construction is known by its name.
MatrixPath matrix_path(const KernelAnalysis* kernel, const VariantRun& run) {
  const auto gmma = kernel != nullptr ? kernel->quantity("gmma_instructions") : std::nullopt;
  const bool wgmma = gmma ? *gmma > 0 : run.name.rfind("hopper", 0) == 0;
  return wgmma ? MatrixPath::wgmma : MatrixPath::mma_sync;
}

std::optional<double> positive(double value) {
  return value > 0 ? std::optional<double>(value) : std::nullopt;
}

// Traffic, FLOP and kernel time added up; the unit of the kernel that does most of the work names
// the precision.
void add_kernels(VariantAnalysis& variant, const std::vector<KernelAnalysis>& kernels,
                 std::optional<double>& time_s) {
  double most = 0;
  for (std::size_t i = 0; i < variant.kernels.size(); ++i) {
    const KernelAnalysis& kernel = kernels[variant.kernels[i]];
    for (const MemoryLevel level : memory_levels) {
      if (i == 0) {
        variant.traffic[level].measured = kernel.traffic[level];
      } else {
        add_traffic(variant.traffic[level].measured, kernel.traffic[level]);
      }
    }
    if (i == 0) {
      variant.flop = kernel.flop;
      time_s = kernel.time_s;
    } else {
      add_flop(variant.flop, kernel.flop);
      time_s =
          time_s && kernel.time_s ? std::optional<double>(*time_s + *kernel.time_s) : std::nullopt;
    }
    if (kernel.flop.total.value_or(0) > most) {
      most = *kernel.flop.total;
      variant.flop.precision = kernel.flop.precision;
    }
  }
  if (const auto reads = sm_reads(kernels, variant)) {
    variant.sm_received_bytes = reads->received;
    variant.sm_looked_up_bytes = reads->looked_up;
  }
}

void predict(VariantAnalysis& variant, const Session& session, const VariantRun& run,
             const std::vector<LaunchGroup>& groups, const std::vector<KernelAnalysis>& kernels,
             const std::vector<DeviceKnowledge>& knowledge) {
  if (run.launches.empty() || run.tiles.size() != run.launches.size()) {
    return;
  }
  std::vector<PlannedKernel> planned;
  for (std::size_t i = 0; i < run.launches.size(); ++i) {
    const Launch& launch = session.launches[run.launches[i]];
    const KernelAnalysis* analysed = nullptr;
    for (const std::size_t kernel : variant.kernels) {
      if (groups[kernel].kernel == launch.kernel) {
        analysed = &kernels[kernel];
      }
    }
    constexpr std::uint64_t most = std::uint64_t{1} << 40;
    planned.push_back(
        {run.tiles[i], analysed != nullptr ? analysed->occupancy.blocks_per_sm.value_or(1) : 1,
         matrix_path(analysed, run), static_cast<std::int64_t>(std::min(most, count(launch.grid))),
         split_parts(session, run)});
  }
  const std::size_t device = session.launches[run.launches.front()].device;
  const ChipModel* chip = knowledge[device].chip ? &*knowledge[device].chip : nullptr;
  const auto io = predict_variant_io(session.attention->shape, planned,
                                     io_machine(session.devices[device], chip));
  if (!io) {
    return;
  }
  const auto set = [&](MemoryLevel level, const IoBytes& bytes) {
    variant.traffic[level].predicted = bytes.total();
    variant.traffic[level].formula = bytes.formula;
  };
  set(MemoryLevel::hbm, io->hbm);
  set(MemoryLevel::l2, io->l2);
  variant.predicted_sm_reads = io->sm_reads;
  if (!io->smem.formula.empty()) {
    set(MemoryLevel::smem, io->smem);
  }
}

void derive(VariantAnalysis& variant, const AttentionWorkload& workload) {
  const AttentionShape& shape = workload.shape;
  const double flop = workload.analytic_flop > 0 ? workload.analytic_flop : attention_flop(shape);
  const double bytes =
      workload.analytic_bytes > 0 ? workload.analytic_bytes : compulsory_bytes(shape);
  variant.analytic_flop = positive(flop);
  variant.compulsory_bytes = positive(bytes);
  const std::optional<double> work =
      variant.flop.total ? variant.flop.total : variant.analytic_flop;
  for (const MemoryLevel level : memory_levels) {
    const auto& moved = variant.traffic[level].measured.total;
    if (work && moved && *moved > 0) {
      variant.intensity[level] = *work / *moved;
    }
  }
  if (!variant.time_s) {
    return;
  }
  if (variant.analytic_flop) {
    variant.achieved_flop_per_s = *variant.analytic_flop / *variant.time_s;
  }
  variant.tokens_per_s = positive(static_cast<double>(shape.batch) *
                                  static_cast<double>(shape.seqlen_q) / *variant.time_s);
}

}  // namespace

std::int64_t split_parts(const Session& session, const VariantRun& run) {
  for (std::size_t i = 0; i < run.launches.size() && i < run.tiles.size(); ++i) {
    if (run.tiles[i].role == "split_attention") {
      constexpr std::uint64_t most = std::uint64_t{1} << 40;
      const std::uint64_t blocks = std::min(most, count(session.launches[run.launches[i]].grid));
      return parts_of_grid(session.attention->shape, run.tiles[i].block_m,
                           static_cast<std::int64_t>(blocks));
    }
  }
  return 1;
}

std::vector<VariantAnalysis> analyse_variants(const Session& session,
                                              const std::vector<LaunchGroup>& groups,
                                              const std::vector<KernelAnalysis>& kernels,
                                              const std::vector<DeviceKnowledge>& knowledge) {
  std::vector<VariantAnalysis> variants;
  if (!session.attention) {
    return variants;
  }
  for (const VariantRun& run : session.attention->variants) {
    VariantAnalysis variant;
    variant.name = run.name;
    variant.description = run.description;
    variant.workspace_bytes = run.workspace_bytes;
    variant.saved_bytes = run.saved_bytes;
    variant.correctness = run.correctness;
    for (std::size_t i = 0; i < groups.size(); ++i) {
      if (groups[i].variant == run.name) {
        variant.kernels.push_back(i);
      }
    }
    std::optional<double> kernel_time_s;
    add_kernels(variant, kernels, kernel_time_s);
    variant.latency = latency_stats(run.latency_s);
    variant.latency_repeats_s = usable_timings(run.latency_s);
    variant.time_s = variant.latency ? std::optional<double>(variant.latency->p50) : kernel_time_s;
    predict(variant, session, run, groups, kernels, knowledge);
    derive(variant, *session.attention);
    variant.algorithm_flop =
        run.products
            ? positive(product_flop(session.attention->shape, static_cast<double>(*run.products)))
            : variant.analytic_flop;
    const auto first_s = variants.empty() ? variant.time_s : variants.front().time_s;
    if (first_s && variant.time_s) {
      variant.speedup_over_first = *first_s / *variant.time_s;
    }
    variants.push_back(std::move(variant));
  }
  return variants;
}

}  // namespace ridgepoint
