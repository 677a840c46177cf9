// `ridgepoint import FILE.csv`: another profiler's export as a session file.
#include <filesystem>
#include <memory>
#include <string>

#include "analyzer/import/read_any.h"
#include "analyzer/session/session_file.h"
#include "cli/command.h"
#include "cli/console.h"
#include "cli/output.h"

namespace ridgepoint::cli {
namespace {

struct ImportCommand {
  std::string input;
  std::string output;
  bool force = false;
};

ExitCode run_import(const ImportCommand& command) {
  namespace fs = std::filesystem;
  const std::string output =
      command.output.empty()
          ? fs::path(command.input).filename().replace_extension(".ridge").string()
          : command.output;
  if (command.input == "-" && command.output.empty()) {
    return print_error({ErrorDomain::usage, 0, "import -",
                        "standard input has no name to call the session by", "add -o run.ridge"});
  }
  if (const Status sound = check_session_output(output, {command.input}); !sound) {
    return print_error(sound.error());
  }
  const Result<Session> session = read_any(command.input);
  if (!session) {
    return print_error(session.error());
  }
  if (session->producer.mode != "import") {
    return print_error({ErrorDomain::input, 0, "importing " + command.input,
                        "it is a session already", "open it with `ridgepoint report` or `view`"});
  }
  if (const Status written = write_session(*session, output, {command.force}); !written) {
    return print_error(written.error());
  }
  print_note("session: " + output);
  return ExitCode::ok;
}

}  // namespace

void add_import(CLI::App& app, Action& chosen) {
  CLI::App* command =
      app.add_subcommand("import", "Keep a CSV export of Nsight Compute as a session file");
  command->footer(
      "Every command that reads sessions reads such a CSV as well; a session is smaller and keeps "
      "what was\nsaid about the import.\n\n"
      "Examples:\n"
      "  ncu --import run.ncu-rep --page raw --csv --print-units base > run.csv\n"
      "  ridgepoint import run.csv                 writes run.ridge\n"
      "  ridgepoint import run.csv -o base.ridge\n");
  auto own = std::make_shared<ImportCommand>();
  command
      ->add_option("FILE", own->input,
                   "The export, - for standard input; docs/import.md lists what is understood")
      ->required();
  command
      ->add_option("-o,--output", own->output,
                   "The session; default: the export's name with .ridge, in this folder")
      ->type_name("FILE");
  command->add_flag("--force", own->force, "Replace the output file");
  command->callback([own, &chosen] { chosen = [own] { return run_import(*own); }; });
}

}  // namespace ridgepoint::cli
