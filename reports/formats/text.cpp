// The report on a terminal: where it comes from, what went wrong, then naive beside fused, traffic,
// the leading diagnoses and targets.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <map>
#include <utility>

#include "analyzer/core/text.h"
#include "reports/formats/formats.h"
#include "reports/presenters/activity.h"
#include "reports/presenters/ceiling_measurement_table.h"
#include "reports/presenters/diagnosis.h"
#include "reports/presenters/format.h"
#include "reports/presenters/hot_spots.h"
#include "reports/presenters/labels.h"
#include "reports/presenters/name_legend.h"
#include "reports/presenters/provenance.h"
#include "reports/presenters/roofline.h"
#include "reports/presenters/summary.h"
#include "reports/presenters/tables.h"
#include "reports/presenters/trace_charts.h"
#include "reports/text/text_layout.h"
#include "reports/text/trace_lines.h"

namespace ridgepoint {
namespace {

constexpr std::size_t first_diagnoses = 5;
// A terminal shows no more at once; the variants of a workload come first, then by time.
constexpr std::size_t first_kernels = 25;
constexpr std::size_t first_stalled_kernels = 10;
constexpr std::size_t first_hot_kernels = 3;
constexpr std::size_t first_hot_spots = 5;
constexpr std::size_t first_unplotted = 6;
constexpr std::size_t first_ranges = 20;
constexpr std::size_t first_issues_a_code = 5;

// What the rows that are left out add up to.
std::string rest_of_kernels(const Analysis& analysis, std::size_t shown) {
  std::int64_t launches = 0;
  double share = 0;
  for (std::size_t i = shown; i < analysis.kernels.size(); ++i) {
    launches += analysis.kernels[i].launches;
    share += analysis.kernels[i].time_share.value_or(0);
  }
  const auto number = [](auto value) {
    return format_quantity(static_cast<double>(value), Unit::count);
  };
  return "and " + number(analysis.kernels.size() - shown) + " more kernels with " +
         number(launches) + " launches, together " + format_quantity(share, Unit::share) +
         " of the time; --format csv or json lists them all";
}

// SGR parameters of ECMA-48; the eight basic colours follow the user's own theme.
constexpr const char* bold = "1";
constexpr const char* red = "31";
constexpr const char* green = "32";
constexpr const char* yellow = "33";
constexpr const char* dim = "2";

template <class Dropped>
Table without_columns(const Table& table, const Dropped& dropped) {
  std::vector<std::string> kept;
  for (const Column& column : table.columns) {
    if (!dropped(column.id)) {
      kept.push_back(column.id);
    }
  }
  return selected_columns(table, kept);
}

// The variants without their factors to the first, which a reader can work out.
Table without_factors(const Table& comparison) {
  return without_columns(comparison,
                         [](const std::string& id) { return id.rfind("change_", 0) == 0; });
}

class TextReport {
 public:
  TextReport(const Analysis& analysis, const ReportOptions& options)
      : analysis_(analysis),
        options_(options),
        width_(static_cast<std::size_t>(std::clamp(options.width, 40, 400))) {}

  std::string render() {
    out_ = wrap(provenance_line(analysis_), width_, "", "");
    if (!options_.hot_spots_of.empty()) {
      for (const std::size_t kernel : sampled_kernels(analysis_, options_.hot_spots_of)) {
        hot_spots(kernel, analysis_.kernels[kernel].hot_spots.size());
      }
      return out_;
    }
    issues();
    heading(headline(analysis_));
    if (analysis_.attention) {
      out_ += wrap(workload_text(*analysis_.attention), width_, "  ", "  ");
    }
    variants();
    activity();
    kernels();
    diagnoses();
    targets();
    ranges();
    leading_hot_spots();
    over_time();
    ceilings();
    tiles();
    splits();
    how();
    return out_;
  }

 private:
  std::string paint(const std::string& text, const char* sgr) const {
    return options_.colour ? "\x1b[" + std::string(sgr) + "m" + text + "\x1b[0m" : text;
  }
  void heading(const std::string& title) {
    const std::string lines = wrap(title, width_, "", "");
    out_ += "\n" + paint(lines.substr(0, lines.size() - 1), bold) + "\n";
  }

