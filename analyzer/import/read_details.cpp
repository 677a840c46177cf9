// The details page: a row a metric of a launch, under the name a section displays it by; findings
// of the profiler's rules are rows of their own. `--metrics` prints the same table with counter
// names,
// `--print-summary` one with minimum, maximum and average over launches.
#include <unordered_map>

#include "analyzer/import/readers.h"

namespace ridgepoint::importing {
namespace {

constexpr std::size_t longest_rule_text = 4096;

class DetailsReader {
 public:
  DetailsReader(const Source& source, const Tables& tables, Recording& recording)
      : columns_(source.header.columns),
        style_(source.style),
        tables_(tables),
        recording_(recording) {}

  // False when the table would pass its limit.
  bool read(const Row& row) {
    const std::string_view metric = trimmed(columns_.cell(row, Field::metric));
    const std::string_view rule = trimmed(columns_.cell(row, Field::rule));
    if ((metric.empty() && rule.empty()) || is_profiler_message(row[0])) {
      const bool blank = row.size() == 1 && trimmed(row[0]).empty();
      recording_.odd.rows_skipped += blank || is_profiler_message(row[0]) ? 0 : 1;
      return true;
    }
    if (field_named(metric) == Field::metric) {
      return true;  // the header again: a second run was appended
    }
    const std::uint32_t launch = launch_of(row);
    if (!metric.empty()) {
      return read_metric(row, metric, launch);
    }
    read_rule(row, rule, launch);
    return true;
  }

 private:
  // Rows of one launch share their identity. Without an ID a launch also ends where its first
  // metric comes again.
  std::uint32_t launch_of(const Row& row) {
    std::string key;
    for (const Field field : {Field::id, Field::process_id, Field::kernel, Field::context,
                              Field::stream, Field::block, Field::grid, Field::device}) {
      key.append(columns_.cell(row, field)).push_back('\n');
    }
    const std::string first = std::string(columns_.cell(row, Field::section)) + '\n' +
                              std::string(columns_.cell(row, Field::metric));
    if (key == last_key_ && (columns_.has(Field::id) || first != first_metric_)) {
      return last_launch_;
    }
    const auto [entry, added] = launches_.try_emplace(key, 0);
    if (added || !columns_.has(Field::id)) {
      entry->second = recording_.add_launch(row, columns_);
      first_metric_ = first;
    }
    last_key_ = std::move(key);
    last_launch_ = entry->second;
    return last_launch_;
  }

  bool read_metric(const Row& row, std::string_view metric, std::uint32_t launch) {
    const bool summary = !columns_.has(Field::value);
    const Cell cell =
        parse_cell(columns_.cell(row, summary ? Field::average : Field::value), style_);
    const std::string name = counter_name(trimmed(columns_.cell(row, Field::section)), metric);
    if (cell.kind != Cell::Kind::number) {
      recording_.note_absent(name, cell.kind);
      return true;
    }
    const std::uint32_t counter = recording_.counter(name);
    recording_.odd.rounded = recording_.odd.rounded || name != metric;
    const double scale = scale_of(columns_.cell(row, Field::unit), recording_);
    if (summary) {
      recording_.odd.summarised = true;
      const Cell invocations = parse_cell(columns_.cell(row, Field::invocations), style_);
      if (invocations.kind == Cell::Kind::number &&
          !recording_.set(launch, recording_.counter("summary:invocations"), invocations.value)) {
        return false;
      }
    }
    return recording_.set(launch, counter, cell.value * scale);
  }

  // Display names are looked up by section, since "Memory Throughput" is a share in one and a rate
  // in another. What is not known keeps its place: "details:SECTION/NAME".
  std::string counter_name(std::string_view section, std::string_view metric) const {
    if (metric.find("__") != std::string_view::npos) {
      return std::string(metric);
    }
    if (const auto names = tables_.display_names.find(section);
        names != tables_.display_names.end()) {
      if (const auto name = names->second.find(metric); name != names->second.end()) {
        return std::string(name->second);
      }
    }
    return "details:" + std::string(section) + "/" + std::string(metric);
  }

  void read_rule(const Row& row, std::string_view rule, std::uint32_t launch) {
    ImportedRuleResult result;
    result.launch = launch;
    result.section = columns_.cell(row, Field::section);
    result.rule = rule;
    result.type = columns_.cell(row, Field::rule_type);
    result.text = columns_.cell(row, Field::rule_text).substr(0, longest_rule_text);
    result.speedup_type = columns_.cell(row, Field::speedup_type);
    const Cell speedup = parse_cell(columns_.cell(row, Field::speedup), style_);
    if (speedup.kind == Cell::Kind::number) {
      result.estimated_speedup_pct = speedup.value;
    }
    recording_.rules.push_back(std::move(result));
  }

  const Columns& columns_;
  NumberStyle style_;
  const Tables& tables_;
  Recording& recording_;
  std::unordered_map<std::string, std::uint32_t> launches_;
  std::string last_key_;
  std::string first_metric_;
  std::uint32_t last_launch_ = 0;
};

}  // namespace

Status read_details(const Source& source, const Tables& tables, Recording& recording) {
  CsvReader rows(source.text.substr(source.header.offset), source.header.delimiter);
  DetailsReader reader(source, tables, recording);
  Row row;
  rows.next(row);  // the header
  while (rows.next(row)) {
    if (!reader.read(row) || recording.full()) {
      return too_large(source.what);
    }
  }
  recording.odd.torn = rows.fault();
  return {};
}

}  // namespace ridgepoint::importing
