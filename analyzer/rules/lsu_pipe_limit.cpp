#include <fmt/format.h>

#include <algorithm>

#include "analyzer/roofline/placement.h"
#include "analyzer/rules/rule.h"

namespace ridgepoint {
namespace {

constexpr double high = 0.60;  // Nsight Compute calls a pipe's utilisation high from here

std::optional<Diagnosis> look(const RuleContext&, const KernelAnalysis& kernel, std::size_t) {
  const auto lsu = share_of_time(kernel, "lsu_pipe_share");
  const double next = highest_utilisation(kernel).value_or(0);
  if (!lsu || *lsu < high || *lsu <= next) {
    return std::nullopt;
  }
  Diagnosis d;
  d.title =
      fmt::format("{} is limited by the number of its memory instructions", kernel.short_name);
  d.explanation = fmt::format(
      "The load/store pipe is {} busy, more than any memory level or arithmetic pipe: accesses are "
      "many and narrow.",
      percent(*lsu));
  d.evidence = {{"load/store pipe", *lsu, "share", high},
                {"busiest other pipe or roof", next, "share", *lsu}};
  d.action =
      "Access 16 bytes a thread, load fragments by ldmatrix.x4, and copy tiles by TMA instead of "
      "by thread.";
  d.estimated_gain = bounded_gain(*lsu - next, 1);
  d.gain_formula = "load/store pipe share - share of the next busiest pipe or roof";
  d.severity = severity_of_gain(*d.estimated_gain);
  return d;
}

}  // namespace
}  // namespace ridgepoint

namespace ridgepoint::rules {

Rule lsu_pipe_limit() {
  return {"lsu_pipe_limit", "another pipe or roof is busier",
          [](const RuleContext& context) { return for_each_kernel(context, look); }};
}

}  // namespace ridgepoint::rules
