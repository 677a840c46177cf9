#include <fmt/format.h>

#include <algorithm>

#include "analyzer/rules/rule.h"

namespace ridgepoint {
namespace {

// A warp's request touches 16 sectors of 32 bytes when all threads load 16 bytes side by side,
// which is the most that a coalesced access can need. Above that, sectors are fetched of which only
// a part is used.
constexpr double coalesced_at_most = 16;

void describe(Diagnosis& d, const KernelAnalysis& kernel, double excess_share) {
  d.title = fmt::format("{}: global accesses are not coalesced", kernel.short_name);
  d.action =
      "Let neighbouring threads access neighbouring addresses: change the thread-to-element "
      "mapping, or go through "
      "shared memory (or TMA) to transpose.";
  if (const auto& used = kernel.utilisation[MemoryLevel::l2]) {
    d.estimated_gain = bounded_gain(excess_share * *used, 1);
    d.gain_formula = "excess sectors / sectors x L2 utilisation";
  }
  d.severity = severity_of_gain(d.estimated_gain.value_or(0));
}

// Nsight Compute knows the addresses of every access, and so how few sectors would have done.
std::optional<Diagnosis> by_ideal(const KernelAnalysis& kernel, double sectors, double ideal) {
  if (sectors <= ideal || sectors <= 0) {
    return std::nullopt;
  }
  const double excess_share = (sectors - ideal) / sectors;
  Diagnosis d;
  describe(d, kernel, excess_share);
  d.explanation = fmt::format(
      "{} of the sectors it touches would not be touched if neighbouring threads used neighbouring "
      "addresses.",
      percent(excess_share));
  d.evidence = {{"sectors", sectors, "1", ideal}};
  return d;
}

std::optional<Diagnosis> look(const RuleContext&, const KernelAnalysis& kernel, std::size_t) {
  if (const auto sectors = kernel.quantity("global_sectors")) {
    return by_ideal(kernel, *sectors, kernel.quantity("global_sectors_ideal").value_or(*sectors));
  }
  double excess = 0;
  double all = 0;
  double worst = 0;
  const auto consider = [&](const char* sectors_id, const char* requests_id) {
    const auto sectors = kernel.quantity(sectors_id);
    const auto requests = kernel.quantity(requests_id);
    if (sectors && requests && *requests > 0) {
      all += *sectors;
      excess += std::max(0.0, *sectors - coalesced_at_most * *requests);
      worst = std::max(worst, *sectors / *requests);
    }
  };
  consider("global_load_sectors", "global_load_requests");
  consider("global_store_sectors", "global_store_requests");
  if (excess <= 0) {
    return std::nullopt;
  }
  Diagnosis d;
  describe(d, kernel, excess / all);
  d.explanation = fmt::format(
      "A warp's request touches {:.1f} sectors; side by side, even 16-byte accesses touch {:.0f}. "
      "The rest of each sector is "
      "moved for nothing.",
      worst, coalesced_at_most);
  d.evidence = {{"sectors a request", worst, "1", coalesced_at_most}};
  return d;
}

}  // namespace
}  // namespace ridgepoint

namespace ridgepoint::rules {

Rule uncoalesced_global() {
  return {
      "uncoalesced_global",
      "the kernel gathers by nature, or moves its data by TMA, whose sectors these counters do not "
      "count",
      [](const RuleContext& context) { return for_each_kernel(context, look); }};
}

}  // namespace ridgepoint::rules
