// `ridgepoint report SESSION... --format F`: a session as text, Markdown, JSON, HTML or SVG.
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "analyzer/open/open_analysis.h"
#include "cli/command.h"
#include "cli/console.h"
#include "cli/output.h"
#include "cli/price.h"
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
};

// Formats that read on when one report follows another; the others are one document a file.
bool can_be_joined(const std::string& format) {
  return format == "text" || format == "markdown";
}

Result<std::string> report_of(const std::string& path, const ReportCommand& options,
                              const ReportOptions& look) {
  AnalysisOptions analysis_options;
  analysis_options.price_per_hour = options.price_per_hour;
  return open_analysis(path, analysis_options).and_then([&](const Analysis& analysis) {
    return render_report(analysis, options.format, look);
  });
}

ExitCode run_report(ReportCommand options) {
  if (options.format.empty()) {
    const ReportFormat* by_ending = format_of(options.output);
    options.format = by_ending != nullptr ? by_ending->name : "text";
  }
  if (options.sessions.size() > 1 && !can_be_joined(options.format)) {
    return print_error({ErrorDomain::usage, 0, "report --format " + options.format,
                        "this format holds one session a file",
                        "name one session, or use text or markdown"});
  }
  ReportOptions look = options.output.empty() ? terminal_report_options() : ReportOptions();
  look.all_diagnoses = options.all;
  std::string whole;
  for (const std::string& path : options.sessions) {
    const Result<std::string> text = report_of(path, options, look);
    if (!text) {
      return print_error(text.error());
    }
    whole += (whole.empty() ? "" : "\n") + *text;
  }
  const Status written = write_result(whole, options.output, options.force, options.sessions);
  return written ? ExitCode::ok : print_error(written.error());
}

}  // namespace

void add_report(CLI::App& app, Action& chosen) {
  CLI::App* command = app.add_subcommand(
      "report", "Turn sessions, or CSV exports of Nsight Compute, into a report");
  std::string formats = "Formats:\n";
  for (const ReportFormat& format : report_formats()) {
    formats += "  " + std::string(format.name) +
               std::string(12 - std::min<std::size_t>(format.name.size(), 11), ' ') +
               std::string(format.description) + "\n";
  }
  command->footer(
      formats +
      "\nExamples:\n  ridgepoint report run.ridge\n"
      "  ridgepoint report run.ridge --format html -o run.html\n"
      "  ridgepoint report run.ridge --format json | jq '.variants[].speedup_over_first'\n");
  auto options = std::make_shared<ReportCommand>();
  command
      ->add_option("SESSION", options->sessions, "Session files, or CSV exports of Nsight Compute")
      ->required();
  command
      ->add_option("-f,--format", options->format,
                   "Report format; without it the ending of the output decides, else text")
      ->check(CLI::IsMember(format_names()));
  command->add_option("-o,--output", options->output, "Write here instead of to the terminal")
      ->type_name("FILE");
  command->add_flag("--force", options->force, "Replace the output file");
  command->add_flag("--all-diagnoses", options->all, "Show every diagnosis, not the first five");
  add_price_option(*command, options->price_per_hour);
  command->callback([options, &chosen] { chosen = [options] { return run_report(*options); }; });
}

}  // namespace ridgepoint::cli
