// `ridgepoint demo`: the report of a recording that ships with the program. Measures nothing and
// says so.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <functional>
#include <iterator>
#include <memory>
#include <optional>
#include <string>
#include <system_error>
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
  std::function<bool(const std::string&)> given;  // an option, by its name
};

Error no_recordings(const fs::path& folder, const std::string& why) {
  return {ErrorDomain::input, 0, "looking for the recordings that ship",
          printable(folder.string()) + ": " + why,
          "this installation lacks them: install Ridgepoint whole, or set RIDGEPOINT_DATA to its "
          "share/ridgepoint"};
}

// Never none.
Result<std::vector<std::string>> names_of_recordings(const fs::path& folder) {
  std::vector<std::string> names;
  std::error_code error;
  for (fs::directory_iterator it(folder, error), end; !error && it != end; it.increment(error)) {
    if (it->path().extension() == ".ridge") {
      names.push_back(it->path().stem().string());
    }
  }
  if (error) {
    return tl::make_unexpected(no_recordings(folder, error.message()));
  }
  if (names.empty()) {
    return tl::make_unexpected(no_recordings(folder, "there is none in it"));
  }
  std::sort(names.begin(), names.end());
  return names;
}

// With the command that made each, which tells more than a title: it can be given again. One that
// cannot be read is named, and the others are listed all the same.
ExitCode list_recordings(const fs::path& folder, const std::vector<std::string>& names) {
  const std::size_t width = terminal_report_options().width;
  std::string text =
      "Recordings that ship, in " + printable(folder.string()) + ", and what made them:\n";
  std::vector<Error> faults;
  for (const std::string& name : names) {
    const Result<Session> session = read_session(folder / (name + ".ridge"));
    if (!session) {
      faults.push_back(session.error());
      continue;
    }
    text += "\n" + printable(name) + "\n" +
            wrap(printable(session->producer.command_line), width, "  ", "    ");
  }
  print_result(text);
  ExitCode code = ExitCode::ok;
  for (const Error& fault : faults) {
    code = print_error(fault);
  }
  return code;
}

// Part of a name is what people remember: "training-step".
std::string names_with(const std::string& part, const std::vector<std::string>& names) {
  constexpr std::size_t fewest_letters = 3;
  std::vector<std::string> meant;
  if (part.size() >= fewest_letters) {
    std::copy_if(names.begin(), names.end(), std::back_inserter(meant),
                 [&](const std::string& name) { return name.find(part) != std::string::npos; });
  }
  // The shortest are nearest to what was typed.
  constexpr std::size_t enough = 3;
  std::stable_sort(meant.begin(), meant.end(),
                   [](const std::string& a, const std::string& b) { return a.size() < b.size(); });
  meant.resize(std::min(meant.size(), enough));
  return meant.empty()
             ? ""
             : "did you mean " + printable(fmt::format("{}", fmt::join(meant, " or "))) + "? ";
}

Error no_such_recording(const std::string& name, const std::vector<std::string>& names) {
  constexpr std::size_t enough = 60;
  const std::string shown = name.size() > enough ? name.substr(0, enough) + "..." : name;
  std::string meant = did_you_mean(name, names);
  return {ErrorDomain::usage, 0, "showing a recording",
          "none that ships is called \"" + printable(shown) + "\"",
          (meant.empty() ? names_with(name, names) : meant) +
              "`ridgepoint demo --list` names them; "
              "`ridgepoint report FILE` shows any session"};
}

// What --list does not show is refused, rather than left out.
Status check_list(const DemoCommand& command) {
  if (!command.list) {
    return {};
  }
  for (const char* other :
       {"RECORDING", "--report", "--figure", "--force", "--price-per-hour", "--target"}) {
    if (command.given(other)) {
      return fail(ErrorDomain::usage, "demo --list",
                  fmt::format("it lists all recordings; {} has no effect on that", other),
                  "ridgepoint demo NAME shows one");
    }
  }
  return {};
}

ExitCode run_demo(const DemoCommand& command) {
  const ReportFiles& files = command.files;
  if (const Status sound = check_list(command).and_then([&] { return files.check(); }); !sound) {
    return print_error(sound.error());
  }
  const Result<std::filesystem::path> data = data_directory();
  if (!data) {
    return print_error(data.error());
  }
  const fs::path folder = *data / "recordings";
  const Result<std::vector<std::string>> names = names_of_recordings(folder);
  if (!names) {
    return print_error(names.error());
  }
  if (command.list) {
    return list_recordings(folder, *names);
  }
  // One of those listed, whatever a path with that name leads to.
  if (std::find(names->begin(), names->end(), command.recording) == names->end()) {
    return print_error(no_such_recording(command.recording, *names));
  }
  const fs::path recording = folder / (command.recording + ".ridge");
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
  options->given = [command](const std::string& option) { return command->count(option) > 0; };
  command->callback([options, &chosen] { chosen = [options] { return run_demo(*options); }; });
}

}  // namespace ridgepoint::cli
