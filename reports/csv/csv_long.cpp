#include <algorithm>
#include <map>
#include <utility>

#include "analyzer/traffic/quantities.h"
#include "reports/csv/counter_names.h"
#include "reports/csv/csv_layouts.h"
#include "reports/csv/csv_row.h"
#include "reports/csv/long_run_rows.h"
#include "reports/presenters/format.h"
#include "reports/presenters/tables.h"

namespace ridgepoint {
namespace {

class LongRows {
 public:
  LongRows(const ReportInput& input, CsvNames names, TextStream& out)
      : analysis_(input.analysis),
        session_(input.session),
        ncu_(names == CsvNames::ncu),
        map_(counter_map_of(input.analysis)),
        named_(named_quantities(map_, ncu_)),
        out_(out),
        all_(all_launches(input.analysis)) {}

  void write() {
    out_.put("kernel,variant,launch,quantity,value,unit,range,device,time_s\r\n");
    const Table table = kernel_table(analysis_);
    const Table split = kernel_split_table(analysis_);
    for (std::size_t k = 0; k < analysis_.kernels.size(); ++k) {
      const KernelAnalysis& kernel = analysis_.kernels[k];
      start_ = start_of(kernel.name, kernel.variant);
      if (!ncu_) {
        derived(table, table.rows[k]);
        derived(split, split.rows[k]);
        for (const StallShare& stall : kernel.stalls) {
          row(all_, "stall:" + stall.reason, stall.share, "share");
        }
        for (const DeviceStalls& one : kernel.stalls_by_device) {
          for (const StallShare& stall : one.stalls) {
            row(all_, "stall:" + stall.reason, stall.share, "share", std::to_string(one.device));
          }
        }
      }
      for (const NamedQuantity& one : named_) {
        // The table's columns have said some of them already.
        if (const auto value = kernel.quantity(one.id);
            value && (ncu_ || !column_index(table, one.name))) {
          row(all_, one.name, *value / one.divisor, one.unit);
        }
      }
    }
    if (session_ != nullptr) {
      launches();
    }
    if (!ncu_) {
      long_run_rows(analysis_, out_);
    }
  }

 private:
  static std::string start_of(const std::string& kernel, const std::string& variant) {
    const std::string line = CsvRow().text(kernel).text(variant).line();
    return line.substr(0, line.size() - 2) + ",";
  }

  void row(const std::string& launch, const std::string& quantity, double value,
           const std::string& unit, const std::string& device = {}) {
    if (std::isfinite(value)) {
      out_.put(start_);
      out_.add("{},", launch);
      out_.put(
          CsvRow().text(quantity).number(value).text(unit).text("").text(device).text("").line());
    }
  }

  void derived(const Table& table, const Row& cells) {
    for (std::size_t c = 0; c < table.columns.size(); ++c) {
      if (const auto* value = std::get_if<double>(&cells.cells[c])) {
        row(all_, table.columns[c].id, *value, unit_name(table.columns[c].unit));
      }
    }
  }

  // A million launches should not each look for counters that none of them has.
  std::vector<const QuantityDefinition*> with_columns(const CounterTable& counters) const {
    std::vector<const QuantityDefinition*> found;
    for (const QuantityDefinition& quantity : map_.quantities) {
      const bool all = std::all_of(
          quantity.terms.begin(), quantity.terms.end(),
          [&](const CounterTerm& term) { return counters.find(term.counter) != nullptr; });
      if (all && quantity.id != "time_s") {
        found.push_back(&quantity);
      }
    }
    return found;
  }

  void launches() {
    std::map<std::size_t, std::string> variant_of;
    if (session_->attention) {
      for (const VariantRun& run : session_->attention->variants) {
        for (const std::uint32_t launch : run.launches) {
          variant_of[launch] = run.name;
        }
      }
    }
    std::map<std::string, std::string> unit_of;
    for (const NamedQuantity& one : named_) {
      unit_of[one.name] = one.unit;
    }
    const CounterTable& counters = session_->counters;
    const std::vector<const QuantityDefinition*> evaluable = with_columns(counters);
    const LaunchCounters times(*session_, &map_);
    for (std::size_t i = 0; i < session_->launches.size(); ++i) {
      const auto variant = variant_of.find(i);
      start_ = start_of(session_->kernels[session_->launches[i].kernel].name,
                        variant == variant_of.end() ? std::string() : variant->second);
      const std::string place = std::to_string(i);
      if (ncu_) {
        for (std::size_t c = 0; c < counters.names.size(); ++c) {
          const auto unit = unit_of.find(counters.names[c]);
          row(place, counters.names[c], counters.columns[c][i],
              unit == unit_of.end() ? std::string() : unit->second);
        }
        continue;
      }
      if (const auto time = times.time_s(i)) {
        row(place, "time_s", *time, "s");
      }
      for (const QuantityDefinition* quantity : evaluable) {
        if (const auto value = evaluate(*quantity, counters, i)) {
          row(place, quantity->id, *value, quantity->unit);
        }
      }
    }
  }

  const Analysis& analysis_;
  const Session* session_;
  bool ncu_;
  CounterMap map_;
  std::vector<NamedQuantity> named_;
  TextStream& out_;
  const char* const all_;
  std::string start_;  // the fields that a kernel's rows share
};

}  // namespace

void csv_long(const ReportInput& input, CsvNames names, TextStream& out) {
  LongRows(input, names, out).write();
}

}  // namespace ridgepoint
