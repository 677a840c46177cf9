#include <fmt/format.h>

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

// Without samples nothing is known: the row's cells stay empty. With samples, a reason that does
// not occur was seen zero times.
Row row_of(std::size_t kernel, const std::string& name, std::int64_t samples,
           const std::optional<double>& memory, const std::vector<StallShare>& stalls,
           const std::vector<std::string>& reasons) {
  const bool sampled = !stalls.empty();
  Row row;
  row.kernel = kernel;
  row.cells = {text_cell(name),
               count_cell(sampled ? std::optional<std::int64_t>(samples) : std::nullopt),
               number_cell(memory)};
  for (const std::string& reason : reasons) {
    double share = 0;
    for (const StallShare& stall : stalls) {
      share += stall.reason == reason ? stall.share : 0.0;
    }
    row.cells.push_back(number_cell(sampled ? std::optional<double>(share) : std::nullopt));
  }
  return row;
}

}  // namespace

Table device_stall_table(const Analysis& analysis) {
  constexpr std::size_t columns = 8;  // kernel, samples, ratio, and what a page has room for
  const Table whole = stall_table(analysis);
  Table table{"stalls_by_device", "Stalls by device", whole.columns, {}};
  table.columns.resize(std::min(columns, table.columns.size()));
  std::size_t at = 0;
  for (const KernelAnalysis& kernel : analysis.kernels) {
    ++at;  // the row of all devices
    for (std::size_t i = 0; i < kernel.stalls_by_device.size(); ++i, ++at) {
      table.rows.push_back(whole.rows[at]);
      table.rows.back().cells.resize(table.columns.size());
    }
  }
  return table;
}

std::string on_device(const std::string& kernel, std::int64_t device) {
  return fmt::format("{} on GPU {}", kernel, device);
}

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
    table.rows.push_back(row_of(i, kernel.short_name, kernel.stall_samples,
                                kernel.memory_stall_ratio, kernel.stalls, reasons));
    for (const DeviceStalls& one : kernel.stalls_by_device) {
      table.rows.push_back(row_of(i, on_device(kernel.short_name, one.device), one.samples,
                                  one.memory_stall_ratio, one.stalls, reasons));
    }
  }
  return table;
}

}  // namespace ridgepoint
