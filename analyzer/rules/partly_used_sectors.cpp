#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "analyzer/roofline/placement.h"
#include "analyzer/rules/rule.h"

namespace ridgepoint {
namespace {

constexpr double sector_bytes = 32;

struct Access {
  const char* what;   // "loads"
  double used_bytes;  // of a sector
  double gain;
  const char* level;
};

// Nsight Compute's access-pattern rule: the part of each sector that is moved for nothing costs
// that part of the busiest cache it passes; only what misses L1 passes L2.
std::optional<Access> worst_access(const KernelAnalysis& kernel) {
  struct Kind {
    const char* what;
    const char* used;
    const char* hit_rate;
  };
  constexpr std::array<Kind, 2> kinds = {
      {{"loads", "global_load_bytes_per_sector", "global_load_l1_hit_rate"},
       {"stores", "global_store_bytes_per_sector", "global_store_l1_hit_rate"}}};
  const double l1 = l1_data_utilisation(kernel).value_or(0);
  const double l2 = kernel.utilisation[MemoryLevel::l2].value_or(0);
  std::optional<Access> worst;
  for (const Kind& kind : kinds) {
    const auto used = kernel.quantity(kind.used);
    if (!used || *used <= 0 || *used >= sector_bytes) {  // 0: there are no such accesses
      continue;
    }
    const double unused = 1 - *used / sector_bytes;
    const double past_l1 = 1 - kernel.quantity(kind.hit_rate).value_or(0);
    const Access access = l1 >= past_l1 * l2
                              ? Access{kind.what, *used, unused * l1, "L1"}
                              : Access{kind.what, *used, unused * past_l1 * l2, "L2"};
    if (!worst || access.gain > worst->gain) {
      worst = access;
    }
  }
  return worst;
}

std::optional<Diagnosis> look(const RuleContext&, const KernelAnalysis& kernel, std::size_t) {
  const auto access = worst_access(kernel);
  if (!access) {
    return std::nullopt;
  }
  Diagnosis d;
  d.title = fmt::format("{}: its global {} use {:.3g} of the {:.0f} bytes of a sector",
                        kernel.short_name, access->what, access->used_bytes, sector_bytes);
  d.explanation = fmt::format(
      "Caches move whole sectors, so that part of what {} moves is never used.", access->level);
  d.evidence = {{"bytes used of a sector", access->used_bytes, "byte", sector_bytes}};
  d.action =
      "Let the threads of a warp use neighbouring elements, pack small elements into 16-byte "
      "accesses, and keep structures of arrays instead of arrays of structures.";
  d.estimated_gain = bounded_gain(access->gain, 1);
  d.gain_formula = access->level == std::string("L1")
                       ? "unused part of a sector x L1 utilisation"
                       : "unused part of a sector x share that misses L1 x L2 utilisation";
  d.severity = severity_of_gain(*d.estimated_gain);
  return d;
}

}  // namespace
}  // namespace ridgepoint

namespace ridgepoint::rules {

Rule partly_used_sectors() {
  return {"partly_used_sectors",
          "the kernel moves so little that its caches idle, or gathers single elements by nature",
          [](const RuleContext& context) { return for_each_kernel(context, look); }};
}

}  // namespace ridgepoint::rules
