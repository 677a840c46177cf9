// `ridgepoint merge SESSION... -o ALL`: the sessions of a run's processes as one.
#include <filesystem>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "analyzer/import/read_any.h"
#include "analyzer/session/join_sessions.h"
#include "analyzer/session/session_file.h"
#include "cli/command.h"
#include "cli/console.h"
#include "cli/output.h"

namespace ridgepoint::cli {
namespace {

struct MergeCommand {
  std::vector<std::string> sessions;
  std::string output;
  bool force = false;
};

ExitCode run_merge(const MergeCommand& command) {
  // Joined with itself, a session would count every launch twice.
  const Status sound = check_different(command.sessions).and_then([&] {
    return check_session_output(command.output, command.sessions);
  });
  if (!sound) {
    return print_error(sound.error());
  }
  std::vector<Session> sessions;
  for (const std::string& path : command.sessions) {
    Result<Session> session = read_any(path);
    if (!session) {
      return print_error(session.error());
    }
    if (session->producer.mode != "profile") {
      return print_error({ErrorDomain::input, 0, "merging " + path, "it is no profile of a program",
                          "only what `ridgepoint profile` wrote can be joined"});
    }
    sessions.push_back(std::move(*session));
  }
  const Status written = join_sessions(std::move(sessions)).and_then([&](const Session& session) {
    return write_session(session, command.output, {command.force});
  });
  if (!written) {
    return print_error(written.error());
  }
  print_note("session: " + command.output);
  return ExitCode::ok;
}

}  // namespace

void add_merge(CLI::App& app, Action& chosen) {
  CLI::App* command =
      app.add_subcommand("merge", "Join the sessions of a run's processes into one");
  auto own = std::make_shared<MergeCommand>();
  command->add_option("SESSION", own->sessions, "Session files, each once; - is standard input")
      ->required();
  command->add_option("-o,--output", own->output, "The joined session")
      ->type_name("FILE")
      ->required();
  command->add_flag("--force", own->force, "Replace the output file");
  command->footer("Example:\n  ridgepoint merge -o all.ridge run-0.ridge run-1.ridge\n");
  command->callback([own, &chosen] { chosen = [own] { return run_merge(*own); }; });
}

}  // namespace ridgepoint::cli
