#include <algorithm>
#include <map>
#include <utility>

#include "reports/presenters/cells.h"
#include "reports/presenters/labels.h"
#include "reports/presenters/tables.h"

namespace ridgepoint {
namespace {

// All reasons of the analysis, those with the largest share of the whole time first, so that the
// columns that matter stand at the left.
std::vector<std::string> reasons_by_weight(const Analysis& analysis) {
  std::map<std::string, double> weight;
  for (const KernelAnalysis& kernel : analysis.kernels) {
    for (const StallShare& stall : kernel.stalls) {
      weight[stall.reason] += stall.share * kernel.time_share.value_or(1.0);
    }
  }
  std::vector<std::pair<std::string, double>> sorted(weight.begin(), weight.end());
  std::stable_sort(sorted.begin(), sorted.end(),
                   [](const auto& a, const auto& b) { return a.second > b.second; });
  std::vector<std::string> reasons;
  for (auto& [reason, ignored] : sorted) {
    reasons.push_back(reason);
  }
  return reasons;
}

}  // namespace

Table stall_table(const Analysis& analysis) {
  Table table{"stalls", "Stalls", {}, {}};
  table.columns = {{"kernel", "Kernel", "", Unit::text},
                   {"samples", "Samples", "PC samples of the kernel", Unit::count},
                   {"memory_stall_ratio", "Memory stalls",
                    "Long and short scoreboard, LG, MIO and TEX throttle, drain", Unit::share}};
  const std::vector<std::string> reasons = reasons_by_weight(analysis);
  for (const std::string& reason : reasons) {
    table.columns.push_back(
        {printable(reason), stall_label(reason), stall_explanation(reason), Unit::share});
  }
  for (std::size_t i = 0; i < analysis.kernels.size(); ++i) {
    const KernelAnalysis& kernel = analysis.kernels[i];
    // Without samples nothing is known: the row's cells stay empty. With samples, a reason that
    // does not occur was seen zero times.
    const bool sampled = !kernel.stalls.empty();
    const std::optional<std::int64_t> samples =
        sampled ? std::optional<std::int64_t>(kernel.stall_samples) : std::nullopt;
    Row row;
    row.kernel = i;
    row.cells = {text_cell(kernel.short_name), count_cell(samples),
                 number_cell(kernel.memory_stall_ratio)};
    for (const std::string& reason : reasons) {
      double share = 0;
      for (const StallShare& stall : kernel.stalls) {
        share += stall.reason == reason ? stall.share : 0.0;
      }
      row.cells.push_back(number_cell(sampled ? std::optional<double>(share) : std::nullopt));
    }
    table.rows.push_back(std::move(row));
  }
  return table;
}

}  // namespace ridgepoint
