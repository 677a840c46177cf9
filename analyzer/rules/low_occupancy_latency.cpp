#include <fmt/format.h>

#include <algorithm>

#include "analyzer/core/text.h"
#include "analyzer/rules/rule.h"

namespace ridgepoint {
namespace {

// Nsight Compute's two occupancy rules: theoretical below 80 %, or achieved more than 10 points
// below theoretical.
constexpr double low_theoretical = 0.80;
constexpr double wide_gap = 0.10;

bool only_smem_limits(const Occupancy& occupancy) {
  return occupancy.limiter == "shared memory";
}

std::string advice(const KernelAnalysis& kernel, bool by_gap) {
  if (by_gap) {
    return "Warps leave early or arrive late: balance the work between the warps of a block and "
           "between blocks, and give "
           "the device enough blocks.";
  }
  const bool by_registers = kernel.occupancy.limiter.find("registers") != std::string::npos;
  const bool by_smem = kernel.occupancy.limiter.find("shared memory") != std::string::npos;
  if (by_registers && by_smem) {
    return fmt::format(
        "Two limits stand at the same {} block{} an SM: {} registers a thread, and {} of "
        "shared memory a block. Lowering one alone changes nothing: lower both, or accept few "
        "warps "
        "and hide latency inside each with asynchronous copies and more independent instructions.",
        kernel.occupancy.blocks_per_sm.value_or(0),
        kernel.occupancy.blocks_per_sm.value_or(0) == 1 ? "" : "s",
        kernel.registers_per_thread.value_or(0),
        memory_size_text(kernel.smem_per_block_bytes.value_or(0)));
  }
  if (by_smem) {
    return fmt::format(
        "Less shared memory a block (now {}) alone does not help: {} limit the SM at the "
        "same number of blocks. Change the size of the block as well.",
        memory_size_text(kernel.smem_per_block_bytes.value_or(0)), kernel.occupancy.limiter);
  }
  if (by_registers) {
    return fmt::format(
        "{} registers a thread limit the warps. Cap them with __launch_bounds__, or accept few "
        "warps and "
        "hide latency inside each with asynchronous copies and more independent instructions.",
        kernel.registers_per_thread.value_or(0));
  }
  return "Use blocks of 128 to 256 threads so that the limits on warps and blocks allow more of "
         "them.";
}

std::optional<Diagnosis> look(const RuleContext&, const KernelAnalysis& kernel, std::size_t) {
  const auto& theoretical = kernel.occupancy.theoretical;
  const auto& achieved = kernel.occupancy.achieved;
  const auto room = room_below_roofs(kernel);
  // With at most one wave no block waits for room: more room would stay empty.
  const bool one_wave = kernel.occupancy.waves && *kernel.occupancy.waves <= 1;
  if (one_wave || kernel.bound_by != BoundBy::latency || !theoretical || *theoretical <= 0 ||
      !room) {
    return std::nullopt;
  }
  const bool by_gap = achieved && *theoretical - *achieved > wide_gap;
  const bool by_limit = *theoretical < low_theoretical && !only_smem_limits(kernel.occupancy);
  if (!by_gap && !by_limit) {
    return std::nullopt;
  }
  const double gain_limit = by_limit ? 1 - *theoretical : 0;
  const double gain_gap = by_gap ? (*theoretical - *achieved) / *theoretical : 0;
  const bool gap_leads = gain_gap > gain_limit;
  Diagnosis d;
  d.title = fmt::format("{}: too few warps to hide latency", kernel.short_name);
  d.explanation = fmt::format(
      "No roof or pipe is used above {}, and the SMs hold {} of the warps they could{}.",
      percent(1 - *room), percent(achieved.value_or(*theoretical)),
      kernel.occupancy.limiter.empty() ? "" : " (limited by " + kernel.occupancy.limiter + ")");
  d.evidence = {{"theoretical occupancy", *theoretical, "share", low_theoretical, true}};
  if (achieved) {
    d.evidence.push_back({"achieved occupancy", *achieved, "share",
                          by_gap ? std::optional<double>(*theoretical - wide_gap) : std::nullopt});
  }
  d.action = advice(kernel, gap_leads);
  d.estimated_gain = bounded_gain(std::max(gain_limit, gain_gap), *room);
  d.gain_formula =
      gap_leads ? "min((theoretical - achieved) / theoretical occupancy, 1 - highest utilisation)"
                : "min(1 - theoretical occupancy, 1 - highest utilisation)";
  d.severity = severity_of_gain(*d.estimated_gain);
  return d;
}

}  // namespace
}  // namespace ridgepoint

namespace ridgepoint::rules {

Rule low_occupancy_latency() {
  return {"low_occupancy_latency",
          "a roof is near, or shared memory is the only limit (smem_capacity_limited speaks then)",
          [](const RuleContext& context) { return for_each_kernel(context, look); }};
}

}  // namespace ridgepoint::rules
