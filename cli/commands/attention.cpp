// `ridgepoint attention`: measures the variants of attention side by side and reports.
#include <fmt/format.h>

#include <cmath>
#include <filesystem>
#include <memory>

#include "analyzer/analysis/analyse.h"
#include "cli/command.h"
#include "cli/commands/attention_options.h"
#include "cli/console.h"
#include "collector/attention/measure.h"

namespace ridgepoint::cli {
namespace {

collector::AttentionRunOptions run_options(const AttentionCommand& command) {
  collector::AttentionRunOptions run;
  run.shape = command.shape();
  run.variants = command.variants;
  run.device = command.device;
  run.counter_profile = command.profile;
  run.pc_sampling = !command.no_stalls && command.profile != "none";
  run.power = !command.no_power;
  run.pm_interval_ns = std::llround(command.pm_interval_us * 1e3);
  run.warmup_runs = command.warmup;
  run.latency_repeats = command.repeats;
  run.seed = command.seed;
  run.output = command.session_path();
  run.force = command.reports.force;
  run.command_line = typed_command_line();
  run.record_host = command.record_host;
  return run;
}

ExitCode report(const AttentionCommand& command, const collector::AttentionOutcome& outcome) {
  AnalysisOptions as_measured;
  as_measured.source = Source::measured;
  as_measured.price_per_hour = command.price_per_hour;
  as_measured.targets = command.targets;
  const Result<Analysis> analysis = analyse(outcome.session, as_measured);
  if (!analysis) {
    return print_error(analysis.error());
  }
  const Result<std::string> text = render_report(*analysis, "text", terminal_report_options());
  if (!text) {
    return print_error(text.error());
  }
  print_result(*text);
  if (const Status written = command.reports.write({*analysis, &outcome.session}); !written) {
    return print_error(written.error());
  }
  return ExitCode::ok;
}

ExitCode run_attention(const AttentionCommand& command) {
  if (const Status sound = command.check(); !sound) {
    return print_error(sound.error());
  }
  const collector::AttentionRunOptions run = run_options(command);
  Result<collector::AttentionOutcome> outcome = [&] {
    ProgressLine line(command.progress);
    return collector::measure_attention(
        run, [&](const collector::Progress& p) { line.show(p.phase, p.text, p.done, p.total); });
  }();
  if (!outcome) {
    return print_error(outcome.error());
  }
  std::error_code ignored;
  print_note("session: " + std::filesystem::absolute(run.output, ignored).string());
  ExitCode code = report(command, *outcome);
  // A run without what was asked for must not look like a good one to a script.
  for (const Error& missing : outcome->missing) {
    const ExitCode own = print_error(missing);
    code = code == ExitCode::ok ? own : code;
  }
  return code;
}

}  // namespace

void add_attention(CLI::App& app, Action& chosen) {
  CLI::App* command =
      app.add_subcommand("attention", "Measure naive and fused attention side by side on this GPU");
  auto options = std::make_shared<AttentionCommand>();
  options->add_to(*command);
  command->callback([options, &chosen] { chosen = [options] { return run_attention(*options); }; });
}

}  // namespace ridgepoint::cli
