#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "analyzer/rules/rule.h"

namespace ridgepoint {
namespace {

constexpr double sector_bytes = 32;
constexpr double worth_saying = 0.005;  // of the kernel's time
constexpr std::int32_t ampere = 8;

struct Access {
  const char* what = "";      // "loads"
  double used_bytes = 0;      // of a sector
  double unused_bytes = 0;    // moved by all of them for nothing; the most that it can be
  std::optional<double> hit;  // L1
  bool counted = true;        // false: cp.async may have moved some of the sectors
};

// Which of the sectors of loads are those of loads into registers, whose use is counted: from the
// bytes that they asked for. Without these all may be, or hardly any where cp.async exists, since
// its sectors are counted as well.
std::optional<Access> loads(const KernelAnalysis& kernel, const DeviceInfo& device) {
  const auto used = kernel.quantity("global_load_bytes_per_sector");
  const auto asked = kernel.quantity("global_load_requested_bytes");
  const auto sectors = kernel.quantity("global_load_sectors");
  if (!used || *used <= 0 || *used >= sector_bytes || (!asked && !sectors)) {
    return std::nullopt;  // 0: there are no such accesses
  }
  const double touched = asked ? *asked / *used : *sectors;
  return Access{"loads", *used, touched * (sector_bytes - *used),
                kernel.quantity("global_load_l1_hit_rate"),
                asked.has_value() || device.compute_capability_major < ampere};
}

std::optional<Access> stores(const KernelAnalysis& kernel) {
  const auto used = kernel.quantity("global_store_bytes_per_sector");
  const auto sectors = kernel.quantity("global_store_sectors");
  if (!used || *used <= 0 || *used >= sector_bytes || !sectors) {
    return std::nullopt;
  }
  return Access{"stores", *used, *sectors * (sector_bytes - *used),
                kernel.quantity("global_store_l1_hit_rate"), true};
}

struct Waste {
  Access access;
  double share = 0;  // of the time that the cache is busy with what is never used
  const char* level = "";
  const char* formula = "";
};

// What L1's data stage does beyond shared memory, shared out by the sectors of global accesses.
double l1_share(const Access& access, const KernelAnalysis& kernel) {
  const double beyond_shared = kernel.quantity("l1_wavefront_share").value_or(0) -
                               kernel.utilisation[MemoryLevel::smem].value_or(0);
  const double sectors = kernel.quantity("global_load_sectors").value_or(0) +
                         kernel.quantity("global_store_sectors").value_or(0);
  return sectors > 0 && beyond_shared > 0
             ? std::min(1.0, access.unused_bytes / (sector_bytes * sectors)) * beyond_shared
             : 0;
}

double l2_share(const Access& access, const KernelAnalysis& kernel) {
  const double bytes = kernel.traffic[MemoryLevel::l2].looked_up().value_or(0);
  const double past_l1 = access.unused_bytes * (1 - access.hit.value_or(0));
  return bytes > 0
             ? std::min(1.0, past_l1 / bytes) * kernel.utilisation[MemoryLevel::l2].value_or(0)
             : 0;
}

// The time that the busier of the two caches works on unused bytes. Nsight Compute's rule of the
// same name takes all that the cache does, also for others, and so overstates what a few such
// accesses cost.
Waste waste_of(const Access& access, const KernelAnalysis& kernel) {
  const double l1 = l1_share(access, kernel);
  const double l2 = l2_share(access, kernel);
  return l1 > l2 ? Waste{access, l1, "L1",
                         "unused bytes / bytes of all global sectors x (L1 data stage - shared "
                         "memory utilisation)"}
                 : Waste{access, l2, "L2",
                         "unused bytes of the sectors that miss L1 / bytes looked up in L2 x L2 "
                         "utilisation"};
}

std::optional<Waste> worst_access(const KernelAnalysis& kernel, const DeviceInfo& device) {
  std::optional<Waste> worst;
  for (const auto& access : {loads(kernel, device), stores(kernel)}) {
    if (access) {
      Waste waste = waste_of(*access, kernel);
      if (!worst || waste.share > worst->share) {
        worst = std::move(waste);
      }
    }
  }
  return worst && worst->share >= worth_saying ? worst : std::nullopt;
}

std::optional<Diagnosis> look(const RuleContext& context, const KernelAnalysis& kernel,
                              std::size_t index) {
  const auto waste = worst_access(kernel, *context.devices[index]);
  if (!waste) {
    return std::nullopt;
  }
  const Access& access = waste->access;
  Diagnosis d;
  d.title = fmt::format("{}: its global {} use {:.3g} of the {:.0f} bytes of a sector",
                        kernel.short_name, access.what, access.used_bytes, sector_bytes);
  d.explanation = fmt::format(
      "Caches move whole sectors, so that part of what {} moves is never used.", waste->level);
  d.evidence = {{"bytes used of a sector", access.used_bytes, "byte", sector_bytes}};
  d.action =
      "Let the threads of a warp use neighbouring elements, pack small elements into 16-byte "
      "accesses, and keep structures of arrays instead of arrays of structures.";
  if (access.counted) {
    d.evidence.push_back({"unused bytes", access.unused_bytes, "byte", std::nullopt});
    d.estimated_gain = bounded_gain(waste->share, 1);
    d.gain_formula = waste->formula;
  } else {
    d.explanation +=
        " What it would gain depends on how many sectors are of loads into registers, and how many "
        "of cp.async, whose bytes are all used: this session does not say.";
  }
  d.severity = severity_of_gain(d.estimated_gain.value_or(0));
  return d;
}

}  // namespace
}  // namespace ridgepoint

namespace ridgepoint::rules {

Rule partly_used_sectors() {
  return {"partly_used_sectors",
          "what is moved for nothing takes its cache less than 0.5 % of the time, or the kernel "
          "gathers single elements by nature",
          [](const RuleContext& context) { return for_each_kernel(context, look); }};
}

}  // namespace ridgepoint::rules
