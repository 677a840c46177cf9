// One self-contained page: style, script and chart inline, nothing fetched. Its content security
// policy allows only the script whose hash it names, so that even a text that escaped the escaping
// could run nothing.
#include <algorithm>
#include <array>
#include <cstdint>
#include <kainjow/mustache.hpp>
#include <set>

#include "analyzer/core/text.h"
#include "reports/charts/memory_diagram.h"
#include "reports/charts/palette.h"
#include "reports/charts/roofline_svg.h"
#include "reports/charts/timeline_svg.h"
#include "reports/charts/trace_svg.h"
#include "reports/formats/formats.h"
#include "reports/html/assets.h"
#include "reports/html/page_parts.h"
#include "reports/presenters/activity.h"
#include "reports/presenters/captions.h"
#include "reports/presenters/diagnosis.h"
#include "reports/presenters/format.h"
#include "reports/presenters/glossary.h"
#include "reports/presenters/labels.h"
#include "reports/presenters/leading_part.h"
#include "reports/presenters/provenance.h"
#include "reports/presenters/roofline.h"
#include "reports/presenters/summary.h"
#include "reports/presenters/tables.h"
#include "reports/presenters/timeline.h"
#include "reports/presenters/trace_charts.h"

namespace ridgepoint {
namespace {

using html::Data;

// CSP wants base64 (RFC 4648, section 4) where CMake gives hexadecimal.
std::string base64_of_hex(std::string_view hex) {
  static constexpr std::string_view digits =
      "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  const auto nibble = [](char c) {
    return static_cast<std::uint32_t>(c <= '9' ? c - '0' : c - 'a' + 10);
  };
  std::string out;
  for (std::size_t at = 0; at < hex.size(); at += 6) {
    std::uint32_t group = 0;
    for (std::size_t i = 0; i < 6; ++i) {
      group = group << 4U | (at + i < hex.size() ? nibble(hex[at + i]) : 0U);
    }
    const std::size_t given = (std::min<std::size_t>(6, hex.size() - at) / 2 * 8 + 5) / 6;
    for (std::size_t i = 0; i < 4; ++i) {
      out += i < given ? digits[group >> (18 - 6 * i) & 63U] : '=';
    }
  }
  return out;
}

Data object(std::initializer_list<std::pair<const char*, std::string>> fields) {
  Data data(Data::type::object);
  for (const auto& [name, value] : fields) {
    data.set(name, value);
  }
  return data;
}

template <class Range, class Make>
Data list_of(const Range& range, Make make) {
  Data list(Data::type::list);
  for (const auto& one : range) {
    list << make(one);
  }
  return list;
}

constexpr std::size_t most_unplotted = 20;
constexpr std::size_t first_diagnoses = 5;  // the rest unfolds
constexpr std::size_t most_ranges = 100;

Data text_or_false(const std::string& text) {
  return text.empty() ? Data(false) : Data(text);
}

Data count_or_false(std::size_t number) {
  return text_or_false(number == 0 ? std::string()
                                   : format_quantity(static_cast<double>(number), Unit::count));
}

Data diagnosis_data(const DiagnosisText& text) {
  Data data = object({{"id", text.id},
                      {"title", text.title},
                      {"subject", text.subject},
                      {"severity", text.severity},
                      {"explanation", text.explanation},
                      {"action", text.action},
                      {"gain", text.gain},
                      {"confidence", text.confidence}});
  data.set("evidence", list_of(text.evidence, [](const std::string& line) { return Data(line); }));
  data.set("anchor", text.kernel ? Data(html::kernel_anchor(*text.kernel)) : Data(false));
  data.set("not_applicable_when",
           text.not_applicable_when.empty() ? Data(false) : Data(text.not_applicable_when));
  return data;
}

Data diagnosis_list(const Analysis& analysis, Data& page) {
  const std::vector<DiagnosisText> texts = describe_diagnoses(analysis, analysis.diagnoses.size());
  const bool folds = texts.size() > first_diagnoses;
  page.set("folds_diagnoses", Data(folds));
  std::size_t place = 0;
  return list_of(texts, [&](const DiagnosisText& text) {
    Data data = diagnosis_data(text);
    const bool opens = folds && place++ == first_diagnoses;
    data.set("unfolds", opens ? count_or_false(texts.size() - first_diagnoses) : Data(false));
    return data;
  });
}

Data target_data(const TargetResult& target, const Row& row) {
  const auto text = [&](std::size_t column) { return format_cell(row.cells[column], Unit::text); };
  return object({{"label", text(0)},
                 {"variant", target.variant.empty() ? "" : text(1)},
                 {"value", text(2)},
                 {"goal", text(3)},
                 {"verdict", text(4)},
                 {"verdict_class", key(target.verdict)},
                 {"why", target.why.empty() ? "" : text(5)}});
}

void add_tables(const Analysis& analysis, const Analysis& whole, const LeadingPart& part,
                Data& page) {
  page.set("has_variants", Data(!analysis.variants.empty()));
  page.set("comparison", html::table_data(comparison_table(analysis)));
  page.set("latency_notes",
           list_of(latency_notes(analysis), [](const std::string& note) { return Data(note); }));
  page.set("flop_notes",
           list_of(flop_notes(analysis), [](const std::string& note) { return Data(note); }));
  page.set("recomputation_notes", list_of(recomputation_notes(analysis),
                                          [](const std::string& note) { return Data(note); }));
  page.set("traffic", html::traffic_data(analysis));
  page.set("traffic_notes",
           list_of(traffic_notes(analysis), [](const std::string& note) { return Data(note); }));
  page.set("traffic_split", html::split_bars(analysis));
  const Table split = without_empty_columns(traffic_split_table(analysis));
  page.set("has_split", Data(!split.rows.empty()));
  page.set("split_table", html::table_data(split));
  page.set("split_caption", split_caption(analysis));
  page.set("kernel_notes",
           list_of(kernel_notes(whole), [](const std::string& note) { return Data(note); }));
  const Table kernels = without_empty_columns(kernel_table(analysis));
  page.set("kernels", html::table_data(kernels, &analysis.kernels));
  page.set("more_kernels", html::more_kernels(whole, part.other_kernels, kernels));
  page.set(
      "names", list_of(analysis.kernels, [](const KernelAnalysis& kernel) {
        return object({{"short", printable(kernel.short_name)}, {"full", printable(kernel.name)}});
      }));
  Table ranges = without_empty_columns(range_table(analysis));
  page.set("range_title", ranges.title);
  page.set("has_ranges", Data(!ranges.rows.empty()));
  page.set("more_ranges",
           count_or_false(ranges.rows.size() - std::min(ranges.rows.size(), most_ranges)));
  ranges.rows.resize(std::min(ranges.rows.size(), most_ranges));
  page.set("ranges", html::table_data(ranges));
  const Data stalls = html::stall_bars(analysis);
  page.set("has_stalls", Data(stalls.is_non_empty_list()));
  page.set("stalls", stalls);
  page.set("stall_caption", stall_caption());
  page.set("stall_kinds", html::stall_key());
  page.set("stall_table", html::table_data(stall_table(analysis)));
  const Table targets = target_table(analysis);
  Data target_list(Data::type::list);
  for (std::size_t i = 0; i < targets.rows.size(); ++i) {
    target_list << target_data(analysis.targets[i], targets.rows[i]);
  }
  page.set("has_tiles", Data(!analysis.tile_options.empty()));
  page.set("tiles", html::table_data(tile_table(analysis)));
  page.set("has_splits", Data(!analysis.split_options.empty()));
  page.set("splits", html::table_data(split_table(analysis)));
  page.set("split_note", split_note());
  page.set("has_targets", Data(!targets.rows.empty()));
  page.set("targets", target_list);
  page.set("ceilings", html::table_data(without_empty_columns(ceiling_table(analysis))));
}

void add_roofline(const Analysis& analysis, const Analysis& whole, Data& page) {
  const Roofline chart = roofline(analysis);
  // Roofs alone are a picture where ceilings are the subject, and an empty one where kernels are.
  // Nothing was to be placed on it: the activity is what the session is about.
  page.set("has_roofline", Data(!chart.points.empty() || !counters_unwanted(whole)));
  page.set("has_chart", Data(!chart.points.empty() || analysis.kernels.empty()));
  page.set("roofline_caption", roofline_caption());
  page.set("roofline", roofline_svg(analysis));
  page.set("has_roof_note", Data(!chart.note.empty()));
  page.set("roof_note", chart.note);
  std::vector<const Ceiling*> drawn;
  std::set<std::string> precisions;
  for (const RooflineRoof& roof : chart.roofs) {
    const Ceiling* ceiling = analysis.ceiling(roof.id);
    if (roof.kind == CeilingKind::compute && ceiling != nullptr &&
        precisions.insert(roof.id).second) {
      drawn.push_back(ceiling);
    }
  }
  page.set("precisions", list_of(drawn, [&](const Ceiling* ceiling) {
             return object({{"id", printable(ceiling->id)},
                            {"label", precision_label(analysis, ceiling->id)}});
           }));
  const bool any_measured = std::any_of(chart.roofs.begin(), chart.roofs.end(),
                                        [](const RooflineRoof& roof) { return roof.measured; });
  page.set("has_measured_ceilings", Data(any_measured));
  page.set("has_unplotted", Data(!chart.unplotted.empty()));
  const std::size_t listed = std::min(chart.unplotted.size(), most_unplotted);
  page.set("more_unplotted", count_or_false(chart.unplotted.size() - listed));
  const std::vector<UnplottedKernel> first(
      chart.unplotted.begin(), chart.unplotted.begin() + static_cast<std::ptrdiff_t>(listed));
  page.set("unplotted", list_of(first, [](const UnplottedKernel& kernel) {
             return object({{"name", kernel.label}, {"reason", kernel.line()}});
           }));
}

void add_traffic_words(const Analysis& analysis, Data& page) {
  page.set("was_measured", Data(!nothing_ran(analysis)));
  page.set("traffic_caption", traffic_caption(analysis));
}

void add_diagram(const Analysis& analysis, Data& page) {
  const std::string diagram = memory_diagram_svg(analysis);
  page.set("has_diagram", Data(!diagram.empty()));
  page.set("diagram", diagram);
  page.set("diagram_caption", diagram_caption(analysis));
}

void add_hot_spots(const Analysis& analysis, Data& page) {
  const Data spots = html::hot_spots(analysis);
  page.set("has_hot_spots", Data(spots.is_non_empty_list()));
  page.set("hot_spots", spots);
  page.set("no_hot_spots",
           std::string(analysis.source == Source::predicted
                           ? "Nothing ran, so that no samples were taken."
                           : (analysis.source == Source::imported
                                  ? "The imported file holds no samples by instruction."
                                  : "The session holds no PC samples, so that nothing is known of "
                                    "single instructions. `ridgepoint attention` takes them unless "
                                    "--no-stalls is given, `ridgepoint profile` with --stalls.")));
}

void add_traces(const Analysis& analysis, Data& page) {
  const std::vector<TraceChart> charts = trace_charts(analysis);
  const Table phases = without_empty_columns(power_table(analysis));
  page.set("has_traces", Data(!charts.empty() || !phases.rows.empty()));
  page.set(
      "traces", list_of(charts, [](const TraceChart& chart) {
        return object({{"title", chart.title}, {"note", chart.note}, {"svg", trace_svg(chart)}});
      }));
  page.set("has_power", Data(!phases.rows.empty()));
  page.set("power", html::table_data(phases));
}

void add_activity(const Analysis& analysis, Data& page) {
  page.set("has_activity", Data(analysis.timeline != nullptr));
  page.set("closer", Data(false));
  if (!analysis.timeline) {
    return;
  }
  page.set("activity_caption", timeline_caption(analysis));
  page.set("activity_facts", list_of(activity_facts(analysis), [](const auto& fact) {
             return object({{"name", fact.first}, {"value", fact.second}});
           }));
  page.set("activity", timeline_svg(analysis, analysis.timeline->whole()));
  if (const auto& busiest = analysis.timeline->busiest) {
    page.set("closer",
             object({{"title", busiest_title()}, {"svg", timeline_svg(analysis, *busiest)}}));
  }
  const Table memory = memory_operation_table(analysis);
  page.set("has_memory_operations", Data(!memory.rows.empty()));
  page.set("memory_operations", html::table_data(memory));
}

}  // namespace

