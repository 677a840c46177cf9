// Every report format behind one interface; a new format is one file and one line in report.cpp.
#pragma once

#include <filesystem>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "analyzer/analysis/analysis.h"
#include "analyzer/core/error.h"

namespace ridgepoint {

enum class CsvLayout {
  wide,       // a row a kernel, a column a quantity
  long_rows,  // a row a value, of kernels, launches, variants, ranges and series (csv_layouts.h)
  series,     // a row a sample over time: series, device, variant, time_s, quantity, value, unit
};
enum class CsvNames { ridgepoint, ncu };

struct ReportOptions {
  bool colour = false;         // ANSI colours (text only)
  int width = 100;             // columns (text only)
  bool all_diagnoses = false;  // text and Markdown show the first five otherwise
  // Text only: nothing but the hot spots of kernels whose name contains or matches this
  // (presenters/hot_spots.h).
  std::string hot_spots_of;
  std::string figure = "roofline";  // SVG only: a name of charts/figures.h
  CsvLayout csv_layout = CsvLayout::wide;
  CsvNames csv_names = CsvNames::ridgepoint;
};

// What a report is made of. The session, not owned, is there when it is at hand: single launches,
// the timeline and raw counters stand in it alone.
struct ReportInput {
  const Analysis& analysis;
  const Session* session = nullptr;
  // NOLINTNEXTLINE(google-explicit-constructor): most reports need the analysis alone
  ReportInput(const Analysis& of, const Session* with = nullptr) : analysis(of), session(with) {}
};

// Takes a piece of a report; fails when it cannot be put where it should go.
using TextSink = std::function<Status(std::string_view)>;

// One of the three functions is set.
struct ReportFormat {
  std::string_view name;         // "text"
  std::string_view title;        // within a sentence: "text", "HTML"
  std::string_view extension;    // ".txt"; the longest that a file name ends in counts
  std::string_view description;  // for --help
  // As long as the analysis: made whole.
  std::string (*render)(const Analysis&, const ReportOptions&) = nullptr;
  // As long as the session: made in pieces.
  Status (*stream)(const ReportInput&, const ReportOptions&, const TextSink&) = nullptr;
  // No text: a file that a library writes.
  Status (*save)(const ReportInput&, const std::filesystem::path&, bool force) = nullptr;
  bool needs_session = false;
};

const std::vector<ReportFormat>& report_formats();
// Null when there is none.
const ReportFormat* find_report_format(std::string_view name);

// Whole and in memory. Fails (usage) on an unknown format, one that is no text, or one that needs
// the session where there is none.
Result<std::string> render_report(const ReportInput& input, std::string_view format,
                                  const ReportOptions& options = {});
Status stream_report(const ReportInput& input, std::string_view format,
                     const ReportOptions& options, const TextSink& sink);
// Into a file, with the safety rules of analyzer/core/file_writer.h and the permissions of the
// user's umask.
Status save_report(const ReportInput& input, std::string_view format, const ReportOptions& options,
                   const std::filesystem::path& path, bool force);

}  // namespace ridgepoint
