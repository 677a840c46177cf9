// `ridgepoint ceilings`: what this device really reaches, beside what theory says.
#include <cstdint>
#include <filesystem>
#include <memory>
#include <string>
#include <system_error>

#include "analyzer/analysis/analyse.h"
#include "analyzer/core/file.h"
#include "analyzer/roofline/measured_ceilings.h"
#include "analyzer/session/session_file.h"
#include "cli/command.h"
#include "cli/console.h"
#include "cli/number_range.h"
#include "cli/output.h"
#include "cli/progress.h"
#include "collector/ceilings/measure.h"
#include "collector/ceilings/store.h"

namespace ridgepoint::cli {
namespace {

struct CeilingsCommand {
  collector::CeilingRunOptions run;
  std::string output;
  bool force = false;
};

Status write(const CeilingsCommand& command, const collector::CeilingOutcome& outcome) {
  if (command.output.empty()) {
    return {};
  }
  Status written = write_session(outcome.session, command.output, {command.force});
  if (written) {
    print_note("session: " + command.output);
  }
  return written;
}

Status keep(const collector::CeilingOutcome& outcome) {
  const std::filesystem::path folder = collector::ceilings_folder();
  Status stored = collector::store_ceilings(outcome.session, folder, outcome.uuid);
  if (stored) {
    print_note("kept for later runs on this device, in " + folder.string());
  }
  return stored;
}

ExitCode run_ceilings(const CeilingsCommand& command) {
  if (const Status sound = check_session_output(command.output, {}); !sound) {
    return print_error(sound.error());
  }
  std::error_code ignored;
  if (!command.output.empty() && !command.force &&
      std::filesystem::exists(command.output, ignored)) {
    return print_error(exists_error(command.output));
  }
  const Result<collector::CeilingOutcome> outcome = [&] {
    ProgressLine line(ProgressStyle::automatic);
    return collector::measure_ceilings(
        command.run, [&](const std::string& probe, std::size_t done, std::size_t total) {
          line.show("ceilings", probe, static_cast<std::int64_t>(done),
                    static_cast<std::int64_t>(total));
        });
  }();
  if (!outcome) {
    return print_error(outcome.error());
  }
  AnalysisOptions as_measured;
  as_measured.source = Source::measured;
  const Result<Analysis> analysis = analyse(outcome->session, as_measured);
  if (!analysis) {
    return print_error(analysis.error());
  }
  const Result<std::string> text = render_report(*analysis, "text", terminal_report_options());
  if (!text) {
    return print_error(text.error());
  }
  print_result(*text);
  if (Status written = write(command, *outcome); !written) {
    return print_error(written.error());
  }
  if (!implausible_ceilings(*analysis).empty()) {
    return print_error({ErrorDomain::verdict, 0, "measuring ceilings",
                        "a ceiling lies above theory (see above), so none of them is kept",
                        "please report it, with the session that -o writes"});
  }
  if (Status stored = keep(*outcome); !stored) {
    return print_error(stored.error());
  }
  return ExitCode::ok;
}

}  // namespace

void add_ceilings(CLI::App& app, Action& chosen) {
  CLI::App* command = app.add_subcommand(
      "ceilings", "Measure the memory and arithmetic rates that this GPU really reaches");
  auto own = std::make_shared<CeilingsCommand>();
  command->add_option("--device", own->run.device, "Index of the GPU")
      ->check(whole_number_in(0, 1023))
      ->capture_default_str();
  command->add_flag("--quick", own->run.quick, "11 repeats of 2 ms instead of 31 of 10 ms");
  command->add_option("-o,--output", own->output, "Also write them as a session")
      ->type_name("FILE");
  command->add_flag("--force", own->force, "Replace the output file");
  command->footer(
      "The results are kept below $XDG_CACHE_HOME/ridgepoint/ceilings (else ~/.cache), a file a\n"
      "GPU; `attention` and `profile` put them into their sessions. Exit code 2 when one lies "
      "more\n"
      "than 2 % above theory.\n\n"
      "Examples:\n  ridgepoint ceilings\n  ridgepoint ceilings --quick -o h200.ridge\n");
  command->callback([own, &chosen] {
    chosen = [own] {
      own->run.command_line = typed_command_line();
      return run_ceilings(*own);
    };
  });
}

}  // namespace ridgepoint::cli
