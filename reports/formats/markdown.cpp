// GitHub-flavoured Markdown: for pull requests and job summaries.
#include <algorithm>

#include "reports/escape.h"
#include "reports/formats/formats.h"
#include "reports/formats/markdown_table.h"
#include "reports/presenters/activity.h"
#include "reports/presenters/ceiling_measurement_table.h"
#include "reports/presenters/diagnosis.h"
#include "reports/presenters/format.h"
#include "reports/presenters/labels.h"
#include "reports/presenters/name_legend.h"
#include "reports/presenters/provenance.h"
#include "reports/presenters/roofline.h"
#include "reports/presenters/summary.h"
#include "reports/presenters/tables.h"

namespace ridgepoint {
namespace {

constexpr std::size_t first_diagnoses = 5;

void add_diagnoses(const Analysis& analysis, const ReportOptions& options, std::string& out) {
  const std::size_t all = analysis.diagnoses.size();
  if (all == 0) {
    return;
  }
  out += "\n## Diagnoses\n\nThe " + escape_markdown(diagnosis_order) + ".\n\n";
  const std::vector<DiagnosisText> texts =
      describe_diagnoses(analysis, options.all_diagnoses ? all : first_diagnoses);
  for (const DiagnosisText& text : texts) {
    out += std::to_string(text.position) + ". **" + escape_markdown(text.title) + "** (" +
           escape_markdown(text.severity) + ", " + escape_markdown(text.subject) + ")\n";
    for (const std::string& line : text.evidence) {
      out += "   - " + escape_markdown(line) + "\n";
    }
    out += "   - Change: " + escape_markdown(text.action) + "\n";
    out += "   - Gain: " + escape_markdown(text.gain) + "\n";
    out += "   - Confidence: " + escape_markdown(text.confidence) + "\n";
  }
  if (texts.size() < all) {
    out += "\n" + std::to_string(all - texts.size()) + " more are left out.\n";
  }
}

void add_variants(const Analysis& analysis, std::string& out) {
  out += markdown_table(comparison_table(analysis));
  for (const std::string& note : latency_notes(analysis)) {
    out += "\n" + escape_markdown(note) + "\n";
  }
  for (const std::string& note : flop_notes(analysis)) {
    out += "\n" + escape_markdown(note) + "\n";
  }
  for (const std::string& note : recomputation_notes(analysis)) {
    out += "\n" + escape_markdown(note) + "\n";
  }
  out += analysis.source == Source::predicted
             ? "\n## Traffic\n\nBy the IO model.\n\n"
             : "\n## Traffic\n\nCounted by the hardware beside what the IO model predicts.\n\n";
  out += markdown_table(without_empty_columns(traffic_table(analysis)));
  for (const std::string& note : traffic_notes(analysis)) {
    out += "\n" + escape_markdown(note) + "\n";
  }
  const Table split = without_empty_columns(traffic_split_table(analysis));
  if (!split.rows.empty()) {
    out += "\n### What moves\n\n" + markdown_table(split) + "\n" +
           escape_markdown(traffic_split_note(analysis)) + "\n";
  }
}

void add_activity(const Analysis& analysis, std::string& out) {
  if (!analysis.timeline) {
    return;
  }
  out += "\n## Activity\n\n";
  for (const auto& [name, value] : activity_facts(analysis)) {
    out += "- " + escape_markdown(name) + ": " + escape_markdown(value) + "\n";
  }
  if (const Table memory = memory_operation_table(analysis); !memory.rows.empty()) {
    out += "\n" + markdown_table(memory);
  }
}

void add_kernels(const Analysis& analysis, std::string& out) {
  out += "\n## Kernels\n\n";
  if (analysis.kernels.empty()) {
    out += "None were recorded.\n";
  }
  const Table all = without_empty_columns(kernel_table(analysis));
  std::vector<Table> parts = kernel_table_parts(all);
  parts.push_back(selected_columns(all, {"kernel", "grid", "block", "smem_per_block", "sm_clock"}));
  std::string gap;
  for (const Table& part : parts) {
    if (!part.rows.empty() && part.columns.size() > 1) {
      out += gap + markdown_table(part);
      gap = "\n";
    }
  }
  std::string bullet = "\n";
  for (const std::string& line : name_legend(analysis, analysis.kernels.size())) {
    out += bullet + escape_markdown(line) + "\n";
    bullet = bullet == "\n" ? "\n- " : "- ";
  }
  for (const std::string& note : kernel_notes(analysis)) {
    out += "\n" + escape_markdown(note) + "\n";
  }
  const std::vector<UnplottedKernel> unplotted =
      counters_unwanted(analysis) ? std::vector<UnplottedKernel>() : roofline(analysis).unplotted;
  for (const UnplottedKernel& kernel : unplotted) {
    out += "\n" + escape_markdown(kernel.label) +
           " has no place on the roofline: " + escape_markdown(kernel.line()) + ".\n";
  }
  const Table stalls =
      without_empty_columns(leading_stall_table(analysis, analysis.kernels.size()));
  if (!stalls.rows.empty()) {
    out += "\n## " + stalls.title + "\n\n" + markdown_table(stalls) + "\n" +
           escape_markdown(leading_stall_note(analysis, analysis.kernels.size())) + "\n";
  }
}

void add_ranges(const Analysis& analysis, std::string& out) {
  Table ranges = without_empty_columns(range_table(analysis));
  if (ranges.rows.empty()) {
    return;
  }
  constexpr std::size_t first_ranges = 50;
  const std::size_t all = ranges.rows.size();
  ranges.rows.resize(std::min(all, first_ranges));
  out += "\n## " + ranges.title + "\n\n" + markdown_table(ranges);
  if (all > first_ranges) {
    out += "\n" + std::to_string(all - first_ranges) + " more are left out.\n";
  }
}

}  // namespace

std::string render_markdown(const Analysis& analysis, const ReportOptions& options) {
  std::string out = escape_markdown(provenance_line(analysis)) + "\n";
  if (!analysis.issues.empty()) {
    out += "\n> **Read this first**\n>\n";
    for (const Issue& issue : analysis.issues) {
      out += "> - " + escape_markdown(issue.code) + ": " + escape_markdown(issue.text) + "\n";
    }
  }
  out += "\n# " + escape_markdown(headline(analysis)) + "\n\n";
  if (analysis.attention) {
    out += escape_markdown(workload_text(*analysis.attention)) + "\n\n";
  }
  if (!analysis.variants.empty()) {
    add_variants(analysis, out);
  }
  add_activity(analysis, out);
  add_kernels(analysis, out);
  add_ranges(analysis, out);
  if (const Table phases = without_empty_columns(power_table(analysis)); !phases.rows.empty()) {
    out += "\n## Power and clocks\n\n" + markdown_table(phases);
  }
  if (const Table ceilings = without_empty_columns(ceiling_measurement_table(analysis));
      !ceilings.rows.empty()) {
    out += "\n## " + ceilings.title + "\n\n" + markdown_table(ceilings);
  }
  if (!analysis.tile_options.empty()) {
    out += "\n## Tiles that fit\n\n" + markdown_table(tile_table(analysis));
  }
  if (!analysis.split_options.empty()) {
    out += "\n## Parts of the keys\n\n" + markdown_table(split_table(analysis)) + "\n" +
           escape_markdown(split_note()) + "\n";
  }
  add_diagnoses(analysis, options, out);
  if (!analysis.targets.empty()) {
    out += "\n## Targets\n\n" + markdown_table(target_table(analysis));
  }
  out += "\n## " + how_title(analysis) + "\n\n";
  for (const auto& [name, value] : how_measured(analysis)) {
    out += "- " + escape_markdown(name) + ": " + escape_markdown(value) + "\n";
  }
  return out;
}

}  // namespace ridgepoint