std::string render_html(const Analysis& whole, const ReportOptions& /*options*/) {
  // The page stays small however many kernels there are; sums and headlines are of all.
  const LeadingPart part = leading_part(whole);
  const Analysis& analysis = part.analysis;
  Data page =
      object({{"headline", headline(whole)},
              {"provenance", provenance_line(analysis)},
              {"how_title", how_title(analysis)},
              {"version", printable(analysis.producer.version)},
              {"palette_light", palette_properties(false)},
              {"palette_dark", palette_properties(true)},
              {"css", std::string(assets::report_css) + std::string(assets::roofline_css) +
                          std::string(assets::diagram_css) + std::string(assets::trace_css) +
                          std::string(assets::timeline_css)},
              {"script", std::string(assets::report_js)},
              {"script_hash", base64_of_hex(assets::report_js_sha256)},
              {"roofline_script", std::string(assets::roofline_js)},
              {"roofline_hash", base64_of_hex(assets::roofline_js_sha256)}});
  page.set("left_out", text_or_false(left_out_text(part)));
  page.set("more_diagnoses", count_or_false(part.other_diagnoses));
  page.set("more_issues", count_or_false(part.other_issues));
  page.set("workload", analysis.attention ? Data(workload_text(*analysis.attention)) : Data(false));
  page.set("has_issues", Data(!analysis.issues.empty()));
  page.set("issues", list_of(analysis.issues, [](const Issue& issue) {
             return object({{"code", printable(issue.code)}, {"text", printable(issue.text)}});
           }));
  page.set("cards", list_of(summary_cards(whole), [](const SummaryCard& card) {
             // "597 TFLOP/s": the unit is printed smaller. "2 of 5" has none.
             const auto blank = card.value.find(' ');
             const bool has_unit = blank != std::string::npos && card.value.rfind(' ') == blank;
             Data data = object({{"title", card.title},
                                 {"number", has_unit ? card.value.substr(0, blank) : card.value},
                                 {"detail", card.detail}});
             data.set("unit", has_unit ? Data(card.value.substr(blank + 1)) : Data(false));
             return data;
           }));
  add_tables(analysis, whole, part, page);
  add_roofline(analysis, whole, page);
  add_traffic_words(analysis, page);
  add_diagram(whole, page);
  add_hot_spots(analysis, page);
  add_traces(whole, page);
  add_activity(whole, page);
  page.set("has_diagnoses", Data(!analysis.diagnoses.empty()));
  page.set("diagnosis_order", std::string(diagnosis_order));
  page.set("diagnoses", diagnosis_list(analysis, page));
  page.set("how", list_of(how_measured(analysis), [](const auto& line) {
             return object({{"name", line.first}, {"value", line.second}});
           }));
  page.set("glossary", list_of(glossary(), [](const GlossaryEntry& entry) {
             return object({{"term", entry.term}, {"meaning", entry.meaning}});
           }));
  kainjow::mustache::mustache page_template{std::string(assets::report_mustache)};
  return page_template.render(page);
}

}  // namespace ridgepoint
