// `ridgepoint compare BASE NEW...`: what became faster or slower, whether it is more than noise,
// and what moved with it.
#include <algorithm>
#include <memory>
#include <string>
#include <vector>

#include "analyzer/core/file.h"
#include "analyzer/open/open_analysis.h"
#include "cli/command.h"
#include "cli/console.h"
#include "cli/number_range.h"
#include "cli/output.h"
#include "reports/comparison_report.h"

namespace ridgepoint::cli {
namespace {

struct CompareCommand {
  std::vector<std::string> sessions;
  std::string format;  // empty: by the ending of the output, else text
  std::string output;
  bool force = false;
  bool all = false;
  CompareOptions options;
};

// One regression is a regression, whatever else could not be judged.
ExitCode exit_code_of(const std::vector<ComparedTo>& others) {
  const auto any = [&](ComparisonVerdict verdict) {
    return std::any_of(others.begin(), others.end(), [&](const ComparedTo& other) {
      return other.comparison.verdict() == verdict;
    });
  };
  if (any(ComparisonVerdict::regression)) {
    return ExitCode::regression;
  }
  return any(ComparisonVerdict::no_verdict) ? ExitCode::no_verdict : ExitCode::ok;
}

ExitCode run_compare(const CompareCommand& command) {
  const auto format = format_for(command.format, command.output, comparison_formats());
  if (!format) {
    return print_error(format.error());
  }
  if (std::count(command.sessions.begin(), command.sessions.end(), "-") > 1) {
    return print_error({ErrorDomain::usage, 0, "compare",
                        "standard input can be read only once, and - is named twice",
                        "name a file for one"});
  }
  std::vector<Analysis> analyses;
  analyses.reserve(command.sessions.size());  // the report points into it
  ComparisonReport report;
  report.all_quantities = command.all;
  const std::vector<std::string> names = shown_names(command.sessions);
  for (std::size_t i = 0; i < command.sessions.size(); ++i) {
    const std::string& path = command.sessions[i];
    Result<Analysis> analysis = open_analysis(path);
    if (!analysis) {
      return print_error(analysis.error());
    }
    analyses.push_back(std::move(*analysis));
    const NamedAnalysis named{names[i], &analyses.back()};
    if (analyses.size() == 1) {
      report.base = named;
    } else {
      report.others.push_back({named, compare(analyses.front(), analyses.back(), command.options)});
    }
  }
  const ReportOptions look = command.output.empty() ? terminal_report_options() : ReportOptions();
  const Result<std::string> text = render_comparison(report, *format, look);
  if (!text) {
    return print_error(text.error());
  }
  if (const Status written = write_result(*text, command.output, command.force, command.sessions);
      !written) {
    return print_error(written.error());
  }
  return exit_code_of(report.others);
}

}  // namespace

void add_compare(CLI::App& app, Action& chosen) {
  CLI::App* command = app.add_subcommand(
      "compare", "Compare sessions with a first one: faster, slower, and what moved with it");
  command->footer(
      "The first file is the base. Sessions and exports of other profilers are taken alike.\n"
      "Variants are matched by name, then by the roles of their kernels; kernels by name, then by\n"
      "role, then by base name and launch shape.\n\n"
      "A change of time counts when a two-sided Mann-Whitney U test over all timed repeats gives\n"
      "p <= --alpha and the times are at least --min-effect apart. Nothing is judged across other\n"
      "hardware, another problem, or SM clocks further apart than --clock-tolerance.\n\n"
      "Exit codes: 0 nothing became slower, 1 a regression, 2 no verdict (nothing matched, "
      "nothing\n"
      "could be tested, or the runs are not comparable), 3 bad usage, 4 a file cannot be read.\n\n"
      "Examples:\n"
      "  ridgepoint compare before.ridge after.ridge\n"
      "  ridgepoint compare main.ridge a.ridge b.ridge --format markdown -o comparison.md\n"
      "  ridgepoint compare a.ridge b.ridge -f json | jq '.comparisons[0].verdict'\n");
  auto options = std::make_shared<CompareCommand>();
  command
      ->add_option("SESSION", options->sessions,
                   "The base, then one or more others; - is standard input")
      ->required()
      ->expected(2, 100);
  command
      ->add_option("-f,--format", options->format,
                   "How to print it, by name or ending (md); without it the ending of the output "
                   "decides, else text")
      ->transform(format_name(comparison_formats()));
  command->add_option("-o,--output", options->output, "Write here instead of to the terminal")
      ->type_name("FILE");
  command->add_flag("--force", options->force, "Replace the output file");
  command->add_flag("--all", options->all, "List every quantity, not the main ones that moved");
  command->add_option("--alpha", options->options.alpha, "Largest p that counts as significant")
      ->check(positive_number(0.5))
      ->capture_default_str();
  command
      ->add_option("--min-effect", options->options.min_effect,
                   "Smallest change of time that counts, as a share")
      ->check(number_in(0.0, 10.0))
      ->capture_default_str();
  command
      ->add_option("--clock-tolerance", options->options.clock_tolerance,
                   "Largest difference of SM clocks, as a share")
      ->check(number_in(0.0, 1.0))
      ->capture_default_str();
  command->callback([options, &chosen] { chosen = [options] { return run_compare(*options); }; });
}

}  // namespace ridgepoint::cli
