// Options that several commands share: where reports go.
#pragma once

#include <CLI/CLI.hpp>
#include <filesystem>
#include <string>
#include <string_view>
#include <system_error>
#include <utility>
#include <vector>

#include "analyzer/analysis/analysis.h"
#include "analyzer/core/error.h"
#include "analyzer/core/text.h"
#include "cli/choices.h"
#include "reports/report.h"

namespace ridgepoint::cli {

// The names of files as reports show them: without their folders, or with as many of them as it
// takes to tell the files apart. "-" is standard input.
std::vector<std::string> shown_names(const std::vector<std::string>& paths);

// The format whose ending a file name has, the longest where several fit; null when none does.
template <class Format>
const Format* format_of(const std::string& path, const std::vector<Format>& formats) {
  const Format* longest = nullptr;
  for (const Format& format : formats) {
    const bool ends = !format.extension.empty() && path.size() > format.extension.size() &&
                      path.ends_with(format.extension);
    if (ends && (longest == nullptr || format.extension.size() > longest->extension.size())) {
      longest = &format;
    }
  }
  return longest;
}

// ".txt, .md, ...": the endings that stand for a format.
template <class Format>
std::string known_endings(const std::vector<Format>& formats) {
  std::string endings;
  for (const Format& format : formats) {
    if (!format.extension.empty()) {
      endings += (endings.empty() ? "" : ", ") + std::string(format.extension);
    }
  }
  return endings;
}

// --figure NAME, the figure of an SVG.
void add_figure_option(CLI::App& command, std::string& figure);

// --report FILE (repeatable, the format follows the ending), --figure and --force.
struct ReportFiles {
  std::vector<std::string> paths;
  std::string figure;  // of the reports that are SVG; empty: the roofline
  bool force = false;

  void add_to(CLI::App& command);
  // Fails before anything is measured: an ending that is no format, a file that exists, one of the
  // files that are read; a format that needs a session where there will be none; a figure where
  // neither a report nor `terminal_format`, what goes to the terminal, is an SVG.
  Status check(const std::vector<std::string>& inputs = {}, bool has_session = true,
               std::string_view terminal_format = "text") const;
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

// Fails when a file to be written is one that is read, is named twice, or would lie in a folder
// that is not there: not even --force makes sense of that. Empty names and "-" stand for no file.
Status check_outputs(const std::vector<std::string>& outputs,
                     const std::vector<std::string>& inputs);

// Fails for "-" where standard output already has something else; `option` is the one that named
// it.
Status refuse_stdout(const std::string& option, const std::string& path, const std::string& hint);

// The same for the session that a command makes, which goes nowhere but into a file.
Status check_session_output(const std::string& output, const std::vector<std::string>& inputs);
// Fails when a file that is read is named twice, which would count it twice.
Status check_different(const std::vector<std::string>& inputs);

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
  const Format* format = format_of(output, formats);
  if (format == nullptr) {
    return fail(ErrorDomain::usage, "--output " + output, "its ending names no format",
                "say --format, or end the name in one of " + known_endings(formats));
  }
  return std::string(format->name);
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
// For --format: a format by its name, or by the ending of its files ("md" for markdown), in letters
// of any case.
template <class Format>
CLI::Validator format_name(const std::vector<Format>& formats) {
  const CLI::Validator is_known = one_of(format_names(formats));
  std::vector<std::pair<std::string, std::string>> endings;
  for (const Format& format : formats) {
    if (!format.extension.empty()) {
      endings.emplace_back(format.extension.substr(1), format.name);
    }
  }
  return CLI::Validator(
      [endings, is_known](std::string& text) {
        text = lower_case(std::move(text));
        for (const auto& [ending, name] : endings) {
          if (text == ending) {
            text = name;
          }
        }
        return is_known(text);
      },
      is_known.get_description());
}

// "Formats:" and a line each, for the footer of --help.
std::string formats_help();

}  // namespace ridgepoint::cli
