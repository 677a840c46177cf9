// `ridgepoint check SESSION --budget FILE`: the CI gate. Also writes a first budget (--init).
#include <filesystem>
#include <memory>
#include <string>
#include <system_error>
#include <vector>

#include "analyzer/core/file.h"
#include "analyzer/gate/init_budget.h"
#include "analyzer/gate/judge.h"
#include "analyzer/open/open_analysis.h"
#include "cli/command.h"
#include "cli/console.h"
#include "cli/number_range.h"
#include "cli/output.h"
#include "reports/gate_report.h"
#include "reports/write_report.h"

namespace ridgepoint::cli {
namespace {

struct CheckCommand {
  std::string session;
  std::string budget;
  std::string baseline;
  std::string format;  // empty: by the ending of the output, else text
  std::string output;
  std::string junit;
  std::string summary;
  bool annotate = false;
  bool force = false;
  bool init = false;
  InitOptions init_options;

  std::vector<std::string> inputs() const { return {session, baseline, budget}; }
  bool on_stdout() const { return output.empty() || output == "-"; }
};

ExitCode exit_code_of(CheckStatus status) {
  switch (status) {
    case CheckStatus::passed:
      return ExitCode::ok;
    case CheckStatus::failed:
      return ExitCode::regression;
    case CheckStatus::no_verdict:
      return ExitCode::no_verdict;
  }
  return ExitCode::no_verdict;
}

ExitCode run_init(const CheckCommand& command) {
  const Result<std::string> text = open_analysis(command.session).and_then([&](const Analysis& a) {
    return budget_from(a, command.init_options).map(&budget_to_json);
  });
  if (!text) {
    return print_error(text.error());
  }
  const Status written = write_result(*text, command.output, command.force, command.inputs());
  return written ? ExitCode::ok : print_error(written.error());
}

// A baseline that cannot be read leaves the absolute limits to judge, and the gate not green.
void add_unreadable_baseline(const CheckCommand& command, const Error& error, GateResult& result) {
  CheckResult lost;
  lost.id = "baseline";
  lost.subject = shown_names({command.session, command.baseline}).back();
  lost.quantity.label = "the baseline";
  lost.limit_kind = "baseline";
  lost.why = error.what + ": " + error.why;
  result.results.push_back(std::move(lost));
  result.remarks.push_back({"baseline.unreadable", error.what + ": " + error.why});
}

Result<GateReport> judge_session(const CheckCommand& command) {
  const Result<Budget> budget = read_budget(command.budget);
  if (!budget) {
    return tl::make_unexpected(budget.error());
  }
  const Result<Analysis> session = open_analysis(command.session);
  if (!session) {
    return tl::make_unexpected(session.error());
  }
  GateReport report{
      shown_names({command.session}).front(), shown_names({command.budget}).front(), "", {}};
  if (command.baseline.empty()) {
    report.result = judge_budget(*budget, *session, nullptr);
    return report;
  }
  const std::vector<std::string> names = shown_names({command.session, command.baseline});
  report.session = names.front();
  report.baseline = names.back();
  const Result<Analysis> baseline = open_analysis(command.baseline);
  report.result = judge_budget(*budget, *session, baseline ? &*baseline : nullptr);
  if (!baseline) {
    add_unreadable_baseline(command, baseline.error(), report.result);
  }
  return report;
}

Status write_side_reports(const CheckCommand& command, const GateReport& report) {
  if (!command.junit.empty()) {
    const Status written = render_gate(report, "junit").and_then([&](const std::string& text) {
      return write_report(text, command.junit, command.force);
    });
    if (!written) {
      return written;
    }
  }
  if (!command.summary.empty()) {
    return render_gate(report, "markdown").and_then([&](const std::string& text) {
      return append_file(command.summary, text);
    });
  }
  return {};
}

Status write_main_report(const CheckCommand& command, const GateReport& report) {
  const ReportOptions look = command.output.empty() ? terminal_report_options() : ReportOptions();
  const Result<std::string> text = render_gate(report, command.format, look);
  if (!text) {
    return tl::make_unexpected(text.error());
  }
  return write_result(*text, command.output, command.force, command.inputs());
}

// Before anything is judged, so that no verdict is lost to a slip on the command line.
Status check_outputs(const CheckCommand& command) {
  const bool is_document = command.format == "json" || command.format == "junit";
  if (command.annotate && command.on_stdout() && is_document) {
    return fail(ErrorDomain::usage, "check --annotate",
                "annotations go to standard output, where the " + command.format + " goes too",
                "write the " + command.format + " to a file with -o");
  }
  if (command.budget == "-") {
    return fail(ErrorDomain::usage, "check --budget -", "a budget is read from a file",
                "name one, as in --budget budget.json");
  }
  if (command.session == "-" && command.baseline == "-") {
    return fail(ErrorDomain::usage, "check",
                "standard input can be read only once, and - is named twice",
                "name a file for one");
  }
  const Status named =
      refuse_stdout("check --junit", command.junit, "use --format junit for standard output")
          .and_then([&] {
            return refuse_stdout("check --summary", command.summary,
                                 "use --format markdown for standard output");
          });
  if (!named) {
    return named;
  }
  for (const std::string& path : {command.output, command.junit}) {
    std::error_code ignored;
    if (!command.force && std::filesystem::is_regular_file(path, ignored)) {
      return tl::make_unexpected(exists_error(path));
    }
  }
  return cli::check_outputs({command.output, command.junit, command.summary}, command.inputs());
}

ExitCode run_check(CheckCommand command) {
  if (command.init) {
    return run_init(command);
  }
  if (const auto format = format_for(command.format, command.output, gate_formats())) {
    command.format = *format;
  } else {
    return print_error(format.error());
  }
  if (const Status sound = check_outputs(command); !sound) {
    return print_error(sound.error());
  }
  const Result<GateReport> report = judge_session(command);
  if (!report) {
    return print_error(report.error());
  }
  // A verdict that did not reach its reader is no success: output errors take precedence.
  for (const Status& written :
       {write_main_report(command, *report), write_side_reports(command, *report)}) {
    if (!written) {
      return print_error(written.error());
    }
  }
  const bool are_there = command.format == "github" && command.on_stdout();
  if (command.annotate && !are_there) {
    const Result<std::string> annotations = render_gate(*report, "github");
    if (!annotations) {
      return print_error(annotations.error());
    }
    print_result(*annotations);
  }
  return exit_code_of(report->result.verdict());
}

constexpr const char* footer =
    "A budget is a JSON file of limits (docs/ci.md); --init writes a first one from a session that "
    "is\ngood. Limits are absolute (min, max) or relative to a baseline (max_increase, "
    "max_decrease).\nTimes with repeats fail only when noise would break the limit in at most "
    "alpha of all cases\n(Mann-Whitney U test, sign test); beyond the limit but within the noise "
    "is no verdict.\n\n"
    "Exit codes: 0 everything was judged and passed, 1 a limit is broken or a result is wrong,\n"
    "2 no verdict (nothing matched, not measured, clocks moved, other hardware, no readable\n"
    "baseline), 3 bad usage, 4 the session or budget cannot be read.\n\n"
    "Examples:\n"
    "  ridgepoint check good.ridge --init -o budget.json\n"
    "  ridgepoint check run.ridge --budget budget.json\n"
    "  ridgepoint check run.ridge --budget budget.json --baseline main.ridge --junit gate.xml\n"
    "  ridgepoint check run.ridge --budget budget.json --annotate --summary "
    "\"$GITHUB_STEP_SUMMARY\"\n";

}  // namespace

void add_check(CLI::App& app, Action& chosen) {
  CLI::App* command = app.add_subcommand(
      "check", "Judge a session by a budget: pass, fail or no verdict (CI gate)");
  command->footer(footer);
  auto options = std::make_shared<CheckCommand>();
  command->add_option("SESSION", options->session, "The session, or another profiler's export")
      ->required();
  CLI::Option* budget =
      command->add_option("--budget", options->budget, "Limits to keep")->type_name("FILE");
  CLI::Option* baseline =
      command->add_option("--baseline", options->baseline, "What relative limits refer to")
          ->type_name("SESSION");
  command
      ->add_option("-f,--format", options->format,
                   "How to print the verdict, by name or ending (md); without it the ending of the "
                   "output decides, else text")
      ->transform(format_name(gate_formats()));
  command->add_option("-o,--output", options->output, "Write here instead of to the terminal")
      ->type_name("FILE");
  CLI::Option* junit =
      command->add_option("--junit", options->junit, "Also write JUnit XML")->type_name("FILE");
  CLI::Option* summary =
      command->add_option("--summary", options->summary, "Also append Markdown to this file")
          ->type_name("FILE");
  CLI::Option* annotate = command->add_flag("--annotate", options->annotate,
                                            "Also print annotations for GitHub Actions");
  command->add_flag("--force", options->force, "Replace files that exist");
  CLI::Option* init =
      command->add_flag("--init", options->init, "Write a budget from the session instead");
  command
      ->add_option("--margin", options->init_options.margin,
                   "Share by which times and bytes may grow")
      ->check(number_in(0.0, 10.0))
      ->capture_default_str()
      ->needs(init);
  for (CLI::Option* other : {budget, baseline, junit, summary, annotate}) {
    init->excludes(other);
  }
  command->callback([options, &chosen] {
    if (!options->init && options->budget.empty()) {
      throw CLI::RequiredError("--budget FILE (or --init)");
    }
    chosen = [options] { return run_check(*options); };
  });
}

}  // namespace ridgepoint::cli
