#include "analyzer/predict/predict.h"
#include "analyzer/core/text.h"

#include <fmt/format.h>

#include <algorithm>

#include "analyzer/analysis/time_share.h"
#include "analyzer/attention/flop.h"
#include "analyzer/attention/io_machine.h"
#include "analyzer/occupancy/occupancy.h"
#include "analyzer/predict/bound.h"
#include "analyzer/predict/feasible_tiles.h"
#include "analyzer/predict/plan.h"
#include "analyzer/predict/split_options.h"
#include "analyzer/roofline/ceilings.h"
#include "analyzer/targets/cost.h"
#include "analyzer/traffic/traffic_split.h"

namespace ridgepoint {
namespace {

Dim3 grid_of(std::int64_t blocks) {
  constexpr std::int64_t most = 0xFFFFFFFF;
  return {static_cast<std::uint32_t>(std::clamp<std::int64_t>(blocks, 1, most)), 1, 1};
}

// `busy`: see time_bound(). Utilisations are of the whole GPU.
void place(KernelAnalysis& kernel, const KernelIo& io, const TimeBound& bound, double busy) {
  const PerLevel<const IoBytes*> bytes = {{&io.hbm, &io.l2, &io.smem}};
  for (const MemoryLevel level : memory_levels) {
    const IoBytes& moved = *bytes[level];
    if (moved.formula.empty()) {
      continue;  // a level that the model says nothing of
    }
    kernel.traffic[level].total = moved.total();
    if (level != MemoryLevel::smem) {
      kernel.traffic[level].read = moved.read;
      kernel.traffic[level].write = moved.write;
    }
    if (kernel.flop.total && moved.total() > 0) {
      kernel.intensity[level] = *kernel.flop.total / moved.total();
    }
    if (bound.time_s > 0) {
      kernel.bandwidth[level] = moved.total() / bound.time_s;
      if (bound.level_s[level]) {
        kernel.utilisation[level] =
            *bound.level_s[level] / bound.time_s * (level == MemoryLevel::smem ? busy : 1);
      }
    }
  }
  if (bound.time_s <= 0) {
    return;
  }
  kernel.time_s = bound.time_s;
  kernel.bound_by = bound.by;
  if (kernel.flop.total) {
    kernel.achieved_flop_per_s = *kernel.flop.total / bound.time_s;
  }
  if (bound.compute_s) {
    kernel.compute_utilisation = *bound.compute_s / bound.time_s * busy;
  }
}

struct Predictor {
  const PredictionRequest& request;
  const GpuDescription& gpu;
  IoMachine machine;
  Analysis& analysis;
  std::vector<std::vector<TensorUse>> uses = {};  // by kernel

  std::string precision() const { return "tensor_" + request.shape.dtype; }

