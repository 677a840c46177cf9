#include "cli/output.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

#include "analyzer/core/file.h"
#include "cli/choices.h"
#include "cli/console.h"
#include "reports/charts/figures.h"
#include "reports/report.h"
#include "reports/write_report.h"

namespace ridgepoint::cli {
namespace {

namespace fs = std::filesystem;

bool is_file_name(const std::string& path) {
  return !path.empty() && path != "-";
}

// Also before either is there, when nothing but the spelling can tell.
bool same_file(const std::string& one, const std::string& other) {
  std::error_code ignored;
  return fs::equivalent(one, other, ignored) || fs::absolute(one, ignored).lexically_normal() ==
                                                    fs::absolute(other, ignored).lexically_normal();
}

Status refuse_place(const std::string& output) {
  const fs::path folder = fs::path(output).parent_path();
  std::error_code ignored;
  if (is_file_name(output) && fs::is_directory(output, ignored)) {
    return fail(ErrorDomain::output, "writing " + output, "it is a folder", "name a file in it");
  }
  return !is_file_name(output) || folder.empty() || fs::is_directory(folder, ignored)
             ? Status()
             : fail(ErrorDomain::output, "writing " + output,
                    "there is no folder " + folder.string(), "make it first, or choose another");
}

// The last `parts` names of a path.
std::string tail_of(const fs::path& path, std::size_t parts) {
  fs::path tail;
  auto part = path.end();
  for (std::size_t taken = 0; taken < parts && part != path.begin(); ++taken) {
    --part;
    tail = tail.empty() ? *part : *part / tail;
  }
  return tail.string();
}

Status refuse_input(const std::string& output, const std::vector<std::string>& inputs) {
  for (const std::string& input : inputs) {
    if (is_file_name(input) && is_file_name(output) && same_file(input, output)) {
      return fail(ErrorDomain::usage, "writing " + output, "it is the file that is being read",
                  "choose another name");
    }
  }
  return {};
}

Status refuse_output(const std::string& output, const std::vector<std::string>& inputs) {
  return refuse_input(output, inputs).and_then([&] { return refuse_place(output); });
}

}  // namespace

Status check_outputs(const std::vector<std::string>& outputs,
                     const std::vector<std::string>& inputs) {
  for (std::size_t i = 0; i < outputs.size(); ++i) {
    if (const Status sound = refuse_output(outputs[i], inputs); !sound) {
      return sound;
    }
    for (std::size_t j = 0; j < i; ++j) {
      if (is_file_name(outputs[i]) && is_file_name(outputs[j]) &&
          same_file(outputs[i], outputs[j])) {
        return fail(ErrorDomain::usage, "writing " + outputs[i], "it is named for two outputs",
                    "choose another name for one");
      }
    }
  }
  return {};
}

Status refuse_stdout(const std::string& option, const std::string& path, const std::string& hint) {
  return path == "-" ? fail(ErrorDomain::usage, option + " -",
                            "it goes into a file: standard output has another result", hint)
                     : Status();
}

Status check_session_output(const std::string& output, const std::vector<std::string>& inputs) {
  if (output == "-") {
    return fail(ErrorDomain::usage, "writing the session",
                "it goes into a file, not to the terminal", "name one, as in -o run.ridge");
  }
  return check_outputs({output}, inputs);
}

Status check_different(const std::vector<std::string>& inputs) {
  for (std::size_t i = 0; i < inputs.size(); ++i) {
    for (std::size_t j = 0; j < i; ++j) {
      if (inputs[i] == inputs[j] || same_file(inputs[i], inputs[j])) {
        return fail(ErrorDomain::usage, "reading " + inputs[i], "it is named twice",
                    "name each once");
      }
    }
  }
  return {};
}

std::vector<std::string> shown_names(const std::vector<std::string>& paths) {
  std::error_code ignored;
  std::vector<fs::path> whole;
  for (const std::string& path : paths) {
    whole.push_back(fs::absolute(path, ignored).lexically_normal());
  }
  std::vector<std::string> names;
  for (std::size_t i = 0; i < paths.size(); ++i) {
    // One more folder until no other file has that name; the same file has it too.
    std::size_t parts = 1;
    const auto is_shared = [&](const fs::path& other) {
      return other != whole[i] && tail_of(other, parts) == tail_of(whole[i], parts);
    };
    while (std::any_of(whole.begin(), whole.end(), is_shared)) {
      ++parts;
    }
    names.push_back(paths[i] == "-" ? "standard input" : tail_of(whole[i], parts));
  }
  return names;
}

void add_figure_option(CLI::App& command, std::string& figure) {
  std::vector<std::string> names;
  for (const Figure& one : figures()) {
    names.emplace_back(one.name);
  }
  command.add_option("--figure", figure, "The figure that an SVG shows; else the roofline")
      ->check(one_of(names));
}

void ReportFiles::add_to(CLI::App& command) {
  command
      .add_option("--report", paths,
                  "Also write a report (repeatable); the ending decides the format (" +
                      known_endings(report_formats()) + ")")
      ->allow_extra_args(false)  // what follows may be another program's command line
      ->type_name("FILE");
  add_figure_option(command, figure);
  command.add_flag("--force", force, "Replace files that exist");
}

Status ReportFiles::check(const std::vector<std::string>& inputs, bool has_session,
                          std::string_view terminal_format) const {
  bool draws = terminal_format == "svg";
  for (const std::string& path : paths) {
    if (Status named = refuse_stdout("--report", path, "name one, as in --report run.html");
        !named) {
      return named;
    }
    const ReportFormat* format = format_of(path, report_formats());
    draws = draws || (format != nullptr && format->name == "svg");
    if (format == nullptr) {
      return fail(ErrorDomain::usage, "--report " + path, "its ending names no report format",
                  "use one of " + known_endings(report_formats()));
    }
    if (format->needs_session && !has_session) {
      return fail(ErrorDomain::usage, "--report " + path,
                  "it shows what was measured, launch by launch, and nothing is measured here",
                  "choose another format");
    }
    std::error_code ignored;
    if (!force && fs::is_regular_file(fs::symlink_status(path, ignored))) {
      return tl::make_unexpected(exists_error(path));
    }
  }
  if (!figure.empty() && !draws) {
    return fail(ErrorDomain::usage, "--figure " + figure, "no report is an SVG",
                "add --report FILE.svg");
  }
  return check_outputs(paths, inputs);
}

Status ReportFiles::write(const ReportInput& input) const {
  for (const std::string& path : paths) {
    const ReportFormat* format = format_of(path, report_formats());
    ReportOptions look;
    look.figure = figure.empty() ? look.figure : figure;
    if (const Status written = save_report(input, format->name, look, path, force); !written) {
      return written;
    }
    std::error_code ignored;
    print_note(fmt::format("{} report: {}", format->title, fs::absolute(path, ignored).string()));
  }
  return {};
}

Status write_report_result(const ReportInput& input, const std::string& format,
                           const ReportOptions& options, const std::string& output, bool force,
                           const std::vector<std::string>& inputs) {
  if (output.empty() || output == "-") {
    // Once standard output is gone, the rest of a million launches need not be made.
    return stream_report(input, format, options, [](std::string_view piece) {
      print_piece(piece);
      return finish_stdout();
    });
  }
  return refuse_output(output, inputs).and_then([&] {
    return save_report(input, format, options, output, force);
  });
}

Status write_result(const std::string& text, const std::string& output, bool force,
                    const std::vector<std::string>& inputs) {
  if (output.empty() || output == "-") {
    print_result(text);
    return {};
  }
  return refuse_output(output, inputs).and_then([&] { return write_report(text, output, force); });
}

std::string formats_help() {
  std::string text = "Formats, each also by its ending (-f md):\n";
  for (const ReportFormat& format : report_formats()) {
    text += fmt::format("  {:<12}{} ({})\n", format.name, format.description, format.extension);
  }
  return text;
}

}  // namespace ridgepoint::cli
