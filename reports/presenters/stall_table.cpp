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

// Without shares nothing is known: the row's cells stay empty. With them, a reason that does not
// occur was seen zero times. Another profiler's shares come from counters, and no samples were
// taken.
Row row_of(std::size_t kernel, const std::string& name, std::int64_t samples,
           const std::optional<double>& memory, const std::vector<StallShare>& stalls,
           const std::vector<std::string>& reasons) {
  const bool sampled = !stalls.empty();
  Row row;
  row.kernel = kernel;
  row.cells = {
      text_cell(name),
      count_cell(sampled && samples > 0 ? std::optional<std::int64_t>(samples) : std::nullopt),
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

Table leading_stall_table(const Analysis& analysis, std::size_t kernels) {
  constexpr std::size_t columns = 8;  // kernel, samples, ratio, and what a page has room for
  Table table = stall_table(analysis);
  table.id = "leading_stalls";
  table.title = "What the warps wait for";
  table.rows.erase(std::remove_if(table.rows.begin(), table.rows.end(),
                                  [&](const Row& row) {
                                    return *row.kernel >= kernels ||
                                           analysis.kernels[*row.kernel].stalls.empty();
                                  }),
                   table.rows.end());
  if (table.columns.size() > columns) {
    table.columns.resize(columns);
    for (Row& row : table.rows) {
      row.cells.resize(columns);
    }
  }
  return table;
}

std::string leading_stall_note(const Analysis& analysis, std::size_t kernels) {
  std::size_t more = 0;
  for (std::size_t i = kernels; i < analysis.kernels.size(); ++i) {
    more += analysis.kernels[i].stalls.empty() ? 0 : 1;
  }
  return (more > 0 ? fmt::format("Further kernels with such shares: {}. ", more) : std::string()) +
         "Shares of the warps' time by state, from PC samples or, where none were taken, from "
         "counters; "
         "the heaviest states first. --format csv or json lists "
         "all of them.";
}

}  // namespace ridgepoint