  Result<KernelIo> add_kernel(const VariantPlan& plan, const PlannedLaunch& launch) {
    const KernelTileInfo& tile = launch.kernel.tile;
    const auto held = occupancy({tile.threads, launch.registers_per_thread, tile.smem_bytes},
                                gpu.device, gpu.chip.allocation);
    if (!held) {
      return tl::make_unexpected(held.error());
    }
    if (tile.smem_bytes > gpu.device.smem_per_block_bytes) {
      return fail(ErrorDomain::device, "predicting " + plan.name,
                  fmt::format("a block of {} needs {} of shared memory, and one may use {}",
                              launch.name, memory_size_text(tile.smem_bytes),
                              memory_size_text(gpu.device.smem_per_block_bytes)));
    }
    if (held->blocks_per_sm < 1) {
      return fail(
          ErrorDomain::device, "predicting " + plan.name,
          fmt::format("no SM of {} holds a block of {}: {} threads of {} registers and {} "
                      "of shared memory are more than its {}",
                      gpu.device.name, launch.name, tile.threads, launch.registers_per_thread,
                      memory_size_text(tile.smem_bytes), held->limiter));
    }
    PlannedKernel planned = launch.kernel;
    planned.blocks_per_sm = held->blocks_per_sm;
    const auto io = predict_kernel_io(request.shape, planned, machine);
    if (!io) {
      return fail(ErrorDomain::usage, "predicting " + plan.name,
                  "the problem has an extent that no tensor has");
    }
    KernelAnalysis kernel;
    kernel.name = kernel.short_name = launch.name;
    kernel.variant = plan.name;
    kernel.role = tile.role;
    kernel.launches = 1;
    kernel.grid = grid_of(planned.blocks);
    kernel.block = {static_cast<std::uint32_t>(tile.threads), 1, 1};
    kernel.registers_per_thread = launch.registers_per_thread;
    kernel.smem_per_block_bytes = tile.smem_bytes;
    kernel.occupancy.theoretical = held->share;
    kernel.occupancy.blocks_per_sm = held->blocks_per_sm;
    kernel.occupancy.limiter = held->limiter;
    kernel.occupancy.waves =
        waves(static_cast<std::uint64_t>(planned.blocks), held->blocks_per_sm, gpu.device.sm_count);
    if (launch.flop > 0) {
      kernel.flop.tensor = kernel.flop.total = launch.flop;
      kernel.flop.precision = precision();
    }
    const double busy = busy_share(static_cast<double>(planned.blocks), gpu.device);
    place(kernel, *io, time_bound(*io, launch.flop, precision(), analysis.ceilings, busy), busy);
    kernel.l2_saved_bytes = std::max(0.0, io->sm_reads - io->hbm.read);
    uses.push_back(tensor_uses(request.shape, tile, planned.splits));
    analysis.kernels.push_back(std::move(kernel));
    return *io;
  }

