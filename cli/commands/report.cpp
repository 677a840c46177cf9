// `ridgepoint report SESSION... --format F`: a session as text, Markdown, JSON, HTML or SVG.
#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "analyzer/core/regular_expression.h"
#include "analyzer/core/text.h"
#include "analyzer/open/open_analysis.h"
#include "cli/choices.h"
#include "cli/command.h"
#include "cli/console.h"
#include "cli/output.h"
#include "cli/price.h"
#include "cli/target_options.h"
#include "reports/charts/figures.h"
#include "reports/presenters/hot_spots.h"
#include "reports/report.h"

namespace ridgepoint::cli {
namespace {

struct ReportCommand {
  std::vector<std::string> sessions;
  std::string format;  // empty: by the ending of the output, else text
  std::string output;
  bool force = false;
  bool all = false;
  std::optional<double> price_per_hour;
  TargetLimits targets;
  CsvLayout csv_layout = CsvLayout::wide;
  CsvNames csv_names = CsvNames::ridgepoint;
  bool asks_for_csv = false;
  std::string hot_spots_of;
  std::string figure;  // empty: the roofline
};

// Formats that read on when one report follows another; the others are one document a file.
bool can_be_joined(const std::string& format) {
  return format == "text" || format == "markdown";
}

Result<OpenedSession> opened(const std::string& path, const ReportCommand& options) {
  AnalysisOptions analysis_options;
  analysis_options.price_per_hour = options.price_per_hour;
  analysis_options.targets = options.targets;
  return open_session(path, analysis_options);
}

std::string figures_help() {
  std::string text = "\nFigures of --format svg:\n";
  for (const Figure& figure : figures()) {
    text += fmt::format("  {:<12}{}\n", figure.name, figure.description);
  }
  return text;
}

// What is wrong with it, or nothing: a part of a name need not be an expression.
std::string fault_of_kernel_name(const std::string& text) {
  return text.empty() ? "it is empty; name a kernel, or part of its name" : "";
}

// An empty report would look like a kernel without hot spots.
Status check_hot_spots(const Analysis& analysis, const ReportCommand& options,
                       const std::string& path) {
  if (options.hot_spots_of.empty() || !sampled_kernels(analysis, options.hot_spots_of).empty()) {
    return {};
  }
  if (const auto pattern = RegularExpression::compile(options.hot_spots_of, "--hotspots");
      !pattern) {
    return tl::make_unexpected(pattern.error());
  }
  std::string sampled;
  constexpr std::size_t named = 5;
  const std::vector<std::size_t> all = sampled_kernels(analysis, "");
  for (std::size_t i = 0; i < std::min(all.size(), named); ++i) {
    sampled += (i == 0 ? "" : ", ") + printable(analysis.kernels[all[i]].short_name);
  }
  return fail(ErrorDomain::verdict, "hot spots of " + path,
              "it has no stall samples of a kernel whose name has or matches \"" +
                  options.hot_spots_of + "\"",
              all.empty() ? "`ridgepoint profile --stalls` takes them"
                          : "it has those of " + sampled + (all.size() > named ? " ..." : ""));
}

Status report_one(const ReportCommand& options, const ReportOptions& look) {
  const std::string& path = options.sessions.front();
  return opened(path, options).and_then([&](const OpenedSession& session) -> Status {
    if (const Status there = check_hot_spots(session.analysis, options, path); !there) {
      return there;
    }
    return write_report_result({session.analysis, &session.session}, options.format, look,
                               options.output, options.force, options.sessions);
  });
}

Status report_all(const ReportCommand& options, const ReportOptions& look) {
  std::string whole;
  const std::vector<std::string> names = shown_names(options.sessions);
  for (std::size_t i = 0; i < options.sessions.size(); ++i) {
    const std::string& path = options.sessions[i];
    const Result<std::string> text =
        opened(path, options).and_then([&](const OpenedSession& session) -> Result<std::string> {
          if (const Status there = check_hot_spots(session.analysis, options, path); !there) {
            return tl::make_unexpected(there.error());
          }
          return render_report({session.analysis, &session.session}, options.format, look);
        });
    if (!text) {
      return tl::make_unexpected(text.error());
    }
    // One after another they would be hard to tell apart.
    const std::string name = printable(names[i]);
    whole += (whole.empty() ? "" : "\n") +
             (options.format == "markdown" ? "`" + name + "`\n\n" : name + "\n") + *text;
  }
  return write_result(whole, options.output, options.force, options.sessions);
}

ExitCode run_report(ReportCommand options) {
  if (const auto format = format_for(options.format, options.output, report_formats())) {
    options.format = *format;
  } else {
    return print_error(format.error());
  }
  if (options.sessions.size() > 1 && !can_be_joined(options.format)) {
    return print_error({ErrorDomain::usage, 0, "report --format " + options.format,
                        "this format holds one session a file",
                        "name one session, or use text or markdown"});
  }
  if (options.asks_for_csv && options.format != "csv") {
    return print_error({ErrorDomain::usage, 0, "report --format " + options.format,
                        "--csv-layout and --csv-names are about CSV", "add --format csv"});
  }
  if (!options.figure.empty() && options.format != "svg") {
    return print_error({ErrorDomain::usage, 0, "report --format " + options.format,
                        "--figure is about SVG", "add --format svg"});
  }
  if (!options.hot_spots_of.empty() && options.format != "text") {
    return print_error({ErrorDomain::usage, 0, "report --format " + options.format,
                        "--hotspots is for a terminal",
                        "use --format text; json has all of them under kernels[].hot_spots"});
  }
  if (std::count(options.sessions.begin(), options.sessions.end(), "-") > 1) {
    return print_error({ErrorDomain::usage, 0, "report",
                        "standard input can be read only once, and - is named twice",
                        "name a file for one"});
  }
  ReportOptions look = options.output.empty() ? terminal_report_options() : ReportOptions();
  look.all_diagnoses = options.all;
  look.hot_spots_of = options.hot_spots_of;
  look.figure = options.figure.empty() ? look.figure : options.figure;
  look.csv_layout = options.csv_layout;
  look.csv_names = options.csv_names;
  const Status written =
      options.sessions.size() == 1 ? report_one(options, look) : report_all(options, look);
  return written ? ExitCode::ok : print_error(written.error());
}

void add_csv_options(CLI::App& command, const std::shared_ptr<ReportCommand>& options) {
  const std::string group = "CSV";
  const std::vector<std::pair<std::string, CsvLayout>> layouts = {
      {"wide", CsvLayout::wide}, {"long", CsvLayout::long_rows}, {"series", CsvLayout::series}};
  const std::vector<std::pair<std::string, CsvNames>> names = {{"ridgepoint", CsvNames::ridgepoint},
                                                               {"ncu", CsvNames::ncu}};
  const auto asked = [options](const std::string& /*given*/) { options->asks_for_csv = true; };
  command
      .add_option("--csv-layout", options->csv_layout,
                  "wide: a row a kernel; long: a row a value, of kernels and of single launches; "
                  "series: a row a sample of power, clocks and counters over time")
      ->transform(enumerator(layouts))
      ->each(asked)
      ->group(group);
  command
      .add_option("--csv-names", options->csv_names,
                  "ridgepoint: quantities in SI units; ncu: Nsight Compute's counter names and "
                  "base units (ns, %)")
      ->transform(enumerator(names))
      ->each(asked)
      ->group(group);
}

}  // namespace

void add_report(CLI::App& app, Action& chosen) {
  CLI::App* command = app.add_subcommand(
      "report", "Turn sessions, or CSV exports of Nsight Compute, into a report");
  command->footer(
      formats_help() + figures_help() +
      "\nExamples:\n  ridgepoint report run.ridge\n"
      "  ridgepoint report run.ridge --format html -o run.html\n"
      "  ridgepoint report run.ridge -o long.csv --csv-layout long\n"
      "  ridgepoint report run.ridge -o stalls.svg --figure stalls\n"
      "  ridgepoint report run.ridge --format json | jq '.variants[].speedup_over_first'\n");
  auto options = std::make_shared<ReportCommand>();
  command
      ->add_option("SESSION", options->sessions,
                   "Session files, or CSV exports of Nsight Compute; - is standard input")
      ->required();
  command
      ->add_option("-f,--format", options->format,
                   "Report format, by name or ending (md); without it the ending of the output "
                   "decides, else text")
      ->transform(format_name(report_formats()));
  command->add_option("-o,--output", options->output, "Write here instead of to the terminal")
      ->type_name("FILE");
  command->add_flag("--force", options->force, "Replace the output file");
  command->add_flag("--all-diagnoses", options->all, "Show every diagnosis, not the first five");
  command
      ->add_option(
          "--hotspots", options->hot_spots_of,
          "Only the instructions with most stall samples, of kernels whose name contains this or "
          "matches it")
      ->check(CLI::Validator(&fault_of_kernel_name, ""))
      ->type_name("REGEX");
  add_figure_option(*command, options->figure);
  add_price_option(*command, options->price_per_hour);
  add_target_option(*command, options->targets);
  add_csv_options(*command, options);
  command->callback([options, &chosen] { chosen = [options] { return run_report(*options); }; });
}

}  // namespace ridgepoint::cli
