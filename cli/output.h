// Options that several commands share: where reports go.
#pragma once

#include <CLI/CLI.hpp>
#include <filesystem>
#include <string>
#include <system_error>
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
  // Fails before anything is measured: an ending that is no format, a file that exists, one of the
  // files that are read.
  Status check(const std::vector<std::string>& inputs = {}) const;
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

// Fails when a file to be written is one that is read, or is named twice: not even --force makes
// sense of that. Empty names and "-" stand for no file.
Status check_outputs(const std::vector<std::string>& outputs,
                     const std::vector<std::string>& inputs);

// The format to write: the one asked for; else, for a terminal, text; else the one whose ending the
// file has. A file that would get another content than its ending promises is refused.
template <class Format>
Result<std::string> format_for(const std::string& asked, const std::string& output,
                               const std::vector<Format>& formats) {
  if (!asked.empty()) {
    return asked;
  }
  std::error_code ignored;
  const auto kind = std::filesystem::status(output, ignored).type();
  const bool is_device = kind == std::filesystem::file_type::character ||
                         kind == std::filesystem::file_type::fifo;  // /dev/stdout, a pipe
  if (output.empty() || output == "-" || is_device) {
    return std::string("text");
  }
  const Format* longest = nullptr;
  std::string endings;
  for (const Format& format : formats) {
    if (format.extension.empty()) {
      continue;
    }
    endings += (endings.empty() ? "" : ", ") + std::string(format.extension);
    const bool ends = output.size() > format.extension.size() && output.ends_with(format.extension);
    if (ends && (longest == nullptr || format.extension.size() > longest->extension.size())) {
      longest = &format;
    }
  }
  if (longest == nullptr) {
    return fail(ErrorDomain::usage, "--output " + output, "its ending names no format",
                "say --format, or end the name in one of " + endings);
  }
  return std::string(longest->name);
}

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