  void notes(const std::vector<std::string>& lines) {
    for (const std::string& line : lines) {
      out_ += wrap(line, width_, "  ", "  ");
    }
  }

  void facts(const std::vector<std::pair<std::string, std::string>>& lines) {
    for (const auto& [name, value] : lines) {
      const std::string column = name + std::string(name.size() < 14 ? 14 - name.size() : 1, ' ');
      out_ += wrap(value, width_, "  " + column, "                ");
    }
  }

  void issues();
  void variants();
  void activity();
  void kernels();
  void ranges();
  void unplotted_kernels();
  void leading_hot_spots();
  void hot_spots(std::size_t kernel, std::size_t most);
  void over_time();
  void ceilings();
  void tiles();
  void splits();
  void diagnoses();
  void targets();
  void how();

  const Analysis& analysis_;
  const ReportOptions& options_;
  std::size_t width_;
  std::string out_;
};

void TextReport::issues() {
  if (analysis_.issues.empty()) {
    return;
  }
  heading("Read this first");
  // One cause may speak of ten thousand kernels: a few of a code stand for the others.
  std::map<std::string, std::size_t> seen;
  for (const Issue& issue : analysis_.issues) {
    if (++seen[issue.code] > first_issues_a_code) {
      continue;
    }
    const std::string lines =
        wrap(printable(issue.code) + ": " + printable(issue.text), width_, "  ! ", "    ");
    out_ += paint(lines.substr(0, lines.size() - 1), yellow) + "\n";
  }
  for (const auto& [code, count] : seen) {
    if (count > first_issues_a_code) {
      out_ += wrap(printable(code) + ": " + std::to_string(count - first_issues_a_code) +
                       " more of these; --format json lists them all",
                   width_, "  ! ", "    ");
    }
  }
}

void TextReport::variants() {
  if (analysis_.variants.empty()) {
    return;
  }
  // Every variant is shown at any width; the factors beside them only where all have room.
  const Table comparison = comparison_table(analysis_);
  if (table_width(comparison) <= width_) {
    out_ += "\n" + text_table(comparison, width_);
  } else {
    out_ += "\n" + text_table_in_parts(without_factors(comparison), width_) +
            wrap("(the factors to the first variant do not fit this width)", width_, "  ", "  ");
  }
  notes(latency_notes(analysis_));
  notes(flop_notes(analysis_));
  notes(recomputation_notes(analysis_));
  heading(analysis_.source == Source::predicted
              ? "Traffic by the IO model"
              : "Traffic: counted by the hardware, predicted by the IO model");
  Table traffic = without_empty_columns(traffic_table(analysis_));
  if (const auto formula = column_index(traffic, "formula")) {
    traffic.columns.resize(*formula);
    for (Row& row : traffic.rows) {
      row.cells.resize(*formula);
    }
  }
  out_ += text_table(traffic, width_);
  notes(traffic_notes(analysis_));
  const Table split = without_empty_columns(traffic_split_table(analysis_));
  if (!split.rows.empty()) {
    heading("What moves: inputs and outputs, intermediates, re-reads");
    if (table_width(split) <= width_) {
      out_ += text_table(split, width_);
    } else {
      out_ += text_table(selected_columns(split, {"variant", "kernel", "level", "inputs_outputs",
                                                  "intermediates", "again", "moved"}),
                         width_);
      out_ += "\n" + text_table(selected_columns(
                                    split, {"variant", "kernel", "level", "kept", "l2_saved"}),
                                width_);
    }
    out_ += wrap(traffic_split_note(analysis_), width_, "  ", "  ");
  }
}

void TextReport::activity() {
  if (!analysis_.timeline) {
    return;
  }
  heading("Activity");
  facts(activity_facts(analysis_));
  if (const Table memory = memory_operation_table(analysis_); !memory.rows.empty()) {
    out_ += "\n" + text_table(memory, width_);
  }
}

void TextReport::ranges() {
  Table table = without_empty_columns(range_table(analysis_));
  if (table.rows.empty()) {
    return;
  }
  heading(table.title);
  const std::size_t all = table.rows.size();
  table.rows.resize(std::min(all, first_ranges));
  out_ += text_table(table, width_);
  if (all > first_ranges) {
    out_ += wrap(std::to_string(all - first_ranges) + " more ranges; --format json lists them all",
                 width_, "  ", "  ");
  }
}

void TextReport::kernels() {
  if (analysis_.kernels.empty() && analysis_.producer.mode == "ceilings") {
    return;
  }
  heading("Kernels");
  if (analysis_.kernels.empty()) {
    out_ += "  none were recorded\n";
    return;
  }
  Table all = kernel_table(analysis_);
  const std::size_t shown = std::min(all.rows.size(), first_kernels);
  all.rows.resize(shown);
  // The variant is in the names of the reference kernels, and a terminal is narrow.
  all = without_columns(without_empty_columns(all),
                        [](const std::string& id) { return id == "variant"; });
  // What a kernel is bound by is asked first, and does not fit beside its times in 80 columns: of
  // the first part no column may go missing.
  std::string gap;
  for (const Table& part : kernel_table_parts(all)) {
    out_ += gap.empty() ? text_table_in_parts(part, width_) : gap + text_table(part, width_);
    gap = "\n";
  }
  if (shown < analysis_.kernels.size()) {
    out_ += wrap(rest_of_kernels(analysis_, shown), width_, "  ", "  ");
  }
  for (const std::string& line : name_legend(analysis_, shown)) {
    out_ += wrap(line, width_, "  ", "      ");
  }
  notes(kernel_notes(analysis_));
  if (!counters_unwanted(analysis_)) {
    unplotted_kernels();
  }
  const Table stalls = without_empty_columns(leading_stall_table(analysis_, first_stalled_kernels));
  if (!stalls.rows.empty()) {
    heading(stalls.title);
    out_ += text_table(stalls, width_);
    out_ += wrap(leading_stall_note(analysis_, first_stalled_kernels), width_, "  ", "  ");
  }
}

// Those that lack the same together: without counters it is all of them.
void TextReport::unplotted_kernels() {
  std::vector<std::pair<std::string, std::vector<std::string>>> by_reason;
  for (const UnplottedKernel& kernel : roofline(analysis_).unplotted) {
    const std::string reason = kernel.line();
    auto group = std::find_if(by_reason.begin(), by_reason.end(),
                              [&](const auto& one) { return one.first == reason; });
    if (group == by_reason.end()) {
      group = by_reason.insert(group, {reason, {}});
    }
    group->second.push_back(kernel.label);
  }
  std::size_t left = first_unplotted;
  std::size_t unnamed = 0;
  for (const auto& [reason, labels] : by_reason) {
    const std::size_t named = std::min(labels.size(), left);
    left -= named;
    if (named == 0) {
      unnamed += labels.size();
      continue;
    }
    std::string line = fmt::format("{}", fmt::join(labels.begin(), labels.begin() + named, ", "));
    if (named < labels.size()) {
      line += fmt::format(" and {} more", labels.size() - named);
    }
    out_ += wrap(
        line + (labels.size() == 1 ? " has" : " have") + " no place on the roofline: " + reason,
        width_, "  ", "  ");
  }
  if (unnamed > 0) {
    out_ += wrap(fmt::format("{} more kernels have no place on the roofline", unnamed), width_,
                 "  ", "  ");
  }
}

void TextReport::over_time() {
  const Table phases = without_empty_columns(power_table(analysis_));
  if (!phases.rows.empty()) {
    heading("Power and clocks");
    out_ += text_table(phases, width_);
  }
  for (const TraceChart& chart : trace_charts(analysis_)) {
    heading(chart.title);
    out_ += trace_lines(chart, width_);
  }
}

void TextReport::ceilings() {
  const Table table = without_empty_columns(ceiling_measurement_table(analysis_));
  if (table.rows.empty()) {
    return;
  }
  heading(table.title);
  out_ += text_table(table, width_);
}

// Offsets alone tell nothing on a terminal: kernels whose code is known.
void TextReport::leading_hot_spots() {
  std::size_t shown = 0;
  for (std::size_t i = 0; i < analysis_.kernels.size() && shown < first_hot_kernels; ++i) {
    if (has_code(analysis_.kernels[i])) {
      hot_spots(i, first_hot_spots);
      ++shown;
    }
  }
}

void TextReport::hot_spots(std::size_t kernel, std::size_t most) {
  heading("Hot spots of " + printable(analysis_.kernels[kernel].short_name));
  Table table = hot_spot_table(analysis_, {kernel});
  table.rows.resize(std::min(table.rows.size(), most));
  table = without_empty_columns(table);
  out_ += text_table(
      selected_columns(table, {"pc_offset", "share", "reason", "reason_share", "sass", "source"}),
      width_);
}

void TextReport::tiles() {
  if (analysis_.tile_options.empty()) {
    return;
  }
  heading("Tiles that fit its shared memory and registers");
  out_ += text_table(
      selected_columns(tile_table(analysis_),
                       {"variant", "query_rows", "key_rows", "smem_bytes", "registers",
                        "blocks_per_sm", "time_s", "l2_bytes", "smem_traffic_bytes", "in_use"}),
      width_);
}

void TextReport::splits() {
  if (analysis_.split_options.empty()) {
    return;
  }
  heading("Parts that the keys of a query tile may be shared out in");
  out_ += text_table(split_table(analysis_), width_);
  out_ += wrap(split_note(), width_, "  ", "  ");
}

void TextReport::diagnoses() {
  if (analysis_.diagnoses.empty()) {
    return;
  }
  heading("Diagnoses, " + std::string(diagnosis_order));
  const std::size_t all = analysis_.diagnoses.size();
  const std::vector<DiagnosisText> texts =
      describe_diagnoses(analysis_, options_.all_diagnoses ? all : first_diagnoses);
  for (const DiagnosisText& text : texts) {
    const std::string mark = std::to_string(text.position) + ". ";
    const std::string indent(mark.size() + 2, ' ');
    const bool grave = text.severity == "critical" || text.severity == "warning";
    const std::string title =
        wrap(text.title + " [" + text.severity + "]", width_, "  " + mark, indent);
    out_ += grave ? paint(title.substr(0, title.size() - 1),
                          text.severity == "critical" ? red : yellow) +
                        "\n"
                  : title;
    out_ += wrap(text.subject + " · " + text.id, width_, indent, indent);
    std::string evidence;
    for (const std::string& line : text.evidence) {
      evidence += (evidence.empty() ? "" : "; ") + line;
    }
    const std::string deeper = indent + "          ";
    if (!evidence.empty()) {
      out_ += wrap(evidence, width_, indent + "evidence  ", deeper);
    }
    out_ += wrap(text.action, width_, indent + "change    ", deeper);
    out_ += wrap(text.gain, width_, indent + "gain      ", deeper);
    if (text.confidence != key(Confidence::high)) {
      out_ += wrap(text.confidence, width_, indent + "certainty ", deeper);
    }
  }
  if (texts.size() < all) {
    out_ += "  (" + std::to_string(all - texts.size()) + " more: --all-diagnoses)\n";
  }
}

void TextReport::targets() {
  if (analysis_.targets.empty()) {
    return;
  }
  heading("Targets");
  const std::size_t column = verdict_label(Verdict::not_applicable).size() + 2;
  for (const TargetResult& target : analysis_.targets) {
    // "n/a" would say that nothing was measured; the widest label gives the column.
    const std::string verdict = verdict_label(target.verdict);
    std::string line = printable(target.label.empty() ? target.id : target.label);
    if (!target.variant.empty()) {
      line += " (" + printable(target.variant) + ")";
    }
    const TargetNumbers numbers = target_numbers(target);
    line +=
        ": " + (numbers.value.empty() ? "not measured" : numbers.value) + ", goal " + numbers.goal;
    if (!target.why.empty()) {
      line += "; " + printable(target.why);
    }
    const std::string lines =
        wrap(line, width_, "  " + verdict + std::string(column - verdict.size(), ' '),
             std::string(column + 2, ' '));
    const char* colour =
        target.verdict == Verdict::met ? green : (target.verdict == Verdict::missed ? red : dim);
    out_ += "  " + paint(verdict, colour) + lines.substr(2 + verdict.size());
  }
}

void TextReport::how() {
  heading(how_title(analysis_));
  facts(how_measured(analysis_));
}

}  // namespace

std::string render_text(const Analysis& analysis, const ReportOptions& options) {
  return TextReport(analysis, options).render();
}

}  // namespace ridgepoint
