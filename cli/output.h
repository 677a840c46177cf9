// Options that several commands share: where reports go.
#pragma once

#include <CLI/CLI.hpp>
#include <string>
#include <vector>

#include "analyzer/analysis/analysis.h"
#include "analyzer/core/error.h"
#include "reports/report.h"

namespace ridgepoint::cli {

// The format that the ending of a file name stands for, or null.
const ReportFormat* format_of(const std::string& path);

// --report FILE (repeatable, the format follows the ending) and --force.
struct ReportFiles {
  std::vector<std::string> paths;
  bool force = false;

  void add_to(CLI::App& command);
  // Fails before anything is measured: an ending that is no format, a file that exists.
  Status check() const;
  // Writes each and notes on stderr where it lies.
  Status write(const ReportInput& input) const;
};

// A report in a format: to stdout when `output` is empty or "-", else to that file, which must be
// none of `inputs`.
Status write_report_result(const ReportInput& input, const std::string& format,
                           const ReportOptions& options, const std::string& output, bool force,
                           const std::vector<std::string>& inputs);
// Writes a result: to stdout when `output` is empty or "-", else to that file, which must be none
// of `inputs`.
Status write_result(const std::string& text, const std::string& output, bool force,
                    const std::vector<std::string>& inputs);

// The names of all formats of a registry (reports, comparisons, gates), for help and checks.
template <class Format>
std::vector<std::string> format_names(const std::vector<Format>& formats) {
  std::vector<std::string> names;
  for (const Format& format : formats) {
    names.emplace_back(format.name);
  }
  return names;
}
// "Formats:" and a line each, for the footer of --help.
std::string formats_help();

}  // namespace ridgepoint::cli
