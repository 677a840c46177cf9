// What a monitoring system scrapes from a CI run: the numbers of the kernel and variant tables,
// stalls, targets and counts of findings. Gauges without timestamps: a report is a state, and when
// it was scraped is the scraper's to say.
#include <algorithm>
#include <map>

#include "analyzer/core/text.h"
#include "reports/formats/formats.h"
#include "reports/openmetrics/metric_family.h"
#include "reports/presenters/format.h"
#include "reports/presenters/tables.h"

namespace ridgepoint {
namespace {

// Two samples of one family must differ in a label. Names that became equal, by cutting or by
// replaced characters, are counted.
std::vector<MetricLabels> kernel_labels(const Analysis& analysis) {
  std::map<std::pair<std::string, std::string>, int> seen;
  std::vector<MetricLabels> labels;
  for (const KernelAnalysis& kernel : analysis.kernels) {
    std::string name = printable(kernel.short_name.empty() ? kernel.name : kernel.short_name);
    const std::string variant = printable(kernel.variant);
    if (const int before = seen[{name, variant}]++; before > 0) {
      name += " (" + std::to_string(before + 1) + ")";
    }
    labels.push_back({{"kernel", name}, {"variant", variant}});
  }
  return labels;
}

std::vector<MetricLabels> variant_labels(const Analysis& analysis) {
  std::map<std::string, int> seen;
  std::vector<MetricLabels> labels;
  for (const VariantAnalysis& variant : analysis.variants) {
    std::string name = printable(variant.name);
    if (const int before = seen[name]++; before > 0) {
      name += " (" + std::to_string(before + 1) + ")";
    }
    labels.push_back({{"variant", name}});
  }
  return labels;
}

void write_table(const Table& table, const std::string& prefix,
                 const std::vector<MetricLabels>& labels, TextStream& out) {
  for (std::size_t c = 0; c < table.columns.size(); ++c) {
    MetricFamily family = family_of_column(prefix, table.columns[c]);
    for (std::size_t r = 0; r < table.rows.size(); ++r) {
      if (const auto* value = std::get_if<double>(&table.rows[r].cells[c])) {
        family.add(labels[r], *value);
      }
    }
    write_family(family, out);
  }
}

// Labels of many values swamp a monitoring system: those of the ranges that took most of the time.
constexpr std::size_t most_ranges = 100;

void write_ranges(const Analysis& analysis, TextStream& out) {
  Table table = range_table(analysis);
  table.rows.resize(std::min(table.rows.size(), most_ranges));
  std::vector<MetricLabels> labels;
  for (const Row& row : table.rows) {
    labels.push_back({{"range", format_cell(row.cells.front(), Unit::text)}});
  }
  write_table(table, "ridgepoint_range", labels, out);
}

void write_stalls(const Analysis& analysis, const std::vector<MetricLabels>& kernels,
                  TextStream& out) {
  MetricFamily family{"ridgepoint_kernel_stall_ratio",
                      "ratio",
                      "Share of the kernel's samples in this warp state",
                      {}};
  for (std::size_t k = 0; k < analysis.kernels.size(); ++k) {
    for (const StallShare& stall : analysis.kernels[k].stalls) {
      MetricLabels labels = kernels[k];
      labels.emplace_back("reason", stall.reason);
      family.add(std::move(labels), stall.share);
    }
  }
  write_family(family, out);
}

void write_targets(const Analysis& analysis, TextStream& out) {
  MetricFamily value{"ridgepoint_target_value", "", "Measured, in the unit of the label", {}};
  MetricFamily goal{"ridgepoint_target_goal", "", "The target, in the unit of the label", {}};
  MetricFamily met{"ridgepoint_target_met",
                   "",
                   "1 when the target is met, 0 when it is missed; absent when it does not apply",
                   {}};
  for (const TargetResult& target : analysis.targets) {
    const MetricLabels labels = {{"target", target.id}, {"variant", target.variant}};
    MetricLabels with_unit = labels;
    with_unit.emplace_back("unit", target.unit);
    value.add(with_unit, target.value);
    goal.add(with_unit, target.target);
    if (target.verdict != Verdict::not_applicable) {
      met.add(labels, target.verdict == Verdict::met ? 1 : 0);
    }
  }
  write_family(value, out);
  write_family(goal, out);
  write_family(met, out);
}

void write_findings(const Analysis& analysis, TextStream& out) {
  MetricFamily diagnoses{"ridgepoint_diagnoses", "", "Diagnoses of this severity", {}};
  for (const Severity severity :
       {Severity::info, Severity::notice, Severity::warning, Severity::critical}) {
    double found = 0;
    for (const Diagnosis& diagnosis : analysis.diagnoses) {
      found += diagnosis.severity == severity ? 1 : 0;
    }
    diagnoses.add({{"severity", key(severity)}}, found);
  }
  write_family(diagnoses, out);
  MetricFamily issues{
      "ridgepoint_issues", "", "What went wrong or was not seen; the text report says what", {}};
  issues.add({}, static_cast<double>(analysis.issues.size()));
  write_family(issues, out);
}

}  // namespace

std::string render_openmetrics(const Analysis& analysis, const ReportOptions& /*options*/) {
  std::string text;
  const TextSink into_text = [&](std::string_view piece) {
    text += piece;
    return Status();
  };
  TextStream out(into_text);
  const DeviceInfo device = analysis.devices.empty() ? DeviceInfo() : analysis.devices.front();
  MetricFamily session{"ridgepoint_session",
                       "",
                       "Always 1; the labels say of what, and whether it was measured or predicted",
                       {}};
  session.add({{"source", key(analysis.source)},
               {"version", analysis.producer.version},
               {"device", device.name},
               {"chip", device.chip}},
              1);
  write_family(session, out);
  write_table(variant_table(analysis), "ridgepoint_variant", variant_labels(analysis), out);
  const std::vector<MetricLabels> kernels = kernel_labels(analysis);
  write_table(kernel_table(analysis), "ridgepoint_kernel", kernels, out);
  write_stalls(analysis, kernels, out);
  write_ranges(analysis, out);
  write_targets(analysis, out);
  write_findings(analysis, out);
  out.put("# EOF\n");
  const Status ignored = out.finish();  // a string takes everything
  return ignored ? text : std::string();
}

}  // namespace ridgepoint
