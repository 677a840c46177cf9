// `ridgepoint demo`: the report of a recording that ships with the program. Measures nothing and
// says so.
#include <algorithm>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "analyzer/core/data_path.h"
#include "analyzer/core/nearest_word.h"
#include "analyzer/core/text.h"
#include "analyzer/open/open_analysis.h"
#include "analyzer/session/session_file.h"
#include "cli/command.h"
#include "cli/console.h"
#include "cli/output.h"
#include "cli/price.h"
#include "cli/target_options.h"
#include "reports/report.h"
#include "reports/text/text_layout.h"

namespace ridgepoint::cli {
namespace {

namespace fs = std::filesystem;

constexpr const char* default_recording = "attention-n16384-d64";

struct DemoCommand {
  std::string recording = default_recording;
  bool list = false;
  ReportFiles files;
  std::optional<double> price_per_hour;
  TargetLimits targets;
};

std::vector<std::string> names_of_recordings(const fs::path& folder) {
  std::vector<std::string> names;
  std::error_code error;
  for (fs::directory_iterator it(folder, error), end; !error && it != end; it.increment(error)) {
    if (it->path().extension() == ".ridge") {
      names.push_back(it->path().stem().string());
    }
  }
  std::sort(names.begin(), names.end());
  return names;
}

// With the command that made each, which tells more than a title: it can be given again.
ExitCode list_recordings(const fs::path& folder) {
  const std::size_t width = terminal_report_options().width;
  std::string text = "Recordings that ship, in " + folder.string() + ", and what made them:\n";
  for (const std::string& name : names_of_recordings(folder)) {
    const Result<Session> session = read_session(folder / (name + ".ridge"));
    if (!session) {
      return print_error(session.error());
    }
    text += "\n" + name + "\n" + wrap(session->producer.command_line, width, "  ", "    ");
  }
  print_result(text);
  return ExitCode::ok;
}

Error no_such_recording(const std::string& name, const fs::path& folder) {
  return {ErrorDomain::usage, 0, "showing a recording",
          "none that ships is called \"" + printable(name) + "\"",
          did_you_mean(name, names_of_recordings(folder)) +
              "`ridgepoint demo --list` names them; "
              "`ridgepoint report FILE` shows any session"};
}

ExitCode run_demo(const DemoCommand& command) {
  const ReportFiles& files = command.files;
  if (const Status sound = files.check(); !sound) {
    return print_error(sound.error());
  }
  const Result<std::filesystem::path> data = data_directory();
  if (!data) {
    return print_error(data.error());
  }
  const fs::path folder = *data / "recordings";
  if (command.list) {
    return list_recordings(folder);
  }
  const fs::path recording = folder / (command.recording + ".ridge");
  if (command.recording.find('/') != std::string::npos || !fs::exists(recording)) {
    return print_error(no_such_recording(command.recording, folder));
  }
  AnalysisOptions options;
  options.price_per_hour = command.price_per_hour;
  options.targets = command.targets;
  const Result<OpenedSession> opened = open_session(recording, options);
  if (!opened) {
    return print_error(opened.error());
  }
  const ReportInput input(opened->analysis, &opened->session);
  const Result<std::string> text = render_report(input, "text", terminal_report_options());
  if (!text) {
    return print_error(text.error());
  }
  print_result(*text);
  if (const Status written = files.write(input); !written) {
    return print_error(written.error());
  }
  return ExitCode::ok;
}

}  // namespace

void add_demo(CLI::App& app, Action& chosen) {
  CLI::App* command =
      app.add_subcommand("demo", "Show the report of a recording made on an NVIDIA H200");
  command->footer(
      "Examples:\n  ridgepoint demo --report demo.html\n  ridgepoint demo profile-training-step\n");
  auto options = std::make_shared<DemoCommand>();
  command->add_option("RECORDING", options->recording,
                      "Which one; default: " + std::string(default_recording));
  command->add_flag("--list", options->list, "List the recordings and what made them");
  options->files.add_to(*command);
  add_price_option(*command, options->price_per_hour);
  add_target_option(*command, options->targets);
  command->callback([options, &chosen] { chosen = [options] { return run_demo(*options); }; });
}

}  // namespace ridgepoint::cli