  Status add_variant(const VariantPlan& plan) {
    VariantAnalysis variant;
    variant.name = plan.name;
    variant.description = plan.description;
    variant.workspace_bytes = static_cast<std::int64_t>(std::min(plan.workspace_bytes, 1e18));
    if (request.shape.direction == "backward") {
      variant.saved_bytes = static_cast<std::int64_t>(std::min(plan.saved_bytes, 1e18));
    }
    std::vector<PlannedKernel> kernels;
    double time_s = 0;
    for (const PlannedLaunch& launch : plan.launches) {
      const auto io = add_kernel(plan, launch);
      if (!io) {
        return tl::make_unexpected(io.error());
      }
      const KernelAnalysis& kernel = analysis.kernels.back();
      variant.kernels.push_back(analysis.kernels.size() - 1);
      PlannedKernel planned = launch.kernel;
      planned.blocks_per_sm = *kernel.occupancy.blocks_per_sm;
      kernels.push_back(planned);
      time_s += kernel.time_s.value_or(0);
    }
    const KernelIo io = *predict_variant_io(request.shape, kernels, machine);
    const PerLevel<const IoBytes*> bytes = {{&io.hbm, &io.l2, &io.smem}};
    variant.analytic_flop = attention_flop(request.shape);
    double flop = 0;
    for (const PlannedLaunch& launch : plan.launches) {
      flop += launch.flop;
    }
    variant.algorithm_flop = variant.flop.total = variant.flop.tensor = flop;
    variant.flop.precision = precision();
    variant.compulsory_bytes = compulsory_bytes(request.shape);
    variant.predicted_sm_reads = io.sm_reads;
    for (const MemoryLevel level : memory_levels) {
      if (bytes[level]->formula.empty()) {
        continue;
      }
      variant.traffic[level].predicted = bytes[level]->total();
      variant.traffic[level].formula = bytes[level]->formula;
      if (bytes[level]->total() > 0) {
        variant.intensity[level] = flop / bytes[level]->total();
      }
    }
    if (time_s > 0) {
      variant.time_s = time_s;
      variant.achieved_flop_per_s = *variant.analytic_flop / time_s;
      variant.tokens_per_s = static_cast<double>(request.shape.batch) *
                             static_cast<double>(request.shape.seqlen_q) / time_s;
      variant.cost_per_million_tokens =
          cost_per_million_tokens(variant.tokens_per_s, request.price_per_hour);
      const auto first_s =
          analysis.variants.empty() ? variant.time_s : analysis.variants.front().time_s;
      variant.speedup_over_first = *first_s / time_s;
    }
    analysis.variants.push_back(std::move(variant));
    return {};
  }
};

// Every variant of the direction.
std::vector<VariantPlan> all_plans(const AttentionShape& shape, const DeviceInfo& device) {
  std::vector<VariantPlan> all;
  for (const PlannedVariant& variant : planned_variants(shape.direction)) {
    all.push_back(variant.plan(shape, device));
  }
  return all;
}

// Why each of them is: "naive: built for ...; fused: built for ...".
std::string left_out(const std::vector<Issue>& issues) {
  std::string text;
  for (const Issue& issue : issues) {
    if (issue.code == "prediction.variant_left_out") {
      text += (text.empty() ? "" : "; ") + issue.text;
    }
  }
  return text;
}

Result<std::vector<VariantPlan>> plans(const PredictionRequest& request, const GpuDescription& gpu,
                                       std::vector<Issue>& issues) {
  const DeviceInfo& device = gpu.device;
  const std::vector<VariantPlan> all = all_plans(request.shape, device);
  for (const std::string& name : request.variants) {
    const auto same = [&](const VariantPlan& one) { return one.name == name; };
    if (std::none_of(all.begin(), all.end(), same)) {
      std::vector<std::string> known;
      std::transform(all.begin(), all.end(), std::back_inserter(known),
                     [](const VariantPlan& one) { return one.name; });
      return fail(ErrorDomain::usage, "--variant " + name, "there is no such variant",
                  fmt::format("variants are {}", fmt::join(known, ", ")));
    }
  }
  std::vector<VariantPlan> chosen;
  for (const VariantPlan& plan : all) {
    const bool named = std::find(request.variants.begin(), request.variants.end(), plan.name) !=
                       request.variants.end();
    if (request.variants.empty() ? !plan.by_default : !named) {
      continue;
    }
    if (plan.unsupported.empty()) {
      chosen.push_back(plan);
    } else if (named) {
      return fail(ErrorDomain::usage, "predicting " + plan.name + " on " + device.name,
                  plan.unsupported);
    } else {
      issues.push_back({"prediction.variant_left_out", plan.name + ": " + plan.unsupported});
    }
  }
  if (chosen.empty()) {
    return fail(ErrorDomain::usage, "predicting on " + device.name,
                "no variant can run this problem there: " + left_out(issues));
  }
  return chosen;
}

Status check(const AttentionShape& shape) {
  constexpr std::int64_t most = std::int64_t{1} << 30;
  for (const std::int64_t extent :
       {shape.batch, shape.heads, shape.kv_heads, shape.seqlen_q, shape.seqlen_k, shape.head_dim}) {
    if (extent < 1 || extent > most) {
      return fail(ErrorDomain::usage, "predict", "every extent must be from 1 to 2^30");
    }
  }
  if (shape.dtype != "fp16" && shape.dtype != "bf16") {
    return fail(ErrorDomain::usage, "predict", "the element type must be fp16 or bf16");
  }
  if (shape.direction != "forward" && shape.direction != "backward") {
    return fail(ErrorDomain::usage, "predict", "the direction must be forward or backward");
  }
  // GPUs since Pascal address 49 bits (CUDA's unified virtual memory). Beyond, the figures would
  // be of no machine, and the counts of blocks would not fit a number either.
  constexpr double addressable = 562949953421312;  // 2^49
  const double bytes = compulsory_bytes(shape);
  return bytes <= addressable
             ? Status()
             : fail(ErrorDomain::usage, "predict",
                    fmt::format("inputs and outputs would have {:.3g} bytes, and a GPU can address "
                                "{:.3g}",
                                bytes, addressable),
                    "make the batch, the heads or the sequences smaller");
}

std::string memory_text(double bytes) {
  constexpr double tera = 1e12;
  return bytes < tera ? fmt::format("{:.4g} GB", bytes * 1e-9)
                      : fmt::format("{:.4g} TB", bytes / tera);
}

// Whether the tensors have room, first those of the problem and then what a variant adds.
void check_memory(const AttentionShape& shape, const std::vector<VariantPlan>& plans,
                  const DeviceInfo& device, std::vector<Issue>& issues) {
  const auto memory = static_cast<double>(device.memory_bytes);
  const double tensors = compulsory_bytes(shape);
  if (memory <= 0) {
    return;
  }
  if (tensors > memory) {
    issues.push_back(
        {"prediction.out_of_memory",
         fmt::format("inputs and outputs alone take {}, more than the {} of the GPU: no variant "
                     "can run",
                     memory_text(tensors), memory_text(memory))});
    return;
  }
  for (const VariantPlan& plan : plans) {
    const double own = plan.workspace_bytes + plan.saved_bytes;
    if (tensors + own > memory) {
      issues.push_back(
          {"prediction.out_of_memory",
           fmt::format("{} needs {} for its intermediates beside {} of inputs and "
                       "outputs, more than the {} of the GPU: it cannot run",
                       plan.name, memory_text(own), memory_text(tensors), memory_text(memory))});
    }
  }
}

}  // namespace

IoMachine io_machine(const GpuDescription& gpu) {
  return io_machine(gpu.device, &gpu.chip);
}

std::vector<Ceiling> ceilings_of(const GpuDescription& gpu) {
  Quantities known;
  if (gpu.l2_peak) {
    known.set("l2_lookup_peak_bytes_per_cycle", gpu.l2_peak->bytes_per_clock);
    known.set("l2_clock_hz", gpu.l2_peak->clock_hz);
  }
  return ceilings_of(gpu.device, &gpu.chip, known);
}

Result<Analysis> predict(const PredictionRequest& request, const GpuDescription& gpu) {
  if (const Status sound = check(request.shape); !sound) {
    return tl::make_unexpected(sound.error());
  }
  Analysis analysis;
  analysis.source = Source::predicted;
  analysis.producer.mode = "predict";
  analysis.devices = {gpu.device};
  analysis.attention = request.shape;
  analysis.ceilings = ceilings_of(gpu);
  analysis.issues.push_back(
      {"prediction",
       "nothing here was measured: bytes are those of the IO model, times are the least that the "
       "theoretical roofs allow at the highest clock, rates the highest; registers are the most "
       "that each kernel's launch bounds allow. A real kernel takes longer."});
  if (analysis.ceiling("l2") == nullptr) {
    analysis.issues.push_back(
        {"prediction.l2_roof_unknown",
         "the L2 bandwidth of this GPU is not published and was not measured: "
         "the bounds leave it out"});
  }
  const IoMachine machine = io_machine(gpu);
  if (machine.l2_crossing_share <= 0 && machine.l2_unwritten_bytes <= 0) {
    analysis.issues.push_back(
        {"prediction.l2_not_measured",
         "what crosses between the parts of its L2, and output that is still there when a kernel "
         "ends, were measured on GH100 alone: the first is missing from L2 bytes here, the second "
         "is counted in HBM bytes. Compare these of two GPUs with that in mind"});
  }
  const auto chosen = plans(request, gpu, analysis.issues);
  if (!chosen) {
    return tl::make_unexpected(chosen.error());
  }
  Predictor predictor{request, gpu, machine, analysis};
  for (const VariantPlan& plan : *chosen) {
    if (const Status added = predictor.add_variant(plan); !added) {
      return tl::make_unexpected(added.error());
    }
  }
  check_memory(request.shape, *chosen, gpu.device, analysis.issues);
  share_out_time(analysis.kernels);
  split_traffic(analysis.kernels, analysis.variants, predictor.uses);
  if (std::any_of(chosen->begin(), chosen->end(),
                  [](const VariantPlan& plan) { return plan.name == split_kv_name; })) {
    analysis.split_options = split_options(request.shape, gpu);
  }
  if (request.shape.direction == "forward") {  // the candidates are tiles of the forward kernels
    analysis.tile_options = feasible_tiles(request.shape, gpu, analysis);
  }
  return analysis;
}

}  // namespace ridgepoint
